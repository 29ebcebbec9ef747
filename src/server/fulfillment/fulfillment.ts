import { unsentOf } from '#domain/orders/parcels.ts'
import { isPrinterStatus, fulfillmentStatusFrom } from '#domain/orders/printer-status.ts'
import type { FulfillmentStatus } from '#domain/orders/status.ts'
import { attentionReason } from '#domain/orders/attention.ts'
import type { OrderId, VariantId } from '#shared/ids.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { type Reader, type Tx, autocommitWrite } from '#server/db/db.ts'
import { mailCanceledLater, mailDeliveredLater, mailOnHoldLater, mailShippedLater } from '#server/orders/mails.ts'
import {
  refundedOrRequestedOf,
  findOrder,
  findOrderByExternalId,
  listOrderLines,
  listUnsubmitted,
  lockOrder,
  moveFulfillment,
  type Order,
  type OrderLine,
} from '#server/orders/orders.ts'
import { goodsOf, needsAddress } from '#server/orders/order-view.ts'
import type { PrinterParcelStatus, PrinterOrder, PrinterOrderRequest } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { cancelAtPrinter } from './cancellation.ts'
import { bookPrinterCost } from './costs.ts'
import {
  appendShipments,
  claimConfirming,
  flagMails,
  listOrdersWithoutNews,
  listShipments,
  recordCheck,
  recordParcelOutcomes,
  recordAttempt,
  type Shipment,
} from './store.ts'

type FulfillmentNeeds = Needs<'db' | 'clock' | 'printful' | 'jobs' | 'config' | 'log'>

/** Has the order sent to the print partner once the caller's transaction commits. */
export const submitOrderLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId) =>
  jobs.enqueue(tx, 'submit-order', { orderId })

/**
 * Sends an order to the print partner: draft, compare, confirm. The partner has no idempotency key, only a unique
 * external id, so every try looks up before it makes anything - also after an error, which may hide a success.
 * @throws ProviderUnavailable the job tries again
 */
export async function submitOrder(shop: FulfillmentNeeds, orderId: OrderId): Promise<void> {
  const { db, printful, clock } = shop
  const found = await findOrder(db, orderId)
  if (found?.fulfillmentStatus === 'cancelled') return cancelAtPrinter(shop, orderId)
  if (!isToBeMade(found)) return

  const lines = await listOrderLines(db, orderId)
  const first = found.partnerTriedAt
    ? undefined
    : await autocommitWrite(db, (tx) => recordAttempt(tx, orderId, clock.now()))
  // Somebody else has begun meanwhile, or the address was corrected: it is sent as it is now.
  const order = first ?? (found.partnerTriedAt ? found : await findOrder(db, orderId))
  if (!isToBeMade(order)) return
  try {
    // What was never asked for is not there: the first try needs no look-up.
    const known = first ? undefined : await printful.findOrder(order.externalId, 'submission')
    const drafted = known ?? (await draftOnce(shop, order, lines))
    if (drafted.status === 'canceled') return await needsAttention(shop, order, 'The printer has canceled this order.')
    if (!sameLines(drafted, lines))
      return await needsAttention(shop, order, 'The printer’s lines are not the lines that were paid for.')

    // The money may have gone back while the partner was asked, or the address been corrected.
    if (!isToBeMade(await autocommitWrite(db, (tx) => claimConfirming(tx, order, clock.now())))) return
    // One that failed there waits here only because the owner sends it again.
    const isOpen = drafted.status === 'draft' || drafted.status === 'failed'
    const confirmed = isOpen ? await confirmOnce(shop, order, drafted) : drafted
    const before = await applyPrinterOrder(shop, order, confirmed)
    // Or between that question and the confirming: who canceled it then has found nothing to stop at the partner.
    if (before === 'cancelled') await cancelAtPrinter(shop, orderId)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    await needsAttention(shop, order, attentionReason('The printer refuses it', error.message))
  }
}

/**
 * The job behind a paid order. While the partner is away its orders are left to `submitWaiting`, which sends them in order of payment
 * as soon as it is back: as jobs of their own they would come back one by one, up to ten minutes later.
 * @throws ProviderUnavailable the job tries again: it was one answer that was missing
 */
export async function submitPaid(shop: FulfillmentNeeds, orderId: OrderId): Promise<void> {
  try {
    await submitOrder(shop, orderId)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) || !shop.printful.isDown()) throw error
    await shop.db.transaction((tx) => submitWaitingLater(shop, tx))
  }
}

/** Has everything that waits sent to the partner, in order of payment, once the caller's transaction commits. */
export const submitWaitingLater = ({ jobs }: Needs<'jobs'>, tx: Tx): Promise<void> =>
  jobs.enqueue(tx, 'submit-waiting', {})

/**
 * The job behind it. An order that cannot be sent does not keep the others.
 * @throws ProviderUnavailable the partner is (still) away: all that is left waits for the next try
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
        shop.log.error({ err: error, orderNumber: order.orderNumber }, 'an order could not be sent to the printer')
      }
    }
    last = waiting.at(-1)
    if (waiting.length < BATCH) return
  }
}

/** Nothing is made whose money went back, or is asked back by a bank: it waits until that is decided. */
const isToBeMade = (order: Order | undefined): order is Order =>
  order?.fulfillmentStatus === 'waiting' && hasItsMoney(order)

const hasItsMoney = ({ paymentStatus }: Order): boolean =>
  paymentStatus === 'paid' || paymentStatus === 'partially_refunded'

async function confirmOnce(
  { printful }: FulfillmentNeeds,
  { externalId }: Order,
  { id }: PrinterOrder,
): Promise<PrinterOrder> {
  try {
    return await printful.confirmOrder(id)
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // Another worker may have confirmed it a moment ago.
    const now = await printful.findOrder(externalId)
    if (now && now.status !== 'draft') return now
    throw error
  }
}

async function draftOnce(
  { printful }: FulfillmentNeeds,
  order: Order,
  lines: readonly OrderLine[],
): Promise<PrinterOrder> {
  try {
    return await printful.createDraft(toPrinterOrder(order, lines))
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // Another worker, or a try whose answer was lost, may have made it a moment ago.
    const made = await printful.findOrder(order.externalId)
    if (made) return made
    throw error
  }
}

type PaidOrder = Pick<
  Order,
  | 'externalId'
  | 'customerName'
  | 'customerEmail'
  | 'customerPhone'
  | 'taxNumber'
  | 'shippingAddress'
  | 'subtotalCents'
  | 'shippingCents'
  | 'taxCents'
>
type PaidLine = Pick<OrderLine, 'position' | 'variantId' | 'quantity' | 'unitPrice' | 'productName'>

/** What the partner is asked to make: what was paid for, to where it was priced. */
export function toPrinterOrder(order: PaidOrder, lines: readonly PaidLine[]): PrinterOrderRequest {
  const { externalId, customerName, customerEmail, customerPhone, taxNumber, shippingAddress } = order
  return {
    externalId,
    recipient: { name: customerName, email: customerEmail, phone: customerPhone, taxNumber, address: shippingAddress },
    lines: lines.map(({ position, variantId, quantity, unitPrice, productName }) => ({
      externalLineId: `${externalId}-${position + 1}`,
      variantId,
      quantity,
      unitPrice,
      name: productName,
    })),
    amounts: { subtotal: order.subtotalCents, shipping: order.shippingCents, tax: order.taxCents },
  }
}

/** What was paid for is what is printed: the same variants in the same numbers. */
function sameLines({ lines: theirs }: PrinterOrder, ours: readonly OrderLine[]): boolean {
  const count = (lines: readonly { variantId: VariantId; quantity: number }[]) => {
    const pieces = new Map<VariantId, number>()
    for (const { variantId, quantity } of lines) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
    return pieces
  }
  const [mine, yours] = [count(ours), count(theirs)]
  return mine.size === yours.size && [...mine].every(([variantId, quantity]) => yours.get(variantId) === quantity)
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

/** What an event of the partner says besides naming an order. Unsigned: the reason is read by the owner, and never believed. */
export type PrinterHint = { type: string; reason: string | null }

/** What an event says of an order besides what happened; null where it does not say. */
export type PrinterReport = { status: string | null; cost: Cents | null; parcels: number | null }

/**
 * Whether an event says what is known already: most of them are echoes of our own calls, and each would cost a call of its own.
 * One that tells of more than the order as it is, such as a parcel that came back, always makes us ask.
 */
export async function isKnown(
  db: Reader,
  externalId: string,
  type: string,
  { status, cost, parcels }: PrinterReport,
): Promise<boolean> {
  const order = await findOrderByExternalId(db, externalId)
  if (!order) return false
  // Only we make orders.
  if (type === 'order_created') return order.partnerTriedAt !== null
  if (type !== 'order_updated' || status === null || cost === null || parcels === null) return false
  const known = await listShipments(db, order.id)
  const standing = isPrinterStatus(status) ? fulfillmentStatusFrom(status, known) : undefined
  return standing === order.fulfillmentStatus && cost === order.partnerCostCents && parcels === known.length
}

/**
 * The partner says that something happened to an order. Its events are unsigned, so the order is asked for again;
 * what it says then is applied, never backwards.
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

/** After a hold for its costs an order is a draft again, and waits for ever unless it is confirmed a second time. */
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
    await needsAttention(shop, order, attentionReason('The printer refuses it', error.message))
    return drafted
  }
}

/** @returns where the order stood until then */
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
    // The owner may have sent it again meanwhile: then this is about the one before.
    if (order.externalId !== externalId) return order.fulfillmentStatus
    await bookPrinterCost(tx, order, theirs, now)
    const left = await appendShipments(tx, id, theirs.shipments)
    const arrived = await recordParcelOutcomes(tx, id, outcomes ?? [], now)
    const parcels = await listShipments(tx, id)
    const isLess = await makesLess(tx, order, theirs)
    // A word that we do not know moves nothing.
    const told = isPrinterStatus(theirs.status)
      ? fulfillmentStatusFrom(theirs.status, parcels)
      : order.fulfillmentStatus
    const standing = isLess && parcels.length === 0 ? 'needs_attention' : told
    const moves = await moveFulfillment(tx, order, standing, now, {
      printfulOrderId: theirs.id,
      partnerAskedAt: now,
      attentionReason: isLess ? MAKES_LESS : attentionOf(theirs, hint, outcomes !== undefined, parcels),
    })
    await mailShopper(tx, shop, order, { parcels, left, arrived, movedTo: moves ? standing : null })
    return order.fulfillmentStatus
  })
}

const MAKES_LESS =
  'The printer makes fewer pieces than were paid for. Refund the missing ones, or have them made at the printer.'

const BEING_MADE: ReadonlySet<PrinterOrder['status']> = new Set(['pending', 'inprocess', 'partial', 'fulfilled'])

/** Whether pieces were taken out of an order at the partner, such as sold out ones, and nobody has given money back yet. */
async function makesLess(tx: Tx, order: Order, { status, lines }: PrinterOrder): Promise<boolean> {
  // What has just been sent was compared before it was confirmed; an answer without lines says nothing of them.
  if (order.fulfillmentStatus === 'waiting' || !BEING_MADE.has(status) || lines.length === 0) return false
  const missing = unsentOf(await listOrderLines(tx, order.id), [{ items: lines, reshipment: false }])
  return missing.length > 0 && (await refundedOrRequestedOf(tx, order)) === ZERO
}

/**
 * What became of the parcels that are on their way. Version 1 of the partner's interface never says that, so the newer one is
 * asked where there is something to ask.
 * @returns undefined where the partner does not let us ask: such an order stays `shipped`
 */
async function outcomesOf(
  { db, printful }: FulfillmentNeeds,
  id: OrderId,
  externalId: string,
  { shipments }: PrinterOrder,
  hint: PrinterHint | undefined,
): Promise<readonly PrinterParcelStatus[] | undefined> {
  if (shipments.length === 0 && hint?.type !== 'package_returned') return []
  // What has arrived can come back later, and only an event tells of it.
  const settled = new Set((await listShipments(db, id)).filter(isOver).map((parcel) => parcel.id))
  if (hint?.type !== 'package_returned' && shipments.every((parcel) => settled.has(parcel.id))) return []
  return printful.findParcelStatuses(externalId)
}

const isOver = ({ deliveredAt, returnedAt }: Shipment): boolean => deliveredAt !== null || returnedAt !== null

/** Why somebody should look at it; null when nobody has to. */
function attentionOf(
  { status, reason }: PrinterOrder,
  hint: PrinterHint | undefined,
  knowsFates: boolean,
  parcels: readonly Shipment[],
): string | null {
  const explanation = hint?.reason ?? reason
  if (status === 'onhold') return attentionReason('The printer holds it', explanation)
  if (status === 'failed') return attentionReason('The printer could not process it', explanation)
  if (status === 'canceled') return attentionReason('The printer has canceled it', explanation)
  const isBack = parcels.some(({ returnedAt }) => returnedAt !== null)
  if (isBack || (hint?.type === 'package_returned' && !knowsFates))
    return `A parcel came back to the printer${explanation ? `: ${explanation}` : ''}. Ask the shopper for an address and send it again, or refund.`
  return null
}

type OrderUpdate = {
  parcels: readonly Shipment[]
  /** Those that were not known before. */
  left: ReadonlySet<number>
  arrived: ReadonlySet<number>
  /** The state that the order came into; null where it stayed. */
  movedTo: FulfillmentStatus | null
}

const STOPPED_STATUSES: ReadonlySet<FulfillmentStatus> = new Set(['cancelled', 'on_hold', 'needs_attention'])

/** The mails about parcels, and about an order that stops; each once, whoever finds out first. */
async function mailShopper(
  tx: Tx,
  shop: FulfillmentNeeds,
  order: Order,
  { parcels, left, arrived, movedTo }: OrderUpdate,
): Promise<void> {
  const now = shop.clock.now()
  const lines = parcels.length ? await listOrderLines(tx, order.id) : []
  const isAllSent = unsentOf(lines, parcels).length === 0
  for (const [index, parcel] of parcels.entries()) {
    const mention = {
      ...parcel,
      items: goodsOf(parcel.items, lines),
      isLast: isAllSent && index === parcels.length - 1,
      isReplacement: parcel.reshipment,
    }
    if (left.has(parcel.id)) await mailShippedLater(shop, tx, order, mention, now)
    if (arrived.has(parcel.id)) await mailDeliveredLater(shop, tx, order, mention, now)
  }
  await flagMails(tx, order.id, { tracking: left.size > 0, delivery: arrived.size > 0 })
  if (movedTo === null || !STOPPED_STATUSES.has(movedTo)) return
  const current = await findOrder(tx, order.id)
  if (movedTo === 'cancelled' && current) await mailCanceledLater(shop, tx, current, now)
  if (current && needsAddress(current)) await mailOnHoldLater(shop, tx, current, now)
}

/** After how many sweeps an order is asked for: half an hour as the sweep is set, two hours, and a day for what may come back or be sent again. */
const SWEEPS_BETWEEN = { making: 6, onTheWay: 24, over: 288 } as const
/** A parcel that was not reported after so long will not be. */
const GIVE_UP_AFTER_MS = 90 * DAY_MS
const BATCH = 100

/**
 * Asks the partner about orders that nothing was heard of for a while: its webhooks are not signed, not always sent, and never
 * say that a parcel arrived.
 * @returns how many were asked about
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
    // At the end of the row first: an order that cannot be asked about does not stand before the others.
    await autocommitWrite(db, (tx) => recordCheck(tx, id, now))
    try {
      await followPrinterOrder(shop, externalId, { urgency: 'background' })
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      log.error({ err: error, orderNumber }, 'an order could not be followed')
    }
  }
  return quiet.length
}
