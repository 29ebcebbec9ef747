import { CORRECT_ADDRESS, paths } from '#contract/paths.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { Cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { LINK_TOKEN, listMailsOfOrder, mailAgainLater, mailLater, redirectQueued } from '#server/mail/outbox.ts'
import { addressLines } from '#server/mail/templates/layout.ts'
import {
  canceledMail,
  correctedMail,
  deliveredMail,
  onHoldMail,
  orderLinkMail,
  refundedMail,
  refundReturnedMail,
  type MentionedOrder,
} from '#server/mail/templates/order-status-mails.ts'
import { shippedMail } from '#server/mail/templates/shipped.ts'
import type { Needs } from '#server/shop.ts'
import { themeOf, type Order } from './orders.ts'

type MailNeeds = Needs<'jobs' | 'config'>

/** What an order's mails are told apart by: one of a kind for an order, and for each parcel. */
type OrderMail = { kind: MailKind; about?: string; subject: string; text: string; html: string }

/** Every mail about an order goes to its own address, and once. */
export async function mailOrderLater(shop: MailNeeds, tx: Tx, order: Order, mail: OrderMail, now: Date): Promise<void> {
  // Nobody is left to write to.
  if (order.erasedAt) return
  const recipient = { email: order.customerEmail, name: order.customerName }
  await mailLater(shop, tx, { recipient, orderId: order.id, ...mail }, now)
}

/** The order's page, for whoever reads the mail; the token comes in when it is sent. */
export const orderLinkOf = (config: Pick<Config, 'publicUrl' | 'port'>): string =>
  `${baseUrlOf(config)}${paths.orderByToken(LINK_TOKEN)}`

const toMentionedOrder = (order: Order, config: Config): MentionedOrder => ({
  orderNumber: order.orderNumber,
  customerName: order.customerName,
  theme: themeOf(order),
  publicUrl: baseUrlOf(config),
  orderLink: orderLinkOf(config),
})

type Parcel = {
  id: number
  carrier: string
  trackingNumber: string | null
  trackingUrl: string | null
  items: { productName: string; variantName: string | null; quantity: number }[]
  /** Nothing of the order is left to be sent. */
  isLast: boolean
  isReplacement: boolean
}

export const mailShippedLater = (shop: MailNeeds, tx: Tx, order: Order, { id, ...parcel }: Parcel, now: Date) => {
  const mail = shippedMail({ ...parcel, ...toMentionedOrder(order, shop.config) })
  return mailOrderLater(shop, tx, order, { kind: 'shipped', about: String(id), ...mail }, now)
}

export const mailDeliveredLater = (shop: MailNeeds, tx: Tx, order: Order, { id, ...parcel }: Parcel, now: Date) => {
  const mail = deliveredMail(toMentionedOrder(order, shop.config), parcel)
  return mailOrderLater(shop, tx, order, { kind: 'delivered', about: String(id), ...mail }, now)
}

/** Only where the shopper has to act: the printer cannot send to the address. Once for each address that it refuses. */
export const mailOnHoldLater = (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const mail = onHoldMail(
    { ...toMentionedOrder(order, shop.config), orderLink: `${orderLinkOf(shop.config)}#${CORRECT_ADDRESS}` },
    addressLines(order.customerName, order.shippingAddress),
  )
  const about = order.externalId === order.orderNumber ? '' : order.externalId
  return mailOrderLater(shop, tx, order, { kind: 'on_hold', about, ...mail }, now)
}

/**
 * Tells the inbox that was the order's until now of a correction, so that whoever did not make it hears of it.
 * @param order as it was before
 */
export const mailCorrectedLater = (
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
    { kind: 'corrected', about, ...correctedMail(toMentionedOrder(order, shop.config), what) },
    now,
  )

/** Whether the order's own inbox has refused a mail of it. */
export const hasRefusedMail = async (tx: Tx, { id, customerEmail }: Order): Promise<boolean> =>
  (await listMailsOfOrder(tx, id)).some(({ state, recipient }) => state === 'bounced' && recipient === customerEmail)

/**
 * Has an order's mails sent to its new email: what still waits, and once more what was refused, or else the confirmation.
 * @param order as it was before
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
  const confirmation = mails.filter(({ kind, state }) => kind === 'confirmation' && state === 'sent').slice(0, 1)
  await redirectQueued(tx, id, email)
  for (const mail of refused.length > 0 ? refused : confirmation)
    await mailAgainLater(shop, tx, { ...mail, recipient: email, recipientName: name }, now)
}

export const mailCanceledLater = (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const mail = canceledMail(toMentionedOrder(order, shop.config), order.totalCents, order.paymentStatus === 'refunded')
  return mailOrderLater(shop, tx, order, { kind: 'cancelled', ...mail }, now)
}

/** @param refundId our own refund's: each is told once; `reference` where it was paid another way than the order was */
export const mailRefundedLater = (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount, reference }: { refundId: number; amount: Cents; reference?: string },
  now: Date,
) => {
  const mail = refundedMail(toMentionedOrder(order, shop.config), amount, order.totalCents, reference)
  return mailOrderLater(shop, tx, order, { kind: 'refunded', about: String(refundId), ...mail }, now)
}

/** The money that was told to be on its way came back to us. */
export const mailRefundReturnedLater = (
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { refundId, amount }: { refundId: number; amount: Cents },
  now: Date,
) => {
  const mail = refundReturnedMail(toMentionedOrder(order, shop.config), amount)
  return mailOrderLater(shop, tx, order, { kind: 'refund_returned', about: String(refundId), ...mail }, now)
}

/** A new link in place of one that expired; at most one an hour, however often it is asked for. */
export const mailLinkLater = (shop: MailNeeds, tx: Tx, order: Order, now: Date) => {
  const hour = String(Math.floor(now.getTime() / HOUR_MS))
  return mailOrderLater(
    shop,
    tx,
    order,
    { kind: 'order_link', about: hour, ...orderLinkMail(toMentionedOrder(order, shop.config)) },
    now,
  )
}
