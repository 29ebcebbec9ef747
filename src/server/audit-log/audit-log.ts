import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import { addAction, selectActions, type StoredAction } from './store.ts'

export { findAction } from './store.ts'

/** Who took an action, in which role, and from which address. */
export type Actor = { userId: UserId | null; name: string; role?: StaffRole | null; address: string }

/** The actor of owner commands, which run on the shop's own machine. */
export const COMMAND: Actor = { userId: null, name: 'command', address: '' }

/** All customers have one name in the log. */
export const CUSTOMER: Actor = { userId: null, name: 'customer', address: '' }

/** All partners have one name in the log, and their number. */
export const partnerActor = (userId: UserId): Actor => ({ userId, name: 'partner', address: '' })

/** @throws Refusal `not_signed_in`. The call's own access rule decides who else is refused */
export async function actorOf({ session, ip }: Pick<Context, 'session' | 'ip'>): Promise<Actor> {
  const user = (await session())?.user
  if (!user) throw new Refusal('not_signed_in')
  return { userId: user.id, name: user.username, role: user.role, address: ip }
}

/**
 * Records an owner's action in the transaction that performs it. Entries are never deleted, so they must not hold personal data: name
 * things by their numbers and leave out texts that people wrote.
 * @param what in the past tense, to follow a name: `put on hold`
 * @param about the thing: `{ kind: 'order', id: 'K7QM-4T2X' }`
 * @param before the changed values by name; `after` their new values
 */
export async function recordAction(
  tx: Tx,
  action: {
    by: Actor
    what: string
    about: { kind: string; id: string | number }
    before?: ActionFacts
    after?: ActionFacts
    at: Date
  },
): Promise<void> {
  const { by, what, about, before = null, after = null, at } = action
  await addAction(tx, {
    userId: by.userId,
    userName: by.name,
    userRole: by.role ?? null,
    address: by.address,
    what,
    aboutKind: about.kind,
    aboutId: String(about.id),
    before,
    after,
    takenAt: at,
  })
}

/** Newest first. @param filter `olderThan`: the id of the last entry of the previous page */
export const listActions = (
  db: Reader,
  filter: { olderThan?: number | undefined; about?: { kind: string; id?: string } | undefined; limit: number },
): Promise<StoredAction[]> => selectActions(db, filter)
