import type { FulfilmentStatus } from '#domain/orders/status.ts'
import type { OrderId, VariantId } from '#kernel/ids.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { shippedMail } from '#server/mail/templates/shipped.ts'
import {
  findOrder,
  findOrderByExternalId,
  listOrderLines,
  moveFulfilment,
  themeOf,
  type Order,
  type OrderLine,
} from '#server/orders/orders.ts'
import type { PartnerOrder, PartnerOrderToMake, PartnerShipment } from '#server/providers/printful/client.ts'
import { ProviderRefused } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import { appendShipment, flagTrackingMail } from './store.ts'

type Fulfilling = Needs<'db' | 'clock' | 'printful' | 'jobs' | 'config' | 'log'>

/** Has the order sent to the print partner once the caller's transaction commits. */
export const submitOrderLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId) =>
  jobs.enqueue(tx, 'submit-order', { orderId })

/**
 * Sends an order to the print partner: draft, compare, confirm. The partner has no idempotency key, only a unique
 * external id, so every try looks up before it makes anything - also after an error, which may hide a success.
 * @throws ProviderUnavailable the job tries again
 */
export async function submitOrder(shop: Fulfilling, orderId: OrderId): Promise<void> {
  const { db, printful } = shop
  const order = await findOrder(db, orderId)
  if (!order || order.fulfilmentStatus !== 'waiting' || order.paymentStatus === 'refunded') return

  const lines = await listOrderLines(db, orderId)
  try {
    const drafted = (await printful.findOrder(order.externalId)) ?? (await draftOnce(shop, order, lines))
    if (drafted.status === 'canceled') return await needsAttention(shop, order, 'The partner has cancelled this order.')
    if (!sameLines(drafted, lines))
      return await needsAttention(shop, order, 'The partner’s lines are not the lines that were paid for.')

    const confirmed = drafted.status === 'draft' ? await confirmOnce(shop, order, drafted) : drafted
    await applyPartnerOrder(shop, order, confirmed)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    await needsAttention(shop, order, `The partner refuses it: ${error.message}`)
  }
}

async function confirmOnce(
  { printful }: Fulfilling,
  { externalId }: Order,
  { id }: PartnerOrder,
): Promise<PartnerOrder> {
  try {
    return await printful.confirmOrder(id)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    // Another worker may have confirmed it a moment ago.
    const now = await printful.findOrder(externalId)
    if (now && now.status !== 'draft') return now
    throw error
  }
}

async function draftOnce({ printful }: Fulfilling, order: Order, lines: readonly OrderLine[]): Promise<PartnerOrder> {
  try {
    return await printful.createDraft(partnerOrderOf(order, lines))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
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
  | 'shippingAddress'
  | 'subtotalCents'
  | 'shippingCents'
  | 'taxCents'
>
type PaidLine = Pick<OrderLine, 'position' | 'variantId' | 'quantity' | 'unitPriceCents' | 'productName'>

/** What the partner is asked to make: what was paid for, to where it was priced. */
export function partnerOrderOf(order: PaidOrder, lines: readonly PaidLine[]): PartnerOrderToMake {
  const { externalId, customerName, customerEmail, customerPhone, shippingAddress } = order
  return {
    externalId,
    recipient: { name: customerName, email: customerEmail, phone: customerPhone, address: shippingAddress },
    lines: lines.map(({ position, variantId, quantity, unitPriceCents, productName }) => ({
      externalLineId: `${externalId}-${position + 1}`,
      variantId,
      quantity,
      retailPrice: unitPriceCents,
      name: productName,
    })),
    amounts: { subtotal: order.subtotalCents, shipping: order.shippingCents, tax: order.taxCents },
  }
}

/** What was paid for is what is printed: the same variants in the same numbers. */
function sameLines({ lines: theirs }: PartnerOrder, ours: readonly OrderLine[]): boolean {
  const count = (lines: readonly { variantId: VariantId; quantity: number }[]) => {
    const pieces = new Map<VariantId, number>()
    for (const { variantId, quantity } of lines) pieces.set(variantId, (pieces.get(variantId) ?? 0) + quantity)
    return pieces
  }
  const [mine, yours] = [count(ours), count(theirs)]
  return mine.size === yours.size && [...mine].every(([variantId, quantity]) => yours.get(variantId) === quantity)
}

async function needsAttention({ db, clock, log }: Fulfilling, order: Order, reason: string): Promise<void> {
  await db.transaction((tx) =>
    moveFulfilment(tx, order.id, 'needs_attention', clock.now(), { attentionReason: reason }),
  )
  log.error({ orderNumber: order.orderNumber, reason }, 'an order needs attention')
}

/**
 * The partner says that something happened to an order. Its events are unsigned, so the order is asked for again;
 * what it says then is applied, never backwards.
 */
export async function followPartnerOrder(shop: Fulfilling, externalId: string): Promise<string> {
  const order = await findOrderByExternalId(shop.db, externalId)
  if (!order) return 'not our order'
  const theirs = await shop.printful.findOrder(externalId)
  if (!theirs) return 'unknown to the partner'
  await applyPartnerOrder(shop, order, theirs)
  return theirs.status
}

async function applyPartnerOrder(shop: Fulfilling, { id }: Order, theirs: PartnerOrder): Promise<void> {
  const { db, clock } = shop
  await db.transaction(async (tx) => {
    const now = clock.now()
    const order = await findOrder(tx, id)
    if (!order) return
    for (const parcel of theirs.shipments) await addParcel(tx, shop, order, parcel)
    await moveFulfilment(tx, id, statusFrom(theirs), now, {
      printfulOrderId: theirs.id,
      attentionReason: theirs.status === 'failed' ? 'The partner could not process it.' : null,
    })
  })
}

async function addParcel(tx: Tx, shop: Fulfilling, order: Order, parcel: PartnerShipment): Promise<void> {
  const now = shop.clock.now()
  if (!(await appendShipment(tx, { ...parcel, orderId: order.id }))) return
  const lines = await listOrderLines(tx, order.id)
  const items = parcel.items.flatMap(({ variantId, quantity }) => {
    const line = lines.find((candidate) => candidate.variantId === variantId)
    return line ? [{ productName: line.productName, variantName: line.variantName, quantity }] : []
  })
  const mail = shippedMail({
    orderNumber: order.orderNumber,
    customerName: order.customerName,
    carrier: parcel.carrier,
    trackingNumber: parcel.trackingNumber,
    trackingUrl: parcel.trackingUrl,
    items,
    theme: themeOf(order),
    publicUrl: baseUrlOf(shop.config),
  })
  const recipient = { email: order.customerEmail, name: order.customerName }
  await mailLater(shop, tx, { kind: 'shipped', recipient, orderId: order.id, about: String(parcel.id), ...mail }, now)
  await flagTrackingMail(tx, order.id)
}

/** The partner's word in ours. */
function statusFrom({ status }: PartnerOrder): FulfilmentStatus {
  const words: Record<PartnerOrder['status'], FulfilmentStatus> = {
    draft: 'waiting',
    pending: 'submitted',
    inprocess: 'in_production',
    partial: 'partially_shipped',
    fulfilled: 'shipped',
    onhold: 'on_hold',
    failed: 'needs_attention',
    canceled: 'cancelled',
  }
  return words[status]
}
