import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { ActionFacts } from '#server/db/schema.ts'
import { addAction, selectActions, type StoredAction } from './store.ts'

/** Who did something, and from where. */
export type Actor = { userId: UserId | null; name: string; address: string }

/** Whoever may run the owner's commands on the shop's machine. */
export const COMMAND: Actor = { userId: null, name: 'command', address: '' }

/** @throws Refusal `not_signed_in`; the call's access says who may be it at all */
export async function actorOf({ session, ip }: Pick<Context, 'session' | 'ip'>): Promise<Actor> {
  const user = (await session())?.user
  if (!user) throw new Refusal('not_signed_in')
  return { userId: user.id as UserId, name: user.username, address: ip }
}

/**
 * Writes down what the owner did, in the transaction that does it. It stays for good: nothing of a person may stand in it, so
 * things are named by their numbers, and texts that people wrote stay where they are.
 * @param what in the past tense, as it follows a name: `put on hold`
 * @param about the thing: `{ kind: 'order', id: 'K7QM-4T2X' }`
 * @param before what was changed, by name; `after` what it became
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
    address: by.address,
    what,
    aboutKind: about.kind,
    aboutId: String(about.id),
    before,
    after,
    takenAt: at,
  })
}

/** The latest first. @param wanted `olderThan`: the id of the last one that was read; `about` what */
export const listActions = (
  db: Reader,
  wanted: { olderThan?: number | undefined; about?: { kind: string; id: string } | undefined; limit: number },
): Promise<StoredAction[]> => selectActions(db, wanted)
