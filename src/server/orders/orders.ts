import { and, asc, eq, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import {
  fulfillmentCanBecome,
  madeStatuses,
  paymentCanBecome,
  type FulfillmentStatus,
  type PaymentStatus,
} from '#domain/orders/status.ts'
import { partsOfAmounts, type OrderAmounts } from '#domain/orders/change.ts'
import type { PaidCard } from '#domain/payments/card.ts'
import type { RefundParts } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import type { CheckoutId, OrderId, OrderNumber, PaymentKey, SessionId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import { ZERO } from '#shared/money.ts'
import { combineWrites, type Reader, type Tx } from '#server/db/db.ts'
import { orderChange, orderCorrection, orderLine, orderStep, shopOrder } from '#server/orders/schema.ts'

export type Order = typeof shopOrder.$inferSelect
/** An order that was paid: not a replacement, sample or gift. */
export type PaidOrder = Order & { paymentKey: PaymentKey; checkoutId: CheckoutId }

export const isSale = (order: Order): order is PaidOrder => order.kind === 'sale'
export type OrderLine = typeof orderLine.$inferSelect

type SettledPayment = {
  checkoutId: CheckoutId
  sessionId: SessionId
  orderNumber: OrderNumber
  language: Language
  paymentKey: PaymentKey
  paidCard: PaidCard | null
  taxEvidence: TaxEvidence
  termsVersion: string | null
  termsAcceptedAt: Date | null
  changeableUntil: Date
  frozen: FrozenCheckout
}

/** Creates the order of a paid checkout from its frozen copy. A unique key on the checkout prevents a second order. */
export async function createOrder(
  tx: Tx,
  { frozen, ...settled }: SettledPayment,
  now: Date,
): Promise<{ order: PaidOrder; lines: OrderLine[] }> {
  const { customer, quote, shippingAddress, billingAddress, lines: bought } = frozen
  const [order] = await tx
    .insert(shopOrder)
    .values({
      ...settled,
      externalId: settled.orderNumber,
      paymentStatus: 'paid',
      fulfillmentStatus: 'waiting',
      subtotalCents: quote.subtotal,
      shippingCents: quote.shipping,
      taxCents: quote.tax,
      vatProtectionCents: quote.vatProtection,
      totalCents: quote.total,
      shippingMethod: quote.shippingMethod,
      shippingSurcharges: quote.shippingSurcharges,
      discounts: quote.discounts ?? [],
      giftCardId: quote.giftCard?.id ?? null,
      giftCardCents: quote.giftCard?.amount ?? ZERO,
      customerEmail: customer.email,
      customerName: customer.name,
      customerPhone: customer.phone,
      taxNumber: customer.taxNumber,
      texts: customer.texts ?? null,
      shippingAddress,
      billingAddress,
      collection: bought[0]?.collection ?? '',
      promisedFrom: quote.arrival?.from ?? null,
      promisedTo: quote.arrival?.to ?? null,
      shownRate: quote.shownRate ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  assert(order && isSale(order), 'an insert without a row')
  const rows = bought.map((line, position) => ({
    orderId: order.id,
    position,
    productId: line.productId,
    variantId: line.variantId,
    productName: line.productName,
    variantName: line.variantName,
    imageUrl: line.imageUrl,
    collection: line.collection,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    listPrice: line.listPrice ?? null,
  }))
  const lines = await tx.insert(orderLine).values(rows).returning()
  return { order, lines: lines.toSorted((a, b) => a.position - b.position) }
}

/** The parts of an order's total, as paid or last changed. */
export const partsOfOrder = (order: Order): RefundParts => partsOfAmounts(amountsOf(order))

export const amountsOf = (order: Order): OrderAmounts => ({
  subtotal: order.subtotalCents,
  shipping: order.shippingCents,
  tax: order.taxCents,
  vatProtection: order.vatProtectionCents,
  total: order.totalCents,
  shippingMethod: order.shippingMethod,
  shippingSurcharges: order.shippingSurcharges,
})

export const findOrder = async (db: Reader, id: OrderId): Promise<Order | undefined> =>
  (await db.select().from(shopOrder).where(eq(shopOrder.id, id)))[0]

export const findOrderByNumber = async (db: Reader, orderNumber: OrderNumber): Promise<Order | undefined> =>
  (await db.select().from(shopOrder).where(eq(shopOrder.orderNumber, orderNumber)))[0]

export async function orderNumbersOf(db: Reader, ids: readonly OrderId[]): Promise<Map<OrderId, OrderNumber>> {
  const rows = ids.length
    ? await db
        .select({ id: shopOrder.id, number: shopOrder.orderNumber })
        .from(shopOrder)
        .where(inArray(shopOrder.id, [...ids]))
    : []
  return new Map(rows.map(({ id, number }) => [id, number]))
}

export const findOrderByExternalId = async (db: Reader, externalId: string): Promise<Order | undefined> =>
  (await db.select().from(shopOrder).where(eq(shopOrder.externalId, externalId)))[0]

/** The order that a payment made, or whose change it paid. */
export async function findOrderOfPayment(db: Reader, paymentKey: PaymentKey): Promise<PaidOrder | undefined> {
  const ofChange = db
    .select({ id: orderChange.orderId })
    .from(orderChange)
    .where(eq(orderChange.paymentKey, paymentKey))
  const [order = (await db.select().from(shopOrder).where(inArray(shopOrder.id, ofChange)))[0]] = await db
    .select()
    .from(shopOrder)
    .where(eq(shopOrder.paymentKey, paymentKey))
  return order && isSale(order) ? order : undefined
}

/** All payments of an order: the one that made it, then those of its changes. */
export async function listPaymentKeys(
  db: Reader,
  { id, paymentKey }: Pick<Order, 'id' | 'paymentKey'>,
): Promise<PaymentKey[]> {
  const rows = await db
    .select({ key: orderChange.paymentKey })
    .from(orderChange)
    .where(eq(orderChange.orderId, id))
    .orderBy(asc(orderChange.id))
  return [paymentKey, ...rows.map(({ key }) => key)].flatMap((key) => key ?? [])
}

export const listOrdersById = (db: Reader, ids: readonly OrderId[]): Promise<Order[]> =>
  db
    .select()
    .from(shopOrder)
    .where(inArray(shopOrder.id, [...ids]))

/** The orders that these payments or checkouts became; again for each payment of a change. */
export async function listOrdersFrom(
  db: Reader,
  keys: readonly PaymentKey[],
  checkouts: readonly CheckoutId[],
): Promise<Pick<Order, 'id' | 'paymentKey' | 'checkoutId'>[]> {
  const columns = { id: shopOrder.id, checkoutId: shopOrder.checkoutId }
  const made = await db
    .select({ ...columns, paymentKey: shopOrder.paymentKey })
    .from(shopOrder)
    .where(or(inArray(shopOrder.paymentKey, [...keys]), inArray(shopOrder.checkoutId, [...checkouts])))
  const changed = await db
    .select({ ...columns, paymentKey: orderChange.paymentKey })
    .from(orderChange)
    .innerJoin(shopOrder, eq(shopOrder.id, orderChange.orderId))
    .where(inArray(orderChange.paymentKey, [...keys]))
  return [...made, ...changed.flatMap(({ paymentKey, ...row }) => (paymentKey ? { ...row, paymentKey } : []))]
}

/** A query of the ids of orders changed since then. */
export const ordersChangedSince = (since: Date): SQL =>
  sql`select ${shopOrder.id} from ${shopOrder} where ${shopOrder.updatedAt} >= ${since}`

/** A query of the ids of orders with these numbers. @param numbers one, or a query of some */
export const ordersNumbered = (numbers: SQL): SQL =>
  sql`select ${shopOrder.id} from ${shopOrder} where ${shopOrder.orderNumber} in (${numbers})`

export const listOrderLines = async (db: Reader, orderId: OrderId): Promise<OrderLine[]> =>
  (await listLinesEver(db, orderId)).filter(({ quantity }) => quantity > 0)

/** Also lines that a change removed. */
export const listLinesEver = (db: Reader, orderId: OrderId): Promise<OrderLine[]> =>
  db.select().from(orderLine).where(eq(orderLine.orderId, orderId)).orderBy(asc(orderLine.position))

/**
 * Orders that should have reached the printer by now, oldest first: their time for changes has ended. Disputed and refunded orders are not made, so they are left out.
 * @param after the last order of the previous page
 */
export const listUnsubmitted = (
  db: Reader,
  before: Date,
  limit: number,
  after?: Pick<Order, 'createdAt' | 'id'>,
): Promise<Order[]> =>
  db
    .select()
    .from(shopOrder)
    .where(
      and(
        eq(shopOrder.fulfillmentStatus, 'waiting'),
        inArray(shopOrder.paymentStatus, [...madeStatuses]),
        lte(shopOrder.changeableUntil, before),
        after &&
          sql`(${shopOrder.createdAt}, ${shopOrder.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(shopOrder.createdAt), asc(shopOrder.id))
    .limit(limit)

/**
 * Moves an order forward, never back: transitions that its status table does not allow are ignored. A reason for the owner is
 * stored either way.
 * @param order locked
 * @returns whether the status changed
 */
export async function moveFulfillment(
  tx: Tx,
  { id, fulfillmentStatus }: Pick<Order, 'id' | 'fulfillmentStatus'>,
  to: FulfillmentStatus,
  now: Date,
  also: { printfulOrderId?: number; attentionReason?: string | null; partnerAskedAt?: Date } = {},
): Promise<boolean> {
  const moves = fulfillmentCanBecome(fulfillmentStatus, to)
  if (!moves && !also.printfulOrderId && !also.attentionReason) return false
  const update = tx
    .update(shopOrder)
    .set({
      ...(moves && { fulfillmentStatus: to, attentionReason: null, heldAt: null }),
      ...(also.attentionReason && { attentionReason: also.attentionReason }),
      ...(also.printfulOrderId && { printfulOrderId: also.printfulOrderId }),
      ...(also.partnerAskedAt && { partnerAskedAt: also.partnerAskedAt }),
      updatedAt: now,
    })
    .where(eq(shopOrder.id, id))
  if (moves)
    await combineWrites(tx, update, tx.insert(orderStep).values({ orderId: id, fulfillmentStatus: to, takenAt: now }))
  else await update
  return moves
}

/**
 * Puts an order back in the printer's queue; only the owner can.
 * @param externalId a new one, unknown to the printer, when the old one is taken
 */
export async function restartFulfillment(
  tx: Tx,
  { id, externalId: current }: Order,
  externalId: string,
  now: Date,
): Promise<void> {
  const isNew = externalId !== current
  await tx
    .update(shopOrder)
    .set({
      fulfillmentStatus: 'waiting',
      attentionReason: null,
      heldAt: null,
      updatedAt: now,
      ...(isNew && { externalId, printfulOrderId: null, partnerTriedAt: null }),
    })
    .where(eq(shopOrder.id, id))
  await tx.insert(orderStep).values({ orderId: id, fulfillmentStatus: 'waiting', takenAt: now })
}

/** Changes the external id without changing the status. @param externalId unknown to the printer */
export const replaceExternalId = (tx: Tx, { id }: Pick<Order, 'id'>, externalId: string, now: Date) =>
  tx
    .update(shopOrder)
    .set({ externalId, printfulOrderId: null, partnerTriedAt: null, updatedAt: now })
    .where(eq(shopOrder.id, id))

/** Ends the shopper's time to change an order, unless it is over. @param order locked */
export async function endChangeWindow(tx: Tx, order: Order, now: Date): Promise<Order> {
  if (order.changeableUntil <= now) return order
  await tx.update(shopOrder).set({ changeableUntil: now, updatedAt: now }).where(eq(shopOrder.id, order.id))
  return { ...order, changeableUntil: now }
}

export const correctEmailOf = (tx: Tx, { id }: Pick<Order, 'id'>, email: string, now: Date) =>
  tx.update(shopOrder).set({ customerEmail: email, updatedAt: now }).where(eq(shopOrder.id, id))

export const addCorrection = (tx: Tx, row: typeof orderCorrection.$inferInsert) =>
  tx.insert(orderCorrection).values(row)

/** The version of an order that somebody looks at: every correction and change makes another. */
export const countCorrections = (db: Reader, { id }: Pick<Order, 'id'>): Promise<number> =>
  db.$count(orderCorrection, eq(orderCorrection.orderId, id))

/** Follows payments and refunds, also back to `paid` when a refund fails later. @returns whether it changed */
export async function setPaymentStatus(tx: Tx, order: Order, to: PaymentStatus, now: Date): Promise<boolean> {
  if (order.paymentStatus === to) return false
  assert(paymentCanBecome(order.paymentStatus, to), `${order.paymentStatus} cannot become ${to}`)
  await tx.update(shopOrder).set({ paymentStatus: to, updatedAt: now }).where(eq(shopOrder.id, order.id))
  return true
}

/** Locks an order until the transaction ends, so concurrent webhooks do not both send an email. */
export async function lockOrder(tx: Tx, id: OrderId): Promise<Order> {
  const [order] = await tx.select().from(shopOrder).where(eq(shopOrder.id, id)).for('update')
  assert(order, `order ${id} does not exist`)
  return order
}
