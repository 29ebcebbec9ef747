import { and, asc, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { changeCanBecome, type ChangePlan } from '#domain/orders/change.ts'
import { withRecipientName } from '#domain/orders/gift.ts'
import { objectionToChange, type ChangeObjection, type ChangeState } from '#domain/orders/changes.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderChange, orderLine, shopOrder } from '#server/orders/schema.ts'
import type { Needs } from '#server/shop.ts'
import type { Order } from './orders.ts'

// The stored changes of paid orders. `payments` decides about them.

export type OrderChange = typeof orderChange.$inferSelect

export async function insertChange(tx: Tx, row: typeof orderChange.$inferInsert): Promise<OrderChange> {
  const [change] = await tx.insert(orderChange).values(row).returning()
  assert(change, 'an insert without a row')
  return change
}

export const findChange = async (db: Reader, id: number): Promise<OrderChange | undefined> =>
  (await db.select().from(orderChange).where(eq(orderChange.id, id)))[0]

export const findChangeOfIntent = async (db: Reader, intentId: string): Promise<OrderChange | undefined> =>
  (await db.select().from(orderChange).where(eq(orderChange.intentId, intentId)))[0]

/** The order's change whose difference is not paid yet. */
export const findAwaitingChange = async (db: Reader, orderId: OrderId): Promise<OrderChange | undefined> =>
  (
    await db
      .select()
      .from(orderChange)
      .where(and(eq(orderChange.orderId, orderId), eq(orderChange.state, 'awaiting_payment')))
  )[0]

export const listChanges = (db: Reader, orderId: OrderId): Promise<OrderChange[]> =>
  db.select().from(orderChange).where(eq(orderChange.orderId, orderId)).orderBy(asc(orderChange.id))

/** Changes that nobody paid in time, and whose order waits for nothing any more. */
export const listUnpaidChanges = (db: Reader, now: Date, limit: number): Promise<OrderChange[]> =>
  db
    .select()
    .from(orderChange)
    .where(and(eq(orderChange.state, 'awaiting_payment'), lte(orderChange.expiresAt, now)))
    .orderBy(asc(orderChange.expiresAt))
    .limit(limit)

/** @param change of an order that is locked */
export async function endChange(tx: Tx, { id, state }: OrderChange, to: ChangeState, paymentKey?: PaymentKey) {
  assert(changeCanBecome(state, to), `a change that is ${state} cannot become ${to}`)
  await tx
    .update(orderChange)
    .set({ state: to, clientSecret: null, ...(paymentKey && { paymentKey }) })
    .where(eq(orderChange.id, id))
}

/**
 * Ends a change that waits for its payment, if one does, because the order goes on without it. A payment that comes all the same is
 * refunded.
 * @param order locked
 * @returns the change that waited
 */
export async function dropAwaitingChange(
  tx: Tx,
  { jobs }: Needs<'jobs'>,
  { id }: Pick<Order, 'id'>,
): Promise<OrderChange | undefined> {
  const change = await findAwaitingChange(tx, id)
  if (!change) return undefined
  await endChange(tx, change, 'lapsed')
  if (change.intentId) await jobs.enqueue(tx, 'cancel-intent', { intentId: change.intentId })
  return change
}

/** @returns false when another payment was stored first, or the change no longer waits */
export async function saveIntent(
  tx: Tx,
  id: number,
  { intentId, clientSecret }: { intentId: string; clientSecret: string },
): Promise<boolean> {
  const rows = await tx
    .update(orderChange)
    .set({ intentId, clientSecret })
    .where(
      and(
        eq(orderChange.id, id),
        eq(orderChange.state, 'awaiting_payment'),
        sql`coalesce(${orderChange.intentId}, ${intentId}) = ${intentId}`,
      ),
    )
    .returning({ id: orderChange.id })
  return rows.length > 0
}

/** How long an order waits for its changes; the printer does not get it before. */
export const setChangeableUntil = (tx: Tx, { id }: Pick<Order, 'id'>, until: Date, now: Date) =>
  tx.update(shopOrder).set({ changeableUntil: until, updatedAt: now }).where(eq(shopOrder.id, id))

/** Writes an order as planned. Removed lines stay with quantity 0. @param order locked */
export async function writeChangedOrder(tx: Tx, order: Order, plan: ChangePlan, now: Date): Promise<void> {
  const { id } = order
  const { recipient, amounts, lines } = plan
  await tx
    .update(shopOrder)
    .set({
      ...withRecipientName(order, recipient.name),
      customerPhone: recipient.phone,
      taxNumber: recipient.taxNumber,
      shippingAddress: recipient.address,
      ...(recipient.address.country !== order.shippingAddress.country && { promisedFrom: null, promisedTo: null }),
      subtotalCents: amounts.subtotal,
      shippingCents: amounts.shipping,
      taxCents: amounts.tax,
      vatProtectionCents: amounts.vatProtection,
      totalCents: amounts.total,
      shippingMethod: amounts.shippingMethod,
      shippingSurcharges: amounts.shippingSurcharges,
      updatedAt: now,
    })
    .where(eq(shopOrder.id, id))
  await tx
    .update(orderLine)
    .set({ quantity: 0, partnerCostCents: null })
    .where(and(eq(orderLine.orderId, id), gt(orderLine.quantity, 0)))
  for (const { position, ...line } of lines)
    await tx
      .insert(orderLine)
      .values({ orderId: id, position, ...line })
      .onConflictDoUpdate({ target: [orderLine.orderId, orderLine.position], set: { listPrice: null, ...line } })
}

/** The orders of payments that paid changes, for erasure. */
export const listChangePayments = async (db: Reader, orderIds: readonly OrderId[]): Promise<PaymentKey[]> =>
  (
    await db
      .select({ key: orderChange.paymentKey })
      .from(orderChange)
      .where(and(inArray(orderChange.orderId, [...orderIds]), isNotNull(orderChange.paymentKey)))
  ).flatMap(({ key }) => key ?? [])

/** The change by which the customer canceled an order. */
export const findShopperCancellation = async (db: Reader, orderId: OrderId) =>
  (
    await db
      .select()
      .from(orderChange)
      .where(and(eq(orderChange.orderId, orderId), eq(orderChange.kind, 'canceled'), eq(orderChange.madeBy, 'shopper')))
  )[0]

/** Why the customer can't change or cancel the order now; null if they can. */
export const changeObjectionOf = (order: Order, now: Date): ChangeObjection | null =>
  objectionToChange(
    {
      fulfillment: order.fulfillmentStatus,
      payment: order.paymentStatus,
      isErased: order.erasedAt !== null,
      until: order.changeableUntil,
    },
    now,
  )
