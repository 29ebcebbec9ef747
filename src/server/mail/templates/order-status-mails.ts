import { say, sayKnown } from '#words/say.ts'
import { paths } from '#contract/paths.ts'
import type { PicturedTheme } from '#domain/catalog/collection-theme.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { MailedStep } from '#domain/orders/tracking.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import type { Item, MailContent } from '../content.ts'
import { simpleMail, type SimpleMail } from './simple-mail.ts'

/** What every email about an order needs. */
export type MentionedOrder = {
  orderNumber: string
  customerName: string
  theme: PicturedTheme
  publicUrl: string
  /** Usually the order page with its access token. */
  orderLink: string
}

export const orderMail = (order: MentionedOrder, { values, ...rest }: SimpleMail): MailContent =>
  simpleMail(
    { ...order, link: order.orderLink },
    {
      ...rest,
      values: { order: formatOrderNumber(order.orderNumber), collection: sayKnown(order.theme.displayName), ...values },
    },
  )

export const deliveredMail = (
  order: MentionedOrder,
  parcel: { carrier: string; trackingNumber: string | null; items: readonly Item[]; isLast: boolean },
  problemLink: string,
): MailContent =>
  orderMail(order, {
    mail: parcel.isLast ? 'delivered' : 'delivered_part',
    values: { carrier: parcel.carrier || say('The carrier') },
    stage: 'Delivered',
    hasAnimal: true,
    facts: parcelFacts(order, parcel),
    items: [say('In this parcel'), parcel.items],
    button: say('See your order'),
    smallPrint: { link: { text: say('Report a problem'), url: problemLink } },
  })

const parcelFacts = (
  { orderNumber }: MentionedOrder,
  { trackingNumber }: { trackingNumber: string | null },
): NonNullable<SimpleMail['facts']> => [
  [say('Order number'), formatOrderNumber(orderNumber)],
  [say('Tracking number'), trackingNumber],
]

/** A parcel that is late, lost or came back. @param expected the new days, such as `Nov 23–Dec 4` */
export const parcelTroubleMail = (
  order: MentionedOrder,
  mail: 'parcel_late' | 'parcel_lost' | 'parcel_returned',
  { expected, carrier, trackingNumber, items }: ParcelInTrouble,
): MailContent =>
  orderMail(order, {
    mail,
    facts: [
      ...(expected === null ? [] : [[say('Now expected'), expected] as const]),
      ...(trackingNumber === null
        ? []
        : [[say('Tracking number'), `${trackingNumber} (${carrier || say('carrier')})`] as const]),
    ],
    items: [say('This is about'), items],
    button: mail === 'parcel_returned' ? say('Tell us where to send it') : say('Choose what happens now'),
  })

export type ParcelInTrouble = {
  expected: string | null
  carrier: string
  trackingNumber: string | null
  items: readonly Item[]
}

/** The carrier's news between shipping and delivery. */
export const trackingMail = (
  order: MentionedOrder,
  mail: MailedStep,
  parcel: { carrier: string; trackingNumber: string | null; items: readonly Item[]; arrives: string | null },
): MailContent =>
  orderMail(order, {
    mail,
    values: { carrier: parcel.carrier || say('The carrier') },
    stage: 'On its way',
    arrives: parcel.arrives,
    facts: parcelFacts(order, parcel),
    items: [say('In this parcel'), parcel.items],
    button: say('See where it is'),
  })

/** What goes where. @property arrival such as `Dec 3–9` */
type OnItsWay = { items: readonly Item[]; address: readonly string[]; arrival: string }

/** An order without a payment. @param mail by its kind */
export const freeOrderMail = (
  order: MentionedOrder,
  mail: 'order_replacement' | 'order_sample' | 'order_gift',
  { items, address, arrival, replaces }: OnItsWay & { replaces: string | null },
): MailContent =>
  orderMail(order, {
    mail,
    facts: [
      ...(replaces === null ? [] : [[say('Replaces pieces of order'), formatOrderNumber(replaces)] as const]),
      [say('Ships to'), address.join(', ')],
      [say('Arrives'), arrival],
    ],
    items: [say('In this order'), items],
    button: say('See your order'),
  })

export const canceledFreeMail = (order: MentionedOrder): MailContent =>
  orderMail(order, { mail: 'canceled_free', button: say('See your order') })

/** The printer rejected the address; only the shopper can correct it. */
export const onHoldMail = (order: MentionedOrder, address: readonly string[]): MailContent =>
  orderMail(order, {
    mail: 'on_hold',
    facts: [[say('The address we have'), address.join(', ')]],
    button: say('Correct the address'),
  })

/** Goes to the order's previous inbox, in case somebody else made the change. */
export const correctedMail = (order: MentionedOrder, what: 'address' | 'email'): MailContent =>
  what === 'address'
    ? orderMail(order, { mail: 'corrected_address', button: say('See your order') })
    : orderMail(
        // The old inbox may be somebody else's, so it gets no link to the order.
        {
          ...order,
          orderLink: `${order.publicUrl}${paths.contactAbout(`Order ${formatOrderNumber(order.orderNumber)}`)}`,
        },
        { mail: 'corrected_email', button: say('Write to us') },
      )

/** @param difference what the order costs more; negative for what is being refunded */
export const changedMail = (
  order: MentionedOrder,
  { items, address, arrival, total, difference }: OnItsWay & { total: Cents; difference: Cents },
): MailContent =>
  orderMail(order, {
    mail: 'changed',
    facts: [
      [say('Ships to'), address.join(', ')],
      [say('Arrives'), arrival],
      [say('Total'), formatUsd(total)],
      ...(difference < ZERO ? [[say('On its way back to you'), formatUsd(negate(difference))] as const] : []),
      ...(difference > ZERO ? [[say('Paid for the change'), formatUsd(difference)] as const] : []),
    ],
    items: [say('Your order'), items],
    button: say('See your order'),
  })

export const changeToPayMail = (order: MentionedOrder, amount: Cents, until: Date): MailContent =>
  orderMail(order, {
    mail: 'change_to_pay',
    facts: [
      [say('To pay'), formatUsd(amount)],
      [say('Until'), formatClockTime(until)],
    ],
    button: say('Pay the difference'),
  })

/** @param isRefunded otherwise a separate email follows when the refund is sent */
export const canceledMail = (order: MentionedOrder, total: Cents, isRefunded: boolean): MailContent =>
  orderMail(order, {
    mail: isRefunded ? 'canceled_refunded' : 'canceled',
    facts: [[say('You paid'), formatUsd(total)]],
    button: say('See your order'),
  })

export const canceledByShopperMail = (order: MentionedOrder, refund: Cents): MailContent =>
  orderMail(order, {
    mail: 'canceled_by_shopper',
    facts: [[say('You get back'), formatUsd(refund)]],
    button: say('See your order'),
  })

/**
 * @param total of the whole order
 * @param reference of the transfer, when the refund did not go to the original payment method
 */
/** @param reference when it went another way @param isCredit it went to a gift card, or became store credit */
export const refundedMail = (
  order: MentionedOrder,
  amount: Cents,
  total: Cents,
  { reference, isCredit = false }: { reference?: string | undefined; isCredit?: boolean } = {},
): MailContent => {
  const refunded = [say('Refunded'), formatUsd(amount)] as const
  if (reference !== undefined)
    return orderMail(order, {
      mail: 'refunded_otherwise',
      facts: [refunded, [say('Reference'), reference]],
      button: say('See your order'),
    })
  return orderMail(order, {
    mail: isCredit ? 'refunded_credit' : amount >= total ? 'refunded' : 'refunded_part',
    facts: [refunded, [say('You paid'), formatUsd(total)]],
    button: say('See your order'),
  })
}

/** The bank or wallet returned a refund that we had announced. */
export const refundReturnedMail = (order: MentionedOrder, amount: Cents): MailContent =>
  orderMail(order, {
    mail: 'refund_returned',
    values: { amount: formatUsd(amount) },
    facts: [[say('We still owe you'), formatUsd(amount)]],
    button: say('See your order'),
  })

/** A new link after the old one expired. It always goes to the order's own inbox. */
export const orderLinkMail = (order: MentionedOrder): MailContent =>
  orderMail(order, { mail: 'order_link', button: say('See your order') })
