import { and, asc, eq, inArray, isNull, lt, sql, sum } from 'drizzle-orm'
import type { RefundStatus } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import { cents, sum as total, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { refund } from '#server/orders/schema.ts'
import type { Order } from './orders.ts'

// The stored refunds. `payments` makes and books them.

export type Refund = typeof refund.$inferSelect

export async function insertRefund(tx: Tx, request: Omit<typeof refund.$inferInsert, 'status'>): Promise<Refund> {
  const [row] = await tx
    .insert(refund)
    .values({ ...request, status: 'requested' })
    .returning()
  assert(row, 'an insert without a row')
  return row
}

export const findRefund = async (db: Reader, id: number): Promise<Refund | undefined> =>
  (await db.select().from(refund).where(eq(refund.id, id)))[0]

export const findRefundStatus = async (db: Reader, providerRefundId: string): Promise<RefundStatus | undefined> =>
  (await db.select({ status: refund.status }).from(refund).where(eq(refund.providerRefundId, providerRefundId)))[0]
    ?.status

/** Refunds that should have been made by now. */
export const listRequestedRefunds = (db: Reader, before: Date, limit: number): Promise<{ id: number }[]> =>
  db
    .select({ id: refund.id })
    .from(refund)
    .where(and(eq(refund.status, 'requested'), lt(refund.createdAt, before)))
    .limit(limit)

/** @returns false when it was made after all, or another worker marked it first */
export async function failRefund(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx
    .update(refund)
    .set({ status: 'failed' })
    .where(and(eq(refund.id, id), eq(refund.status, 'requested')))
    .returning({ id: refund.id })
  return rows.length > 0
}

/** @param paymentKey null for an order without a payment, which has none */
export const listRefunds = async (db: Reader, paymentKey: PaymentKey | null): Promise<Refund[]> =>
  paymentKey === null ? [] : db.select().from(refund).where(eq(refund.paymentKey, paymentKey)).orderBy(asc(refund.id))

/** The refunds of an order over all of its payments, without those that settled a change: its amounts are already without them. */
export const listOrderRefunds = (db: Reader, orderId: OrderId): Promise<Refund[]> =>
  db
    .select()
    .from(refund)
    .where(and(eq(refund.orderId, orderId), isNull(refund.changeId)))
    .orderBy(asc(refund.id))

/** All refunds of these orders. */
export const listEveryRefund = (db: Reader, orderIds: readonly OrderId[]): Promise<Refund[]> =>
  db
    .select()
    .from(refund)
    .where(inArray(refund.orderId, [...orderIds]))
    .orderBy(asc(refund.id))

export const listRefundsOf = (db: Reader, keys: readonly PaymentKey[]): Promise<Refund[]> =>
  db
    .select()
    .from(refund)
    .where(inArray(refund.paymentKey, [...keys]))

export const changeRefund = (tx: Tx, id: number, to: Partial<typeof refund.$inferInsert>) =>
  tx.update(refund).set(to).where(eq(refund.id, id))

/** Refunds sent or succeeded, in cents, without those that settled a change. */
export const refundedOf = (db: Reader, { id }: Pick<Order, 'id'>): Promise<Cents> =>
  sumOfRefunds(db, id, ['succeeded', 'pending'])

/** What of `refundedOf` went to a gift card or became store credit. */
export const refundedToGiftCardOf = async (db: Reader, { id }: Pick<Order, 'id'>): Promise<Cents> =>
  total(
    (await listOrderRefunds(db, id)).flatMap(({ giftCardId, amountCents }) =>
      giftCardId === null ? [] : [amountCents],
    ),
  )

/** Refunds that the shopper's bank returned and that have not been paid again, in cents. */
export async function returnedRefundsOf(db: Reader, { id }: Pick<Order, 'id'>): Promise<Cents> {
  const { rows } = await db.execute<{ amount: string }>(sql`
    select coalesce(sum(r.amount_cents), 0)::text as amount from ${refund} r
    where r.order_id = ${id} and r.status = 'failed' and r.reversed_at is not null and not exists (
      select 1 from ${refund} l where l.payment_key = r.payment_key and l.id > r.id and l.status <> 'failed' and l.gift_card_id is null
        and coalesce(l.pays_refund_id, r.id) = r.id
        -- Another refund returns the rest of the order, which is without what a change gave back.
        and (r.change_id is null or l.pays_refund_id = r.id))`)
  return cents(Number(rows[0]?.amount ?? 0))
}

/** Like `refundedOf`, plus refunds not yet created at the provider. */
export const refundedOrRequestedOf = (db: Reader, { id }: Pick<Order, 'id'>): Promise<Cents> =>
  sumOfRefunds(db, id, ['succeeded', 'pending', 'requested'])

async function sumOfRefunds(db: Reader, orderId: OrderId, states: RefundStatus[]): Promise<Cents> {
  const [row] = await db
    .select({ total: sum(refund.amountCents).mapWith(Number) })
    .from(refund)
    .where(and(eq(refund.orderId, orderId), isNull(refund.changeId), inArray(refund.status, states)))
  return cents(row?.total ?? 0)
}
