import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { underWayStatuses } from '#domain/orders/progress.ts'
import { madeStatuses, type FulfillmentStatus } from '#domain/orders/status.ts'
import { readTracking, type TrackingStep } from '#domain/orders/tracking.ts'
import type { OrderId, OrderNumber } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderLine, orderStep, shipment, shopOrder, trackingEvent } from '#server/orders/schema.ts'
import type { PrinterParcelStatus, PrinterShipment } from '#server/providers/printful/client.ts'
import type { Order, OrderLine } from './orders.ts'

// What fulfillment learns and records about an order and its parcels.

export type Shipment = typeof shipment.$inferSelect

/** Adds parcels; known ones stay unchanged. @returns the new ones */
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

/** In the order they were shipped. */
export const listShipments = (db: Reader, orderId: OrderId): Promise<Shipment[]> =>
  db.select().from(shipment).where(eq(shipment.orderId, orderId)).orderBy(asc(shipment.shippedAt), asc(shipment.id))

/** What is new about parcels, by their id. `step`: the carrier's latest news, where it is new and the parcel still on its way. */
export type ParcelNews = { arrived: ReadonlySet<number>; steps: ReadonlyMap<number, TrackingStep> }

/**
 * Stores deliveries, returns and what carriers reported; stored dates never change. Parcels that the order does not have are ignored.
 * @param now used when the printer sends no date
 */
export async function recordParcelOutcomes(
  tx: Tx,
  orderId: OrderId,
  outcomes: readonly PrinterParcelStatus[],
  now: Date,
): Promise<ParcelNews> {
  const arrived = new Set<number>()
  const steps = new Map<number, TrackingStep>()
  const known = new Set((await listShipments(tx, orderId)).map(({ id }) => id))
  for (const { shipmentId, isReturned, isDelivered, deliveredAt, events, estimate } of outcomes) {
    if (!known.has(shipmentId)) continue
    const step = await recordEvents(tx, shipmentId, events, now)
    if (step && !isReturned && !isDelivered) steps.set(shipmentId, step)
    await tx
      .update(shipment)
      .set({ reportedAt: now, ...(estimate && { estimatedFrom: estimate.from, estimatedTo: estimate.to }) })
      .where(eq(shipment.id, shipmentId))
    const thisParcel = (...more: Parameters<typeof and>) =>
      and(eq(shipment.id, shipmentId), eq(shipment.orderId, orderId), ...more)
    if (isReturned)
      await tx
        .update(shipment)
        .set({ returnedAt: now })
        .where(thisParcel(isNull(shipment.returnedAt)))
    if (!isDelivered) continue
    const rows = await tx
      .update(shipment)
      .set({ deliveredAt: deliveredAt ?? now })
      .where(thisParcel(isNull(shipment.deliveredAt)))
      .returning({ id: shipment.id })
    if (rows.length > 0) arrived.add(shipmentId)
  }
  return { arrived, steps }
}

/** @returns the latest step, if it was not stored before */
async function recordEvents(
  tx: Tx,
  shipmentId: number,
  reported: PrinterParcelStatus['events'],
  now: Date,
): Promise<TrackingStep | undefined> {
  // A carrier's clock may be ahead, but not by days.
  const events = reported.filter(({ happenedAt }) => happenedAt < after(now, DAY_MS))
  if (events.length === 0) return undefined
  const added = await tx
    .insert(trackingEvent)
    .values(events.map((event) => ({ ...event, shipmentId })))
    .onConflictDoNothing()
    .returning()
  const latest = added.toSorted((a, b) => b.happenedAt.getTime() - a.happenedAt.getTime())[0]
  const isNewest = latest && events.every(({ happenedAt }) => happenedAt <= latest.happenedAt)
  return isNewest ? readTracking(latest.description).step : undefined
}

export type TrackingEvent = typeof trackingEvent.$inferSelect

/** What carriers reported about the parcels of orders, the latest first. */
export const listTrackingEvents = (db: Reader, shipmentIds: readonly number[]): Promise<TrackingEvent[]> =>
  shipmentIds.length > 0
    ? db
        .select()
        .from(trackingEvent)
        .where(inArray(trackingEvent.shipmentId, [...shipmentIds]))
        .orderBy(desc(trackingEvent.happenedAt), asc(trackingEvent.description))
    : Promise.resolve([])

/** The first email of its kind sets the flag. */
export async function markMailsSent(tx: Tx, orderId: OrderId, sent: { tracking: boolean; delivery: boolean }) {
  if (!sent.tracking && !sent.delivery) return
  await tx
    .update(shopOrder)
    .set({
      ...(sent.tracking && { trackingNotificationSent: true }),
      ...(sent.delivery && { deliveryNotificationSent: true }),
    })
    .where(eq(shopOrder.id, orderId))
}

/** Records the first try of a submission. @returns the order with its current address; undefined when it was tried before */
export const recordAttempt = async (tx: Tx, orderId: OrderId, now: Date): Promise<Order | undefined> =>
  (
    await tx
      .update(shopOrder)
      .set({ partnerTriedAt: now })
      .where(and(eq(shopOrder.id, orderId), isNull(shopOrder.partnerTriedAt), lte(shopOrder.changeableUntil, now)))
      .returning()
  )[0]

/**
 * Call before confirming a draft. A later correction sees from the time that the printer may be making it, and cancels it there first.
 * @returns the current order; undefined when it no longer waits or was corrected
 */
export const claimForConfirmation = async (
  tx: Tx,
  { id, externalId }: Pick<Order, 'id' | 'externalId'>,
  now: Date,
): Promise<Order | undefined> =>
  (
    await tx
      .update(shopOrder)
      .set({ partnerAskedAt: now })
      .where(
        and(
          eq(shopOrder.id, id),
          eq(shopOrder.externalId, externalId),
          eq(shopOrder.fulfillmentStatus, 'waiting'),
          lte(shopOrder.changeableUntil, now),
        ),
      )
      .returning()
  )[0]

/** Orders that became delivered from a moment to another, the earliest first; some may have become something else since. */
export const listDelivered = (
  db: Reader,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<{ order: Order; deliveredAt: Date }[]> =>
  db
    .select({ order: shopOrder, deliveredAt: orderStep.takenAt })
    .from(orderStep)
    .innerJoin(shopOrder, eq(shopOrder.id, orderStep.orderId))
    .where(and(eq(orderStep.fulfillmentStatus, 'delivered'), gte(orderStep.takenAt, from), lt(orderStep.takenAt, to)))
    .orderBy(asc(orderStep.takenAt), asc(orderStep.id))
    .limit(limit)

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
 * Submitted orders that are due for a check, least recently checked first.
 * @param moments `since`: older orders are ignored
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

/** Orders that a parcel came back of since a moment. */
export const listOrdersWithReturns = async (db: Reader, since: Date): Promise<OrderId[]> =>
  (
    await db
      .selectDistinct({ id: shipment.orderId })
      .from(shipment)
      .where(gt(shipment.returnedAt, since))
      .orderBy(asc(shipment.orderId))
  ).map(({ id }) => id)

/** Orders of which something is still expected, by id. */
export const listOrdersUnderWay = async (
  db: Reader,
  { from, to, beyond, limit }: { from: Date; to: Date; beyond: number; limit: number },
): Promise<OrderId[]> =>
  (
    await db
      .select({ id: shopOrder.id })
      .from(shopOrder)
      .where(
        and(
          inArray(shopOrder.fulfillmentStatus, [...underWayStatuses]),
          inArray(shopOrder.paymentStatus, [...madeStatuses]),
          gt(shopOrder.createdAt, from),
          lt(shopOrder.createdAt, to),
          gt(shopOrder.id, beyond as OrderId),
        ),
      )
      .orderBy(asc(shopOrder.id))
      .limit(limit)
  ).map(({ id }) => id)

/** Gives a parcel up as lost, unless it arrived or came back. @returns whether it was not given up before */
export const recordLoss = async (tx: Tx, shipmentId: number, now: Date): Promise<boolean> =>
  (
    await tx
      .update(shipment)
      .set({ lostAt: now })
      .where(
        and(
          eq(shipment.id, shipmentId),
          isNull(shipment.lostAt),
          isNull(shipment.deliveredAt),
          isNull(shipment.returnedAt),
        ),
      )
      .returning({ id: shipment.id })
  ).length > 0
