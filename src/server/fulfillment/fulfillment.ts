import { dayOf } from '#domain/catalog/arrival.ts'
import { deliveryToTell } from '#domain/orders/lateness.ts'
import { giftNoteOf, recipientNameOf } from '#domain/orders/gift.ts'
import { unsentOf } from '#domain/orders/parcels.ts'
import { isPrinterStatus, fulfillmentStatusFrom } from '#domain/orders/printer-status.ts'
import { mayBeMade, type FulfillmentStatus } from '#domain/orders/status.ts'
import { attentionReason } from '#domain/orders/attention.ts'
import { isMailed } from '#domain/orders/tracking.ts'
import type { OrderId, VariantId } from '#shared/ids.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { type Reader, type Tx, autocommitWrite } from '#server/db/db.ts'
import { listNumbered } from '#server/drops/certificates.ts'
import {
  mailCanceledLater,
  mailDeliveredLater,
  mailOnHoldLater,
  mailShippedLater,
  mailTrackingLater,
} from '#server/orders/mails.ts'
import {
  findOrder,
  findOrderByExternalId,
  listOrderLines,
  listUnsubmitted,
  lockOrder,
  moveFulfillment,
  type Order,
  type OrderLine,
} from '#server/orders/orders.ts'
import { arrivalOf, estimateOf } from '#server/orders/arrival.ts'
import { goodsOf, needsAddress } from '#server/orders/order-view.ts'
import { meaningOf } from '#server/providers/event-types.ts'
import type { PrinterParcelStatus, PrinterOrder, PrinterOrderRequest } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { cancelAtPrinter } from './cancellation.ts'
import { bookPrinterCost } from './costs.ts'
import {
  appendShipments,
  claimForConfirmation,
  markMailsSent,
  listOrdersWithoutNews,
  listShipments,
  recordCheck,
  recordParcelOutcomes,
  recordAttempt,
  type ParcelNews,
  type Shipment,
} from '#server/orders/production.ts'
import { refundedOrRequestedOf } from '#server/orders/refunds.ts'

type FulfillmentNeeds = Needs<'db' | 'clock' | 'printful' | 'jobs' | 'config' | 'log'>

/**
 * Queues the order's submission to the printer for the end of its time for changes, if the caller's transaction commits. Ending that
 * time early queues another job.
 */
export function submitOrderLater(
  { jobs, clock }: Needs<'jobs' | 'clock'>,
  tx: Tx,
  { id: orderId, changeableUntil }: Pick<Order, 'id' | 'changeableUntil'>,
): Promise<void> {
  const waitsMs = changeableUntil.getTime() - clock.now().getTime()
  const data = { orderId, dueAt: changeableUntil.getTime() }
  return jobs.enqueue(tx, 'submit-order', data, waitsMs > 0 ? changeableUntil : undefined)
}

/**
 * Submits an order to the printer: draft, compare, confirm. The printer has no idempotency keys, only a unique external id, so every
 * retry looks the order up before creating it, also after an error, which may hide a success.
 * @throws ProviderUnavailable to make the job retry
 */
export async function submitOrder(shop: FulfillmentNeeds, orderId: OrderId): Promise<void> {
  const { db, printful, clock } = shop
  const found = await findOrder(db, orderId)
  if (found?.fulfillmentStatus === 'cancelled') return stopAtPrinter(shop, orderId)
  if (!isToBeMade(found) || clock.now() < found.changeableUntil) return

  const first = found.partnerTriedAt
    ? undefined
    : await autocommitWrite(db, (tx) => recordAttempt(tx, orderId, clock.now()))
  // Read again if another worker has started or the address was corrected.
  const order = first ?? (found.partnerTriedAt ? found : await findOrder(db, orderId))
  if (!isToBeMade(order) || clock.now() < order.changeableUntil) return
  // Read after the attempt is recorded: a later change gives the order another external id, which the confirmation notices.
  const lines = await listOrderLines(db, orderId)
  try {
    // The first try needs no lookup.
    const known = first ? undefined : await printful.findOrder(order.externalId, 'submission')
    const drafted = known ?? (await draftOnce(shop, order, lines))
    if (drafted.status === 'canceled') return await needsAttention(shop, order, 'The printer has canceled this order.')
    if (!sameLines(drafted, lines))
      return await needsAttention(shop, order, 'The printer’s order has other items than were paid for.')

    // It may have been refunded or its address corrected during the call.
    if (!isToBeMade(await autocommitWrite(db, (tx) => claimForConfirmation(tx, order, clock.now())))) return
    // A failed order is waiting only because the owner resubmitted it.
    const isOpen = drafted.status === 'draft' || drafted.status === 'failed'
    const confirmed = isOpen ? await confirmOnce(shop, order, drafted) : drafted
    const before = await applyPrinterOrder(shop, order, confirmed)
    // Canceled here just before the confirmation, when there was nothing to cancel at the printer yet.
    if (before === 'cancelled') await stopAtPrinter(shop, orderId)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await needsAttention(shop, order, attentionReason('The printer refused it', error.message))
  }
}

/**
 * Cancels an order at the printer. If that comes too late, the order follows the printer at once, so that the owner learns of it.
 * @throws ProviderUnavailable to make the job retry
 */
export async function stopAtPrinter(shop: FulfillmentNeeds, orderId: OrderId): Promise<void> {
  const made = await cancelAtPrinter(shop, orderId)
  if (made) await followPrinterOrder(shop, made.externalId)
}

/**
 * The job of a paid order. During an outage of the printer, orders are left to `submitWaiting`, which sends them in order of payment as
 * soon as it is over; separate jobs would retry up to ten minutes later.
 * @throws ProviderUnavailable to make the job retry after a single missing answer
 */
export async function submitPaid(shop: FulfillmentNeeds, orderId: OrderId): Promise<void> {
  try {
    await submitOrder(shop, orderId)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) || !shop.printful.isDown()) throw error
    await shop.db.transaction((tx) => submitWaitingLater(shop, tx))
  }
}

/** Queues the submission of all waiting orders, if the caller's transaction commits. */
export const submitWaitingLater = ({ jobs }: Needs<'jobs'>, tx: Tx): Promise<void> =>
  jobs.enqueue(tx, 'submit-waiting', {})

/**
 * Submits waiting orders in order of payment. One that fails does not hold up the others.
 * @throws ProviderUnavailable while the printer is down; the rest waits for the retry
 */
export async function submitWaiting(shop: FulfillmentNeeds): Promise<void> {
  let last: Order | undefined
  for (;;) {
    const waiting = await listUnsubmitted(shop.db, shop.clock.now(), BATCH, last)
    for (const order of waiting) {
      try {
        await submitOrder(shop, order.id)
      } catch (error) {
        if (error instanceof ProviderUnavailable) throw error
        shop.log.error({ err: error, orderNumber: order.orderNumber }, 'could not submit an order to the printer')
      }
    }
    last = waiting.at(-1)
    if (waiting.length < BATCH) return
  }
}

/** Refunded or disputed orders are not produced; a dispute must be decided first. */
const isToBeMade = (order: Order | undefined): order is Order =>
  order?.fulfillmentStatus === 'waiting' && hasItsMoney(order)

const hasItsMoney = ({ paymentStatus }: Order): boolean => mayBeMade(paymentStatus)

async function confirmOnce(
  { printful }: FulfillmentNeeds,
  { externalId }: Order,
  { id }: PrinterOrder,
): Promise<PrinterOrder> {
  try {
    return await printful.confirmOrder(id)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // Another worker may have just confirmed it.
    const now = await printful.findOrder(externalId)
    if (now && now.status !== 'draft') return now
    throw error
  }
}

async function draftOnce(
  { db, printful }: FulfillmentNeeds,
  order: Order,
  lines: readonly OrderLine[],
): Promise<PrinterOrder> {
  try {
    return await printful.createDraft(toPrinterOrder(order, lines, await slipMessageOf(db, order)))
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // Another worker, or a try whose answer was lost, may have just created it.
    const existing = await printful.findOrder(order.externalId)
    if (existing) return existing
    throw error
  }
}

/** The numbers of limited pieces, for the packing slip: nothing of the piece itself is printed for one buyer alone. */
export async function slipMessageOf(db: Reader, { id }: Pick<Order, 'id'>): Promise<string | undefined> {
  const numbers = (await listNumbered(db, id)).filter(({ state }) => state === 'issued')
  return numbers.map(({ title, label }) => `${title}: ${label}`).join('\n') || undefined
}

type PaidOrder = Pick<
  Order,
  | 'externalId'
  | 'customerName'
  | 'customerEmail'
  | 'customerPhone'
  | 'texts'
  | 'taxNumber'
  | 'shippingAddress'
  | 'subtotalCents'
  | 'shippingCents'
  | 'taxCents'
>
type PaidLine = Pick<OrderLine, 'position' | 'variantId' | 'quantity' | 'unitPrice' | 'productName'>

/** The printer's order: the paid lines, to the address they were priced for. */
export function toPrinterOrder(
  order: PaidOrder,
  lines: readonly PaidLine[],
  slipMessage?: string,
): PrinterOrderRequest {
  const { externalId, customerEmail: email, customerPhone: phone, taxNumber, shippingAddress: address } = order
  return {
    externalId,
    recipient: { name: recipientNameOf(order), email, phone, taxNumber, address },
    giftNote: giftNoteOf(order),
    slipMessage,
    lines: lines.map(({ position, variantId, quantity, unitPrice, productName }) => ({
      externalLineId: `${externalId}-${position + 1}`,
      variantId,
      quantity,
      ...(unitPrice > ZERO && { unitPrice }),
      name: productName,
    })),
    amounts: { subtotal: order.subtotalCents, shipping: order.shippingCents, tax: order.taxCents },
  }
}

/** Whether the printer's order has the same variants and quantities as were paid for. */
function sameLines({ lines: theirs }: PrinterOrder, ours: readonly OrderLine[]): boolean {
  const count = (lines: readonly { variantId: VariantId; quantity: number }[]) => {
    const pieces = new Map<VariantId, number>()
    for (const { variantId, quantity } of lines) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
    return pieces
  }
  const [paid, ordered] = [count(ours), count(theirs)]
  return paid.size === ordered.size && [...paid].every(([variantId, quantity]) => ordered.get(variantId) === quantity)
}

async function needsAttention(shop: FulfillmentNeeds, order: Order, reason: string): Promise<void> {
  const { db, clock, log } = shop
  await db.transaction(async (tx) => {
    const now = clock.now()
    const locked = await lockOrder(tx, order.id)
    if (locked.externalId !== order.externalId) return
    const moved = await moveFulfillment(tx, locked, 'needs_attention', now, { attentionReason: reason })
    const current = await findOrder(tx, order.id)
    if (moved && current && needsAddress(current)) await mailOnHoldLater(shop, tx, current, now)
  })
  log.error({ orderNumber: order.orderNumber, reason }, 'an order needs attention')
}

/** An unsigned event's content. The reason is only shown to the owner, never relied on. */
export type PrinterHint = { type: string; reason: string | null }

const isSentBack = (hint: PrinterHint | undefined): boolean =>
  hint !== undefined && meaningOf(hint.type) === 'sent_back'

/** The order's state in an event; null where missing. */
export type PrinterReport = { status: string | null; cost: Cents | null; parcels: number | null }

/**
 * Whether an event has nothing new: most are echoes of our own calls, and following each would cost a call. Event types with other news,
 * such as a returned parcel, are never known.
 */
export async function isKnown(
  db: Reader,
  externalId: string,
  type: string,
  { status, cost, parcels }: PrinterReport,
): Promise<boolean> {
  const order = await findOrderByExternalId(db, externalId)
  if (!order) return false
  // Only the shop creates orders.
  const meaning = meaningOf(type)
  if (meaning === 'ordered') return order.partnerTriedAt !== null
  if (meaning !== 'changed' || status === null || cost === null || parcels === null) return false
  const known = await listShipments(db, order.id)
  const reported = isPrinterStatus(status) ? fulfillmentStatusFrom(status, known) : undefined
  return reported === order.fulfillmentStatus && cost === order.partnerCostCents && parcels === known.length
}

/**
 * Reads an order from the printer and applies its state, never backwards. Used after events, which are unsigned and so never applied
 * directly.
 */
export async function followPrinterOrder(
  shop: FulfillmentNeeds,
  externalId: string,
  { hint, urgency }: { hint?: PrinterHint; urgency?: 'background' } = {},
): Promise<string> {
  const order = await findOrderByExternalId(shop.db, externalId)
  if (!order) return 'not our order'
  const theirs = await shop.printful.findOrder(externalId, urgency)
  if (!theirs) return 'unknown to the partner'
  const current = isDraftAgain(order, theirs) ? await confirmAgain(shop, order, theirs) : theirs
  await applyPrinterOrder(shop, order, current, hint)
  return current.status
}

/** After a hold for its costs an order is a draft again, and waits until it is confirmed a second time. */
const isDraftAgain = (order: Order, { status }: PrinterOrder): boolean =>
  status === 'draft' &&
  ['submitted', 'on_hold'].includes(order.fulfillmentStatus) &&
  order.heldAt === null &&
  hasItsMoney(order)

async function confirmAgain(shop: FulfillmentNeeds, order: Order, drafted: PrinterOrder): Promise<PrinterOrder> {
  if (!sameLines(drafted, await listOrderLines(shop.db, order.id))) return drafted
  try {
    return await confirmOnce(shop, order, drafted)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await needsAttention(shop, order, attentionReason('The printer refused it', error.message))
    return drafted
  }
}

/** @returns the fulfillment status before */
async function applyPrinterOrder(
  shop: FulfillmentNeeds,
  { id, externalId }: Order,
  theirs: PrinterOrder,
  hint?: PrinterHint,
): Promise<FulfillmentStatus> {
  const { db, clock } = shop
  const outcomes = await outcomesOf(shop, id, externalId, theirs, hint)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const order = await lockOrder(tx, id)
    // If the owner has resubmitted it in the meantime, this is about the previous submission.
    if (order.externalId !== externalId) return order.fulfillmentStatus
    await bookPrinterCost(tx, order, theirs, now)
    const shipped = await appendShipments(tx, id, theirs.shipments)
    const news = await recordParcelOutcomes(tx, id, outcomes ?? [], now)
    const parcels = await listShipments(tx, id)
    const isLess = await makesLess(tx, order, theirs)
    // An unknown status changes nothing.
    const reported = isPrinterStatus(theirs.status)
      ? fulfillmentStatusFrom(theirs.status, parcels)
      : order.fulfillmentStatus
    const status = isLess && parcels.length === 0 ? 'needs_attention' : reported
    const moves = await moveFulfillment(tx, order, status, now, {
      printfulOrderId: theirs.id,
      partnerAskedAt: now,
      attentionReason: isLess ? MAKES_LESS : attentionOf(theirs, hint, outcomes !== undefined, parcels),
    })
    await mailShopper(tx, shop, order, { parcels, shipped, ...news, movedTo: moves ? status : null })
    return order.fulfillmentStatus
  })
}

const MAKES_LESS =
  'The printer is making fewer pieces than were paid for. Refund the missing ones, or have the printer make them.'

const BEING_MADE: ReadonlySet<PrinterOrder['status']> = new Set(['pending', 'inprocess', 'partial', 'fulfilled'])

/** Whether the printer dropped pieces, such as sold-out ones, that are not refunded yet. */
async function makesLess(tx: Tx, order: Order, { status, lines }: PrinterOrder): Promise<boolean> {
  // A new submission was compared before its confirmation, and an answer without lines proves nothing.
  if (order.fulfillmentStatus === 'waiting' || !BEING_MADE.has(status) || lines.length === 0) return false
  const missing = unsentOf(await listOrderLines(tx, order.id), [{ items: lines, reshipment: false }])
  return missing.length > 0 && (await refundedOrRequestedOf(tx, order)) === ZERO
}

/**
 * The delivery outcomes of parcels on their way, from Printful's v2 API, because v1 never reports deliveries.
 * @returns undefined when the token has no access: such an order stays `shipped`
 */
async function outcomesOf(
  { db, printful }: FulfillmentNeeds,
  id: OrderId,
  externalId: string,
  { shipments }: PrinterOrder,
  hint: PrinterHint | undefined,
): Promise<readonly PrinterParcelStatus[] | undefined> {
  if (shipments.length === 0 && !isSentBack(hint)) return []
  // A delivered parcel can still come back, which only an event reports.
  const finished = new Set((await listShipments(db, id)).filter(isOver).map((parcel) => parcel.id))
  if (!isSentBack(hint) && shipments.every((parcel) => finished.has(parcel.id))) return []
  return printful.findParcelStatuses(externalId)
}

const isOver = ({ deliveredAt, returnedAt }: Shipment): boolean => deliveredAt !== null || returnedAt !== null

/** Why the order needs attention; null if it does not. */
function attentionOf(
  { status, reason }: PrinterOrder,
  hint: PrinterHint | undefined,
  knowsOutcomes: boolean,
  parcels: readonly Shipment[],
): string | null {
  const explanation = hint?.reason ?? reason
  if (status === 'onhold') return attentionReason('The printer put it on hold', explanation)
  if (status === 'failed') return attentionReason('The printer could not process it', explanation)
  if (status === 'canceled') return attentionReason('The printer canceled it', explanation)
  const isBack = parcels.some(({ returnedAt }) => returnedAt !== null)
  if (isBack || (isSentBack(hint) && !knowsOutcomes))
    return `A parcel came back to the printer${explanation ? `: ${explanation}` : ''}. Ask the customer for a correct address and resubmit the order, or refund it.`
  return null
}

type OrderUpdate = {
  parcels: readonly Shipment[]
  /** Parcels that are new. */
  shipped: ReadonlySet<number>
  arrived: ParcelNews['arrived']
  steps: ParcelNews['steps']
  /** The new fulfillment status; null if unchanged. */
  movedTo: FulfillmentStatus | null
}

const STOPPED_STATUSES: ReadonlySet<FulfillmentStatus> = new Set(['cancelled', 'on_hold', 'needs_attention'])

/** Queues emails about parcels and about a stopped order, each once. */
async function mailShopper(
  tx: Tx,
  shop: FulfillmentNeeds,
  order: Order,
  { parcels, shipped, arrived, steps, movedTo }: OrderUpdate,
): Promise<void> {
  const now = shop.clock.now()
  const lines = parcels.length ? await listOrderLines(tx, order.id) : []
  const isAllSent = unsentOf(lines, parcels).length === 0
  const site = await readSiteSettings(tx)
  for (const [index, parcel] of parcels.entries()) {
    const mention = {
      ...parcel,
      items: goodsOf(parcel.items, lines),
      isLast: isAllSent && index === parcels.length - 1,
      isReplacement: parcel.reshipment || order.kind === 'replacement',
    }
    if (shipped.has(parcel.id)) {
      const arrives = arrivalOf(order, parcel, site, now).window ?? null
      await mailShippedLater(shop, tx, order, { ...mention, arrives }, now)
    }
    if (arrived.has(parcel.id)) await mailDeliveredLater(shop, tx, order, mention, now)
    const step = steps.get(parcel.id)
    if (step && isMailed(step, site.deliveryMails)) {
      const arrives = deliveryToTell(step, estimateOf(parcel), dayOf(now))
      await mailTrackingLater(shop, tx, order, { ...mention, step, arrives }, now)
    }
  }
  await markMailsSent(tx, order.id, { tracking: shipped.size > 0, delivery: arrived.size > 0 })
  if (movedTo === null || !STOPPED_STATUSES.has(movedTo)) return
  const current = await findOrder(tx, order.id)
  if (movedTo === 'cancelled' && current) await mailCanceledLater(shop, tx, current, now)
  if (current && needsAddress(current)) await mailOnHoldLater(shop, tx, current, now)
}

/** Sweeps between two checks of an order. By default 30 minutes, two hours, and a day for finished orders, which may still come back. */
const SWEEPS_BETWEEN = { making: 6, onTheWay: 24, over: 288 } as const
/** Orders older than this are no longer checked. */
const GIVE_UP_AFTER_MS = 90 * DAY_MS
const BATCH = 100

/**
 * Checks orders without recent news at the printer: its events are not always sent, and never report a delivery.
 * @returns how many were checked
 */
export async function followOrdersWithoutNews(shop: FulfillmentNeeds): Promise<number> {
  const { db, clock, config, log } = shop
  const now = clock.now()
  const quiet = await listOrdersWithoutNews(db, {
    making: after(now, -SWEEPS_BETWEEN.making * config.sweepIntervalMs),
    onTheWay: after(now, -SWEEPS_BETWEEN.onTheWay * config.sweepIntervalMs),
    over: after(now, -SWEEPS_BETWEEN.over * config.sweepIntervalMs),
    since: after(now, -GIVE_UP_AFTER_MS),
    limit: BATCH,
  })
  for (const { id, externalId, orderNumber } of quiet) {
    // Recorded first, so an order that fails moves behind the others.
    await autocommitWrite(db, (tx) => recordCheck(tx, id, now))
    try {
      await followPrinterOrder(shop, externalId, { urgency: 'background' })
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      log.error({ err: error, orderNumber }, 'could not check an order at the printer')
    }
  }
  return quiet.length
}
