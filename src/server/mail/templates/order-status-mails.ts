import { paths } from '#contract/paths.ts'
import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { Item, MailContent } from '../content.ts'
import { SITE } from '../site-facts.ts'
import { simpleMail, type SimpleMail } from './simple-mail.ts'

/** What every email about an order needs. */
export type MentionedOrder = {
  orderNumber: string
  customerName: string
  theme: CollectionTheme
  publicUrl: string
  /** Usually the order page with its access token. */
  orderLink: string
}

const orderMail = (order: MentionedOrder, { subject, ...rest }: SimpleMail): MailContent =>
  simpleMail({ ...order, link: order.orderLink }, { ...rest, subject: `${subject} - ${order.theme.displayName}` })

const REFUND_TIMING = `Refunds go back to the card or wallet you paid with and take ${SITE.refundDays} business days to arrive.`

export const deliveredMail = (
  order: MentionedOrder,
  parcel: { carrier: string; trackingNumber: string | null; items: readonly Item[]; isLast: boolean },
): MailContent =>
  orderMail(order, {
    subject: `${parcel.isLast ? 'Your' : 'Part of your'} order ${formatOrderNumber(order.orderNumber)} has arrived`,
    title: 'Your parcel has arrived.',
    paragraphs: [
      `${parcel.carrier || 'The carrier'} delivered your parcel.`,
      `Is something wrong, damaged or missing? Tell us within ${SITE.returnDays} days and we’ll replace or refund it. A photo helps.`,
      ...(parcel.isLast ? [] : ['The rest of your order ships separately.']),
    ],
    ...(parcel.trackingNumber && { facts: [['Tracking number', parcel.trackingNumber]] }),
    items: ['In this parcel', parcel.items],
    button: 'See your order',
  })

/** The printer rejected the address; only the shopper can correct it. */
export const onHoldMail = (order: MentionedOrder, address: readonly string[]): MailContent =>
  orderMail(order, {
    subject: `Your order ${formatOrderNumber(order.orderNumber)} needs your address`,
    title: 'Please check your address.',
    paragraphs: [
      `Our printer can’t ship to the address on order ${formatOrderNumber(order.orderNumber)}, so your order is on hold.`,
      'Please correct it on your order page: house number, apartment, city, state and postal code. If it’s already right, tell us there.',
      'You won’t be charged again. We start on your order as soon as you send the corrected address.',
    ],
    facts: [['The address we have', address.join(', ')]],
    button: 'Correct the address',
  })

/** Goes to the order's previous inbox, in case somebody else made the change. */
export const correctedMail = (order: MentionedOrder, what: 'address' | 'email'): MailContent =>
  orderMail(
    // The old inbox may be somebody else's, so it gets no link to the order.
    what === 'email'
      ? {
          ...order,
          orderLink: `${order.publicUrl}${paths.contactAbout(`Order ${formatOrderNumber(order.orderNumber)}`)}`,
        }
      : order,
    {
      subject: `The ${what} on order ${formatOrderNumber(order.orderNumber)} was corrected`,
      title: `The ${what} on your order was corrected.`,
      paragraphs: [
        what === 'address'
          ? `Order ${formatOrderNumber(order.orderNumber)} now ships to a different address. The price stays the same.`
          : `Emails about order ${formatOrderNumber(order.orderNumber)} now go to a different address. Links we sent here no longer open the order.`,
        'If this wasn’t you, please write to us right away.',
      ],
      button: what === 'address' ? 'See your order' : 'Write to us',
    },
  )

/** @param isRefunded otherwise a separate email follows when the refund is sent */
export const canceledMail = (order: MentionedOrder, total: Cents, isRefunded: boolean): MailContent =>
  orderMail(order, {
    subject: `Your order ${formatOrderNumber(order.orderNumber)} was canceled`,
    title: 'Your order was canceled.',
    paragraphs: [
      `We can’t make order ${formatOrderNumber(order.orderNumber)}, so it was canceled. We’re sorry.`,
      isRefunded
        ? `You don’t have to do anything. ${REFUND_TIMING}`
        : `You don’t have to do anything. We review every canceled order ourselves and will email you when your refund is on its way. ${REFUND_TIMING}`,
    ],
    facts: [['You paid', formatUsd(total)]],
    button: 'See your order',
  })

/**
 * @param total of the whole order
 * @param reference of the transfer, when the refund did not go to the original payment method
 */
export const refundedMail = (order: MentionedOrder, amount: Cents, total: Cents, reference?: string): MailContent => {
  const isWhole = amount >= total
  if (reference !== undefined)
    return orderMail(order, {
      subject: `Your refund for order ${formatOrderNumber(order.orderNumber)} was sent another way`,
      title: 'Your refund was sent another way.',
      paragraphs: [
        `The card or wallet you used for order ${formatOrderNumber(order.orderNumber)} didn’t accept the refund, so we sent it another way.`,
        'If it hasn’t arrived within five business days, reply to this email and include the reference.',
      ],
      facts: [
        ['Refunded', formatUsd(amount)],
        ['Reference', reference],
      ],
      button: 'See your order',
    })
  return orderMail(order, {
    subject: `${isWhole ? 'Your refund' : 'A partial refund'} for order ${formatOrderNumber(order.orderNumber)}`,
    title: 'Your refund is on its way.',
    paragraphs: [
      isWhole
        ? `We refunded order ${formatOrderNumber(order.orderNumber)} in full.`
        : `We refunded part of order ${formatOrderNumber(order.orderNumber)}.`,
      REFUND_TIMING,
    ],
    facts: [
      ['Refunded', formatUsd(amount)],
      ['You paid', formatUsd(total)],
    ],
    button: 'See your order',
  })
}

/** The bank or wallet returned a refund that we had announced. */
export const refundReturnedMail = (order: MentionedOrder, amount: Cents): MailContent =>
  orderMail(order, {
    subject: `Your refund for order ${formatOrderNumber(order.orderNumber)} did not arrive`,
    title: 'Your refund did not arrive.',
    paragraphs: [
      `We refunded ${formatUsd(amount)} for order ${formatOrderNumber(order.orderNumber)}, but your bank or wallet returned it to us. That happens when a card or account is closed.`,
      'The money is still yours. We’ll send it another way and email you when it’s on its way. Reply to this email if you have a preference, but please never send a card number.',
    ],
    facts: [['We still owe you', formatUsd(amount)]],
    button: 'See your order',
  })

/** A new link after the old one expired. It always goes to the order's own inbox. */
export const orderLinkMail = (order: MentionedOrder): MailContent =>
  orderMail(order, {
    subject: `A new link to your order ${formatOrderNumber(order.orderNumber)}`,
    title: 'Here is your order again.',
    paragraphs: [
      `This link opens order ${formatOrderNumber(order.orderNumber)}. Anyone who has it can see the order, so please keep it to yourself.`,
      'If you didn’t ask for it, you can ignore this email. Nobody else has the link.',
    ],
    button: 'See your order',
  })
