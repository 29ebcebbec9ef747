import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { FulfillmentStatus } from '#domain/orders/status.ts'
import type { OrderId, OrderNumber } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderLine, printerOrder, shipment, shopOrder } from '#server/db/schema.ts'
import type { Order, OrderLine } from '#server/orders/orders.ts'
import type { PrinterParcelStatus, PrinterShipment } from '#server/providers/printful/client.ts'

export type Shipment = typeof shipment.$inferSelect

/** Appends parcels; those that are known already are left as they are: parcels are never replaced. @returns the new ones */
export async function appendShipments(
  tx: Tx,
  orderId: OrderId,
  parcels: readonly PrinterShipment[],
): Promise<ReadonlySet<number>> {
  if (parcels.length === 0) return new Set()
  const added = await tx
    .insert(shipment)
    .values(parcels.map((parcel) => ({ ...parcel, orderId })))
    .onConflictDoNothing()
    .returning({ id: shipment.id })
  return new Set(added.map(({ id }) => id))
}

/** In the order in which they left. */
export const listShipments = (db: Reader, orderId: OrderId): Promise<Shipment[]> =>
  db.select().from(shipment).where(eq(shipment.orderId, orderId)).orderBy(asc(shipment.shippedAt), asc(shipment.id))

/**
 * Notes what became of parcels; what was noted once stays.
 * @param now stands in for a date that the partner did not give
 * @returns the parcels that are known to have arrived since
 */
export async function recordParcelOutcomes(
  tx: Tx,
  orderId: OrderId,
  outcomes: readonly PrinterParcelStatus[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const arrived = new Set<number>()
  for (const { shipmentId, isReturned, isDelivered, deliveredAt } of outcomes) {
    const mine = (...more: Parameters<typeof and>) =>
      and(eq(shipment.id, shipmentId), eq(shipment.orderId, orderId), ...more)
    if (isReturned)
      await tx
        .update(shipment)
        .set({ returnedAt: now })
        .where(mine(isNull(shipment.returnedAt)))
    if (!isDelivered) continue
    const rows = await tx
      .update(shipment)
      .set({ deliveredAt: deliveredAt ?? now })
      .where(mine(isNull(shipment.deliveredAt)))
      .returning({ id: shipment.id })
    if (rows.length > 0) arrived.add(shipmentId)
  }
  return arrived
}

/** A flag is set by the first mail of its kind. */
export async function flagMails(tx: Tx, orderId: OrderId, sent: { tracking: boolean; delivery: boolean }) {
  if (!sent.tracking && !sent.delivery) return
  await tx
    .update(shopOrder)
    .set({
      ...(sent.tracking && { trackingNotificationSent: true }),
      ...(sent.delivery && { deliveryNotificationSent: true }),
    })
    .where(eq(shopOrder.id, orderId))
}

/** Before the first try; later ones change nothing. @returns the order as it is then, its address included; undefined when it was tried */
export const recordAttempt = async (tx: Tx, orderId: OrderId, now: Date): Promise<Order | undefined> =>
  (
    await tx
      .update(shopOrder)
      .set({ partnerTriedAt: now })
      .where(and(eq(shopOrder.id, orderId), isNull(shopOrder.partnerTriedAt)))
      .returning()
  )[0]

/**
 * Before a draft is confirmed: it is still this order's, under this external id. A correction that comes later sees by the
 * moment that the partner may be making it, and stops it there first.
 * @returns the order as it is then; undefined when it does not wait any more, or was corrected
 */
export const claimConfirming = async (
  tx: Tx,
  { id, externalId }: Pick<Order, 'id' | 'externalId'>,
  now: Date,
): Promise<Order | undefined> =>
  (
    await tx
      .update(shopOrder)
      .set({ partnerAskedAt: now })
      .where(
        and(eq(shopOrder.id, id), eq(shopOrder.externalId, externalId), eq(shopOrder.fulfillmentStatus, 'waiting')),
      )
      .returning()
  )[0]

export const recordHold = (tx: Tx, orderId: OrderId, now: Date) =>
  tx.update(shopOrder).set({ heldAt: now }).where(eq(shopOrder.id, orderId))

export const recordCost = (tx: Tx, orderId: OrderId, cost: Cents) =>
  tx.update(shopOrder).set({ partnerCostCents: cost }).where(eq(shopOrder.id, orderId))

export const recordLineCost = (tx: Tx, { orderId, position }: OrderLine, cost: Cents | null) =>
  tx
    .update(orderLine)
    .set({ partnerCostCents: cost })
    .where(and(eq(orderLine.orderId, orderId), eq(orderLine.position, position)))

export const recordCheck = (tx: Tx, orderId: OrderId, now: Date) =>
  tx.update(shopOrder).set({ partnerAskedAt: now }).where(eq(shopOrder.id, orderId))

const BEING_MADE: readonly FulfillmentStatus[] = [
  'submitted',
  'in_production',
  'partially_shipped',
  'on_hold',
  'needs_attention',
]

const lastCheckedBefore = (moment: Date, states: readonly FulfillmentStatus[]) =>
  and(
    inArray(shopOrder.fulfillmentStatus, [...states]),
    or(isNull(shopOrder.partnerAskedAt), lt(shopOrder.partnerAskedAt, moment)),
  )

type OrderWithoutNews = { id: OrderId; externalId: string; orderNumber: OrderNumber }

/**
 * Orders that the partner has, and was not asked about since; those that were asked about longest ago come first.
 * @param since in `moments`: older orders are given up
 */
export const listOrdersWithoutNews = (
  db: Reader,
  moments: { making: Date; onTheWay: Date; over: Date; since: Date; limit: number },
): Promise<OrderWithoutNews[]> =>
  db
    .select({ id: shopOrder.id, externalId: shopOrder.externalId, orderNumber: shopOrder.orderNumber })
    .from(shopOrder)
    .where(
      and(
        gt(shopOrder.createdAt, moments.since),
        isNotNull(shopOrder.printfulOrderId),
        or(
          lastCheckedBefore(moments.making, BEING_MADE),
          lastCheckedBefore(moments.onTheWay, ['shipped']),
          lastCheckedBefore(moments.over, ['delivered', 'returned']),
        ),
      ),
    )
    .orderBy(sql`${shopOrder.partnerAskedAt} nulls first`)
    .limit(moments.limit)

/** The printer's last known word for an order; null where it was never heard to have it. */
export const findPrinterStatus = async (db: Reader, externalId: string): Promise<string | null> =>
  (
    await db
      .select({ status: printerOrder.status })
      .from(printerOrder)
      .where(eq(printerOrder.externalId, externalId))
      .orderBy(desc(printerOrder.id))
      .limit(1)
  )[0]?.status ?? null
