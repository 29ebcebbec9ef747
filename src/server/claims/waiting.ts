import { sql } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { parcelNotice } from './schema.ts'
import { listClaimsOf } from './store.ts'

export { countWaiting as countWaitingClaims } from './store.ts'

/** A query of the orders whose customers were told that something is late or lost, as `order_id`, until that is decided or over. */
export const lateOrders = sql`
  select ${parcelNotice.orderId} from ${parcelNotice}
  where ${parcelNotice.kind} in ('late', 'lost') and ${parcelNotice.state} in ('open', 'waits')`

/** What became of each claim about an order, newest first. */
export const listClaimStates = async (db: Reader, orderId: OrderId) =>
  (await listClaimsOf(db, orderId)).map(({ id, kind, reason, state, outcome }) => ({
    id,
    kind,
    reason,
    state,
    outcome,
  }))

/** Whether a claim about the order is not settled. */
export const hasOpenClaim = async (db: Reader, orderId: OrderId): Promise<boolean> =>
  (await listClaimsOf(db, orderId)).some(({ resolvedAt }) => resolvedAt === null)
