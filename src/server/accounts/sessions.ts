import { createHash, randomBytes } from 'node:crypto'
import type { SessionId, UserId } from '#kernel/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#kernel/time.ts'
import type { Sessions } from '#server/http/context.ts'
import type { Needs } from '#server/shop.ts'
import {
  addSession,
  findSession,
  lockSession,
  markSeen,
  moveCart,
  movePurchases,
  removeSession,
  sessionUserOf,
} from './store.ts'

/** As long as the cookie lives that names it. */
const IDLE_MAX_MS = 90 * DAY_MS
/** Being seen is written down this often at most: a page of ten calls is not ten writes. */
const SEEN_EVERY_MS = HOUR_MS
const TOKEN_BYTES = 32

const idOf = (token: string) => createHash('sha256').update(token).digest('hex') as SessionId

function newToken(): { token: string; id: SessionId } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, id: idOf(token) }
}

/** Sessions by their cookie's token; the table holds its hash, so that a stolen backup opens nobody's cart. */
export function createSessions({ db, clock }: Needs<'db' | 'clock'>): Sessions {
  return {
    async find(token) {
      const now = clock.now()
      const found = await findSession(db, idOf(token), after(now, -IDLE_MAX_MS))
      if (!found) return undefined
      if (now.getTime() - found.seenAt.getTime() > SEEN_EVERY_MS)
        await db.transaction((tx) => markSeen(tx, found.id, now))
      return { id: found.id, user: found.user && sessionUserOf(found.user) }
    },
    async create() {
      const made = newToken()
      await db.transaction((tx) => addSession(tx, made.id, null, clock.now()))
      return made
    },
    async replace(old: SessionId | undefined, userId: UserId | null) {
      const made = newToken()
      await db.transaction(async (tx) => {
        await addSession(tx, made.id, userId, clock.now())
        if (!old || !(await lockSession(tx, old))) return
        await moveCart(tx, old, made.id)
        // Whoever signs out may leave the machine to somebody else: the next one does not see what was bought.
        if (userId !== null) await movePurchases(tx, old, made.id)
        await removeSession(tx, old)
      })
      return made
    },
  }
}
