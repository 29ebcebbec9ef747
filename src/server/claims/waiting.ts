import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { listClaimsOf } from './store.ts'

export { countWaiting as countWaitingClaims } from './store.ts'

/** Whether a claim about the order is not settled. */
export const hasOpenClaim = async (db: Reader, orderId: OrderId): Promise<boolean> =>
  (await listClaimsOf(db, orderId)).some(({ resolvedAt }) => resolvedAt === null)
