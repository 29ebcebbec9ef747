import { and, eq, gt, sum } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import { cents, formatUsd, minus, ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { lockRefundLimits } from '#server/accounts/users.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { staffRefund } from './staff-refund-schema.ts'

/**
 * Counts a refund by somebody whose role has limits; owners, customers and commands have none. A refund that fails later stays
 * counted: an owner can still make it.
 * @param orderId of a locked order
 * @throws Refusal `over_refund_limit`
 */
export async function countStaffRefund(tx: Tx, by: Actor, orderId: OrderId, amount: Cents, now: Date): Promise<void> {
  const limits = by.userId === null ? undefined : await lockRefundLimits(tx, by.userId)
  if (!limits || by.userId === null) return
  const ofOrder = await sumOf(tx, eq(staffRefund.orderId, orderId))
  const ofDay = await sumOf(tx, and(eq(staffRefund.userId, by.userId), gt(staffRefund.madeAt, after(now, -DAY_MS))))
  const left = [minus(limits.orderMax, ofOrder), minus(limits.dayMax, ofDay)].reduce((a, b) => (a < b ? a : b))
  if (amount > left)
    throw new Refusal('over_refund_limit', {
      left: formatUsd(left > ZERO ? left : ZERO),
      order: formatUsd(limits.orderMax),
      day: formatUsd(limits.dayMax),
    })
  await tx.insert(staffRefund).values({ userId: by.userId, orderId, amountCents: amount, madeAt: now })
}

async function sumOf(tx: Tx, which: ReturnType<typeof and>): Promise<Cents> {
  const [row] = await tx
    .select({ total: sum(staffRefund.amountCents) })
    .from(staffRefund)
    .where(which)
  return cents(Number(row?.total ?? 0))
}
