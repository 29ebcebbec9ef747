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
  writtenIn,
  type MailToQueue,
} from '#server/mail/outbox.ts'
import type { Item, MailContent } from '#server/mail/content.ts'
import { formatArrival, type Window } from '#domain/catalog/arrival.ts'
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
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { readTheme } from '#server/catalog/collections.ts'
import { promisedOf } from './arrival.ts'
import { listOrderLines, type Order, type OrderLine } from './orders.ts'

type MailNeeds = Needs<'jobs' | 'config'>

/** Unique per order, kind and `about`, such as a parcel. */
type OrderMail = Omit<MailToQueue, 'recipient' | 'orderId' | 'language' | keyof MailContent> & {
  write: () => MailContent
}

/** Queues an email about an order to the order's address, in the order's language. */
export async function mailOrderLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { write, ...mail }: OrderMail,
  now: Date,
): Promise<void> {
  // The customer's data was erased.
  if (order.erasedAt) return
  const recipient = { email: order.customerEmail, name: order.customerName }
  await mailLater(
    shop,
    tx,
    { recipient, orderId: order.id, replyTo: order.orderNumber, ...mail, ...writtenIn(order.language, write) },
    now,
  )
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

/** In the language of the email: said where it is written. */
const daysOf = (arrives: Window | null): string | null => (arrives ? formatArrival(arrives) : null)

/** @param parcel with the days it arrives, null if none can be named */
export const mailShippedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, arrives, ...parcel }: Parcel & { arrives: Window | null },
  now: Date,
) => {
  const isRefunded = order.paymentStatus === 'refunded'
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => shippedMail({ ...parcel, arrives: daysOf(arrives), isRefunded, ...mentioned })
  return mailOrderLater(shop, tx, order, { kind: 'shipped', about: String(id), write }, now)
}

export const mailDeliveredLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, ...parcel }: Parcel,
  now: Date,
) => {
  const problemLink = `${baseUrlOf(shop.config)}${claimPaths.problem}?token=${LINK_TOKEN}`
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => deliveredMail(mentioned, parcel, problemLink)
  return mailOrderLater(shop, tx, order, { kind: 'delivered', about: String(id), write }, now)
}

/** What the carrier reported, once for each parcel and step. */
export const mailTrackingLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { id, step, arrives, ...parcel }: Parcel & { step: MailedStep; arrives: Window | null },
  now: Date,
) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => trackingMail(mentioned, step, { ...parcel, arrives: daysOf(arrives) })
  return mailOrderLater(shop, tx, order, { kind: step, about: String(id), write }, now)
}

/** When the printer rejects the shipping address, so the shopper has to act. Once for each rejected address. */
export const mailOnHoldLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () =>
    onHoldMail(
      {
        ...mentioned,
        orderLink: `${orderLinkOf(shop.config)}#${CORRECT_ADDRESS}`,
      },
      addressLines(recipientNameOf(order), order.shippingAddress),
    )
  const about = order.externalId === order.orderNumber ? '' : order.externalId
  return mailOrderLater(shop, tx, order, { kind: 'on_hold', about, write }, now)
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
) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  return mailOrderLater(shop, tx, order, { kind: 'corrected', about, write: () => correctedMail(mentioned, what) }, now)
}

/** @param order after the change @param difference negative for what is being refunded */
export async function mailChangedLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { changeId, difference }: { changeId: number; difference: Cents },
  now: Date,
): Promise<void> {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const items = await listOrderLines(tx, order.id)
  const settings = await readSiteSettings(tx)
  const write = () =>
    changedMail(mentioned, {
      items,
      address: addressLines(recipientNameOf(order), order.shippingAddress),
      arrival: formatArrival(promisedOf(order, settings)),
      ...{ total: order.totalCents, difference },
    })
  await mailOrderLater(shop, tx, order, { kind: 'changed', about: String(changeId), write }, now)
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
  const write = () => changeToPayMail({ ...mentioned, orderLink }, amount, expiresAt)
  await mailOrderLater(shop, tx, order, { kind: 'change_to_pay', about: String(changeId), write }, now)
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
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const kind = `order_${order.kind}` as const
  const settings = await readSiteSettings(tx)
  const write = () =>
    freeOrderMail(mentioned, kind, {
      items: lines,
      address: addressLines(recipientNameOf(order), order.shippingAddress),
      arrival: formatArrival(promisedOf(order, settings)),
      replaces: replaced?.orderNumber ?? null,
    })
  return mailOrderLater(shop, tx, order, { kind: 'free_order', write }, now)
}

export const mailCanceledLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  if (order.kind !== 'sale') {
    const mentioned = await toMentionedOrder(tx, order, shop.config)
    const write = () => canceledFreeMail(mentioned)
    return mailOrderLater(shop, tx, order, { kind: 'cancelled', write }, now)
  }
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => canceledMail(mentioned, order.totalCents, order.paymentStatus === 'refunded')
  return mailOrderLater(shop, tx, order, { kind: 'cancelled', write }, now)
}

/** When the customer canceled it. */
export const mailCanceledByShopperLater = async (shop: MailNeeds, tx: Tx, order: Order, refund: Cents, now: Date) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => canceledByShopperMail(mentioned, refund)
  return mailOrderLater(shop, tx, order, { kind: 'cancelled', write }, now)
}

/** Once per refund. @param reference when the refund did not go to the original payment method */
export const mailRefundedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount, ...how }: { refundId: number; amount: Cents; reference?: string; isCredit?: boolean },
  now: Date,
) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => refundedMail(mentioned, amount, order.totalCents, how)
  return mailOrderLater(shop, tx, order, { kind: 'refunded', about: String(refundId), write }, now)
}

/** When the bank or wallet returned a refund. */
export const mailRefundReturnedLater = async (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount }: { refundId: number; amount: Cents },
  now: Date,
) => {
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () => refundReturnedMail(mentioned, amount)
  return mailOrderLater(shop, tx, order, { kind: 'refund_returned', about: String(refundId), write }, now)
}

/** A new link after the old one expired; at most one an hour. */
export const mailLinkLater = async (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const hour = String(Math.floor(now.getTime() / HOUR_MS))
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  return mailOrderLater(
    shop,
    tx,
    order,
    { kind: 'order_link', about: hour, write: () => orderLinkMail(mentioned) },
    now,
  )
}
