import { and, asc, desc, eq, gt, inArray, lt, or, sql, sum } from 'drizzle-orm'
import { paymentKey, type OrderId, type OrderNumber, type PaymentKey, type SessionId } from '#shared/ids.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  orderAccess,
  orderCorrection,
  orderLine,
  orderStep,
  orderViewer,
  refund,
  shipment,
  shopOrder,
} from '#server/orders/schema.ts'

type Order = typeof shopOrder.$inferSelect

export const findOrderByNumber = async (db: Reader, orderNumber: OrderNumber): Promise<Order | undefined> =>
  (await db.select().from(shopOrder).where(eq(shopOrder.orderNumber, orderNumber)))[0]

/** The order of this payment, if this session paid it. */
export const findOrderOfPayer = async (
  db: Reader,
  paymentId: string,
  sessionId: SessionId,
): Promise<Order | undefined> =>
  (
    await db
      .select()
      .from(shopOrder)
      .where(
        and(
          inArray(shopOrder.paymentKey, [paymentKey('stripe', paymentId), paymentKey('paypal', paymentId)]),
          eq(shopOrder.sessionId, sessionId),
        ),
      )
  )[0]

/** An order that this session paid or recently tracked. */
export const findOrderOfSession = async (
  db: Reader,
  number: OrderNumber,
  sessionId: SessionId,
  now: Date,
): Promise<Order | undefined> =>
  (
    await db
      .select({ order: shopOrder })
      .from(shopOrder)
      .leftJoin(
        orderViewer,
        and(eq(orderViewer.orderId, shopOrder.id), eq(orderViewer.sessionId, sessionId), gt(orderViewer.until, now)),
      )
      .where(
        and(
          eq(shopOrder.orderNumber, number),
          or(eq(shopOrder.sessionId, sessionId), eq(orderViewer.sessionId, sessionId)),
        ),
      )
  )[0]?.order

export const findOrderOfLink = async (
  db: Reader,
  tokenHash: string,
): Promise<{ order: Order; expiresAt: Date } | undefined> =>
  (
    await db
      .select({ order: shopOrder, expiresAt: orderAccess.expiresAt })
      .from(orderAccess)
      .innerJoin(shopOrder, eq(shopOrder.id, orderAccess.orderId))
      .where(eq(orderAccess.tokenHash, tokenHash))
  )[0]

export const addLink = (tx: Tx, row: typeof orderAccess.$inferInsert) => tx.insert(orderAccess).values(row)

/** Revokes access by emailed link and by number and email. The session that paid keeps its access. */
export async function revokeOrderAccess(tx: Tx, orderId: OrderId): Promise<void> {
  await tx.delete(orderAccess).where(eq(orderAccess.orderId, orderId))
  await tx.delete(orderViewer).where(eq(orderViewer.orderId, orderId))
}

export const moveOrders = (tx: Tx, from: SessionId, to: SessionId) =>
  tx.update(shopOrder).set({ sessionId: to }).where(eq(shopOrder.sessionId, from))

export const removeViewer = (tx: Tx, sessionId: SessionId) =>
  tx.delete(orderViewer).where(eq(orderViewer.sessionId, sessionId))

export const addCorrection = (tx: Tx, row: typeof orderCorrection.$inferInsert) =>
  tx.insert(orderCorrection).values(row)

export const addViewer = (tx: Tx, row: typeof orderViewer.$inferInsert) =>
  tx
    .insert(orderViewer)
    .values(row)
    .onConflictDoUpdate({ target: [orderViewer.sessionId, orderViewer.orderId], set: { until: row.until } })

export const listSteps = (db: Reader, orderId: OrderId) =>
  db
    .select({ status: orderStep.fulfillmentStatus, at: orderStep.takenAt })
    .from(orderStep)
    .where(eq(orderStep.orderId, orderId))
    .orderBy(asc(orderStep.id))

/** In the order they shipped. */
export const listParcels = (db: Reader, orderId: OrderId) =>
  db.select().from(shipment).where(eq(shipment.orderId, orderId)).orderBy(asc(shipment.shippedAt), asc(shipment.id))

/** Refunds sent or succeeded, in cents. */
export const refundedOf = (db: Reader, { paymentKey: key }: Pick<Order, 'paymentKey'>): Promise<Cents> =>
  sumOfRefunds(db, key, ['succeeded', 'pending'])

/** Refunds that the shopper's bank returned and that have not been paid again, in cents. */
export async function returnedRefundsOf(db: Reader, { paymentKey: key }: Pick<Order, 'paymentKey'>): Promise<Cents> {
  const { rows } = await db.execute<{ amount: string }>(sql`
    select coalesce(sum(r.amount_cents), 0)::text as amount from ${refund} r
    where r.payment_key = ${key} and r.status = 'failed' and r.reversed_at is not null and not exists (
      select 1 from ${refund} l where l.payment_key = r.payment_key and l.id > r.id and l.status <> 'failed'
        and coalesce(l.pays_refund_id, r.id) = r.id)`)
  return cents(Number(rows[0]?.amount ?? 0))
}

/** Like `refundedOf`, plus refunds not yet created at the provider. */
export const refundedOrRequestedOf = (db: Reader, { paymentKey: key }: Pick<Order, 'paymentKey'>): Promise<Cents> =>
  sumOfRefunds(db, key, ['succeeded', 'pending', 'requested'])

async function sumOfRefunds(
  db: Reader,
  key: PaymentKey,
  states: (typeof refund.$inferSelect.status)[],
): Promise<Cents> {
  const [row] = await db
    .select({ total: sum(refund.amountCents).mapWith(Number) })
    .from(refund)
    .where(and(eq(refund.paymentKey, key), inArray(refund.status, states)))
  return cents(row?.total ?? 0)
}

/** Latest first. @param email lowercase @param after an order of the same email */
export const listOrdersOfEmail = (
  db: Reader,
  email: string,
  { after, limit }: { after: OrderId | undefined; limit: number },
): Promise<Order[]> =>
  db
    .select()
    .from(shopOrder)
    .where(
      and(eq(sql`lower(${shopOrder.customerEmail})`, email), after === undefined ? undefined : lt(shopOrder.id, after)),
    )
    .orderBy(desc(shopOrder.id))
    .limit(limit)

export const listLinesOf = (db: Reader, orderIds: readonly OrderId[]) =>
  db.select().from(orderLine).where(inArray(orderLine.orderId, orderIds)).orderBy(asc(orderLine.position))
