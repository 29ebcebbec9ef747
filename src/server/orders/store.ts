import { and, asc, desc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import { paymentKey, type OrderId, type OrderNumber, type SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderAccess, orderLine, orderStep, orderViewer, orderVisit, shopOrder } from '#server/orders/schema.ts'
import type { Order } from './orders.ts'

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

export const addVisit = (tx: Tx, row: typeof orderVisit.$inferInsert) =>
  tx.insert(orderVisit).values(row).onConflictDoNothing()

export const listVisits = async (db: Reader, orderId: OrderId): Promise<Date[]> =>
  (await db.select().from(orderVisit).where(eq(orderVisit.orderId, orderId)).orderBy(asc(orderVisit.hour))).map(
    ({ hour }) => hour,
  )

export const addLink = (tx: Tx, row: typeof orderAccess.$inferInsert) => tx.insert(orderAccess).values(row)

export const moveOrders = (tx: Tx, from: SessionId, to: SessionId) =>
  tx.update(shopOrder).set({ sessionId: to }).where(eq(shopOrder.sessionId, from))

export const removeViewer = (tx: Tx, sessionId: SessionId) =>
  tx.delete(orderViewer).where(eq(orderViewer.sessionId, sessionId))

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
  db
    .select()
    .from(orderLine)
    .where(and(inArray(orderLine.orderId, orderIds), gt(orderLine.quantity, 0)))
    .orderBy(asc(orderLine.position))
