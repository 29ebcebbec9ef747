import { claimPaths } from '#contract/claim-paths.ts'
import { CORRECT_ADDRESS, PAY_CHANGE, paths } from '#contract/paths.ts'
import type { MailedStep } from '#domain/orders/tracking.ts'
import type { Cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import {
  LINK_TOKEN,
  listMailsOfOrder,
  mailAgainLater,
  mailLater,
  redirectQueued,
  type MailToQueue,
} from '#server/mail/outbox.ts'
import type { Item } from '#server/mail/content.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import {
  canceledFreeMail,
  canceledByShopperMail,
  canceledMail,
  changedMail,
  changeToPayMail,
  correctedMail,
  deliveredMail,
  freeOrderMail,
  onHoldMail,
  orderLinkMail,
  refundedMail,
  refundReturnedMail,
  trackingMail,
  type MentionedOrder,
} from '#server/mail/templates/order-status-mails.ts'
import { shippedMail } from '#server/mail/templates/shipped.ts'
import type { Needs } from '#server/shop.ts'
import { readTheme } from '#server/catalog/collections.ts'
import { listOrderLines, type Order, type OrderLine } from './orders.ts'

type MailNeeds = Needs<'jobs' | 'config'>

/** Unique per order, kind and `about`, such as a parcel. */
type OrderMail = Omit<MailToQueue, 'recipient' | 'orderId'>

/** Queues an email about an order to the order's address. */
export async function mailOrderLater(shop: MailNeeds, tx: Tx, order: Order, mail: OrderMail, now: Date): Promise<void> {
  // The customer's data was erased.
  if (order.erasedAt) return
  const recipient = { email: order.customerEmail, name: order.customerName }
  await mailLater(shop, tx, { recipient, orderId: order.id, replyTo: order.orderNumber, ...mail }, now)
}

/** The order page's URL with a placeholder; the token is filled in when the email is sent. */
export const orderLinkOf = (config: Pick<Config, 'publicUrl' | 'port'>): string =>
  `${baseUrlOf(config)}${paths.orderByToken(LINK_TOKEN)}`

export const toMentionedOrder = async (tx: Tx, order: Order, config: Config): Promise<MentionedOrder> => ({
  orderNumber: order.orderNumber,
  customerName: order.customerName,
  theme: await readTheme(tx, order.collection),
  publicUrl: baseUrlOf(config),
  orderLink: orderLinkOf(config),
})

type Parcel = {
  id: number
  carrier: string
  trackingNumber: string | null
  trackingUrl: string | null
  items: Item[]
  /** Nothing of the order is left to ship. */
  isLast: boolean
  isReplacement: boolean
}

/** @param parcel with the days it arrives, null if none can be named */
export const mailShippedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, ...parcel }: Parcel & { arrives: string | null },
  now: Date,
) => {
  const isRefunded = order.paymentStatus === 'refunded'
  const mail = shippedMail({ ...parcel, isRefunded, ...(await toMentionedOrder(tx, order, shop.config)) })
  return mailOrderLater(shop, tx, order, { kind: 'shipped', about: String(id), ...mail }, now)
}

export const mailDeliveredLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, ...parcel }: Parcel,
  now: Date,
) => {
  const problemLink = `${baseUrlOf(shop.config)}${claimPaths.problem}?token=${LINK_TOKEN}`
  const mail = deliveredMail(await toMentionedOrder(tx, order, shop.config), parcel, problemLink)
  return mailOrderLater(shop, tx, order, { kind: 'delivered', about: String(id), ...mail }, now)
}

/** What the carrier reported, once for each parcel and step. */
export const mailTrackingLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, step, ...parcel }: Parcel & { step: MailedStep },
  now: Date,
) => {
  const mail = trackingMail(await toMentionedOrder(tx, order, shop.config), step, parcel)
  return mailOrderLater(shop, tx, order, { kind: step, about: String(id), ...mail }, now)
}

/** When the printer rejects the shipping address, so the shopper has to act. Once for each rejected address. */
export const mailOnHoldLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const mail = onHoldMail(
    {
      ...(await toMentionedOrder(tx, order, shop.config)),
      orderLink: `${orderLinkOf(shop.config)}#${CORRECT_ADDRESS}`,
    },
    addressLines(recipientNameOf(order), order.shippingAddress),
  )
  const about = order.externalId === order.orderNumber ? '' : order.externalId
  return mailOrderLater(shop, tx, order, { kind: 'on_hold', about, ...mail }, now)
}

/**
 * Notifies the order's previous inbox of a correction, in case somebody else made it.
 * @param order before the correction
 */
export const mailCorrectedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { what, about }: { what: 'address' | 'email'; about: string },
  now: Date,
) =>
  mailOrderLater(
    shop,
    tx,
    order,
    { kind: 'corrected', about, ...correctedMail(await toMentionedOrder(tx, order, shop.config), what) },
    now,
  )

/** @param order after the change @param difference negative for what is being refunded */
export async function mailChangedLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { changeId, difference }: { changeId: number; difference: Cents },
  now: Date,
): Promise<void> {
  const mail = changedMail(await toMentionedOrder(tx, order, shop.config), {
    items: await listOrderLines(tx, order.id),
    address: addressLines(recipientNameOf(order), order.shippingAddress),
    ...{ total: order.totalCents, difference },
  })
  await mailOrderLater(shop, tx, order, { kind: 'changed', about: String(changeId), ...mail }, now)
}

/** The link to pay the difference of a change. */
export async function mailChangeToPayLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { changeId, amount, expiresAt }: { changeId: number; amount: Cents; expiresAt: Date },
  now: Date,
): Promise<void> {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const orderLink = `${orderLinkOf(shop.config)}#${PAY_CHANGE}`
  const mail = changeToPayMail({ ...mentioned, orderLink }, amount, expiresAt)
  await mailOrderLater(shop, tx, order, { kind: 'change_to_pay', about: String(changeId), ...mail }, now)
}

/** Whether an email bounced at the order's current address. */
export const hasRefusedMail = async (tx: Tx, { id, customerEmail }: Order): Promise<boolean> =>
  (await listMailsOfOrder(tx, id)).some(({ state, recipient }) => state === 'bounced' && recipient === customerEmail)

/**
 * Sends an order's emails to its new address: those still queued, and again those that bounced, or else the confirmation.
 * @param order before the correction
 */
export async function redirectMails(
  shop: MailNeeds,
  tx: Tx,
  { id, customerName: name, customerEmail }: Order,
  email: string,
  now: Date,
): Promise<void> {
  const mails = (await listMailsOfOrder(tx, id)).filter(({ kind }) => kind !== 'corrected')
  const refused = mails.filter(({ state, recipient }) => state === 'bounced' && recipient === customerEmail)
  const confirmation = mails
    .filter(({ kind, state }) => (kind === 'confirmation' || kind === 'free_order') && state === 'sent')
    .slice(0, 1)
  await redirectQueued(tx, id, email)
  for (const mail of refused.length > 0 ? refused : confirmation)
    await mailAgainLater(shop, tx, { ...mail, recipient: email, recipientName: name }, now)
}

/** Announces an order without a payment to its recipient. @param replaced the order that it replaces pieces of */
export const mailFreeOrderLater = async (
  shop: MailNeeds,
  tx: Tx,
  { order, lines, replaced }: { order: Order; lines: readonly OrderLine[]; replaced: Order | undefined },
  now: Date,
) => {
  if (order.kind === 'sale') return
  const mail = freeOrderMail(await toMentionedOrder(tx, order, shop.config), `order_${order.kind}`, {
    items: lines,
    address: addressLines(recipientNameOf(order), order.shippingAddress),
    replaces: replaced?.orderNumber ?? null,
  })
  return mailOrderLater(shop, tx, order, { kind: 'free_order', ...mail }, now)
}

export const mailCanceledLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  if (order.kind !== 'sale') {
    const mail = canceledFreeMail(await toMentionedOrder(tx, order, shop.config))
    return mailOrderLater(shop, tx, order, { kind: 'cancelled', ...mail }, now)
  }
  const mail = canceledMail(
    await toMentionedOrder(tx, order, shop.config),
    order.totalCents,
    order.paymentStatus === 'refunded',
  )
  return mailOrderLater(shop, tx, order, { kind: 'cancelled', ...mail }, now)
}

/** When the customer canceled it. */
export const mailCanceledByShopperLater = async (shop: MailNeeds, tx: Tx, order: Order, refund: Cents, now: Date) => {
  const mail = canceledByShopperMail(await toMentionedOrder(tx, order, shop.config), refund)
  return mailOrderLater(shop, tx, order, { kind: 'cancelled', ...mail }, now)
}

/** Once per refund. @param reference when the refund did not go to the original payment method */
export const mailRefundedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount, ...how }: { refundId: number; amount: Cents; reference?: string; isCredit?: boolean },
  now: Date,
) => {
  const mail = refundedMail(await toMentionedOrder(tx, order, shop.config), amount, order.totalCents, how)
  return mailOrderLater(shop, tx, order, { kind: 'refunded', about: String(refundId), ...mail }, now)
}

/** When the bank or wallet returned a refund. */
export const mailRefundReturnedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount }: { refundId: number; amount: Cents },
  now: Date,
) => {
  const mail = refundReturnedMail(await toMentionedOrder(tx, order, shop.config), amount)
  return mailOrderLater(shop, tx, order, { kind: 'refund_returned', about: String(refundId), ...mail }, now)
}

/** A new link after the old one expired; at most one an hour. */
export const mailLinkLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const hour = String(Math.floor(now.getTime() / HOUR_MS))
  return mailOrderLater(
    shop,
    tx,
    order,
    { kind: 'order_link', about: hour, ...orderLinkMail(await toMentionedOrder(tx, order, shop.config)) },
    now,
  )
}
