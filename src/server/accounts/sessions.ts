import { createHash, randomBytes } from 'node:crypto'
import { deviceOf } from '#domain/accounts/device.ts'
import { isRecentlyConfirmed, isStillSignedIn } from '#domain/accounts/sign-in.ts'
import type { SessionId } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import type { Sessions } from '#server/http/context.ts'
import type { Needs } from '#server/shop.ts'
import {
  addSession,
  findSession,
  lockSession,
  touchSession,
  removeIdle,
  removeSession,
  toSessionUser,
  signOutSession,
} from './store.ts'

/** A session and its cart end after this long without a visit ... */
const IDLE_MAX_MS = 90 * DAY_MS
/** ... and when its cookie expires. */
const LIFE_MAX_MS = 365 * DAY_MS
const REMOVAL_BATCH = 1000
/** A session's last visit is saved at most this often: a page of ten calls must not cause ten writes. */
const SEEN_EVERY_MS = HOUR_MS
const TOKEN_BYTES = 32

const idOf = (token: string) => createHash('sha256').update(token).digest('hex') as SessionId

function newToken(): { token: string; id: SessionId } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, id: idOf(token) }
}

type Move = (tx: Tx, from: SessionId, to: SessionId) => Promise<unknown>

/** Moves what other areas store for a session, one after the other in the transaction that changes the session. */
export type SessionMoves = {
  /** The cart and unpaid checkouts, also to a session of another user. */
  cart: readonly Move[]
  /** The session that paid may see an order's names and addresses, so these move only with their user. */
  purchases: readonly Move[]
  /**
   * Past purchases and the chat of a session that is signed out, to an id that no cookie has: the next user of a shared computer must
   * not see them. The cart and unpaid checkouts stay.
   */
  signOut: readonly Move[]
}

/** Looks sessions up by their cookie's token. The table stores only its hash: a stolen backup opens nobody's cart. */
export function createSessions({ db, clock }: Needs<'db' | 'clock'>, moves: SessionMoves): Sessions {
  const move = async (tx: Tx, what: keyof SessionMoves, from: SessionId, to: SessionId) => {
    for (const moveOne of moves[what]) await moveOne(tx, from, to)
  }
  const draw: Sessions['draw'] = () => {
    const { token, id } = newToken()
    const now = clock.now()
    return { token, row: { id, createdAt: now, seenAt: now } }
  }
  return {
    draw,
    async find(token) {
      const now = clock.now()
      const found = await findSession(db, idOf(token), oldest(now))
      if (!found) return undefined
      const { id, user, formerUserId, confirmedAt } = found
      const isSignedIn = user !== null && isStillSignedIn({ ...found, isStaff: user.role !== null }, now)
      if (user && !isSignedIn)
        await db.transaction(async (tx) => {
          await signOutSession(tx, id)
          await move(tx, 'signOut', id, newToken().id)
        })
      if (now.getTime() - found.seenAt.getTime() > SEEN_EVERY_MS)
        await autocommitWrite(db, (tx) => touchSession(tx, id, now))
      return {
        id,
        user: isSignedIn ? await toSessionUser(db, user) : null,
        formerUserId,
        isFresh: isSignedIn && isRecentlyConfirmed(confirmedAt, now),
      }
    },
    async create() {
      const { token, row } = draw()
      await autocommitWrite(db, (tx) => addSession(tx, row))
      return { token, id: row.id }
    },
    async replace(old, userId, userAgent = '') {
      const made = newToken()
      const now = clock.now()
      await db.transaction(async (tx) => {
        const before = old && (await lockSession(tx, old))
        await addSession(tx, {
          id: made.id,
          createdAt: now,
          seenAt: now,
          formerUserId: userId ?? before?.userId ?? before?.formerUserId,
          ...(userId !== null && { userId, signedInAt: now, confirmedAt: now, device: deviceOf(userAgent) }),
        })
        if (!before) return
        await move(tx, 'cart', before.id, made.id)
        // On a shared computer the next user must not see what the last one bought.
        if (userId !== null && (before.userId ?? userId) === userId) await move(tx, 'purchases', before.id, made.id)
        await removeSession(tx, before.id)
      })
      return made
    },
    async renew(old) {
      const made = newToken()
      const now = clock.now()
      await db.transaction(async (tx) => {
        const before = await lockSession(tx, old)
        const { userId, formerUserId, signedInAt, confirmedAt, device } = before ?? {}
        // A session that ended in the meantime stays ended.
        await addSession(tx, {
          ...{ id: made.id, createdAt: now, seenAt: now },
          ...{ userId, formerUserId, signedInAt, confirmedAt, device },
        })
        if (!before) return
        await move(tx, 'cart', before.id, made.id)
        await move(tx, 'purchases', before.id, made.id)
        await removeSession(tx, before.id)
      })
      return made
    },
  }
}

const oldest = (now: Date) => ({ seenAfter: after(now, -IDLE_MAX_MS), createdAfter: after(now, -LIFE_MAX_MS) })

/** @returns how many sessions ended; one batch per run */
export const endIdleSessions = ({ db, clock }: Needs<'db' | 'clock'>): Promise<number> =>
  db.transaction((tx) => removeIdle(tx, oldest(clock.now()), REMOVAL_BATCH))
