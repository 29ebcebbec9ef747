import { REFUND_BUSINESS_DAYS, RETURN_WINDOW_DAYS } from '#site/policies.ts'
import { label } from '#site/label.ts'
import { paths } from '#contract/paths.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { WrittenMail } from './confirmation.ts'
import { simpleMail, type Item, type SimpleMail } from './simple-mail.ts'

/** What every mail about an order needs to know. */
export type MentionedOrder = {
  orderNumber: string
  customerName: string
  theme: CollectionTheme
  publicUrl: string
  /** To the order's own page. */
  orderLink: string
}

const orderMail = (order: MentionedOrder, { subject, ...rest }: SimpleMail): WrittenMail =>
  simpleMail({ ...order, link: order.orderLink }, { ...rest, subject: `${subject} - ${order.theme.displayName}` })

const { from: soonest, to: latest } = REFUND_BUSINESS_DAYS
const MONEY_BACK = `Money that goes back is with you ${soonest} to ${latest} business days after we send it, by the way you paid.`

/** A parcel is at the door. */
export const deliveredMail = (
  order: MentionedOrder,
  parcel: { carrier: string; trackingNumber: string | null; items: readonly Item[]; isLast: boolean },
): WrittenMail =>
  orderMail(order, {
    subject: `Your order PF${order.orderNumber} has arrived`,
    title: 'It has arrived.',
    paragraphs: [
      `${parcel.carrier || 'The carrier'} says that ${parcel.isLast ? 'your' : 'a'} parcel of order PF${order.orderNumber} was delivered.`,
      `Is something wrong, damaged or missing? Tell us within ${RETURN_WINDOW_DAYS} days and we put it right. A picture helps.`,
      ...(parcel.isLast ? [] : ['The rest of your order follows in a parcel of its own.']),
    ],
    ...(parcel.trackingNumber && { facts: [['Tracking number', parcel.trackingNumber]] }),
    items: { title: 'In this parcel', list: parcel.items },
    button: 'See your order',
  })

/** The printer waits for an address; nobody but the shopper can give it. */
export const onHoldMail = (order: MentionedOrder, address: readonly string[]): WrittenMail =>
  orderMail(order, {
    subject: `Your order PF${order.orderNumber} needs your address`,
    title: 'We need your help with the address.',
    paragraphs: [
      `Our printer cannot send to the address of order PF${order.orderNumber} as it stands, so your order waits.`,
      'Please correct it on the page of your order: house number, apartment, city, state and postal code. Is it right as it stands? Then write to us there.',
      'Nothing is charged again. As soon as you have sent it, your order goes on by itself.',
    ],
    facts: [['As we have it', address.join(', ')]],
    button: 'Correct the address',
  })

/** Somebody corrected the address or the email of an order: said to the inbox that was its own until then. */
export const correctedMail = (order: MentionedOrder, what: 'address' | 'email'): WrittenMail =>
  orderMail(
    // The old inbox may be somebody else's: it gets no key to the order.
    what === 'email'
      ? { ...order, orderLink: `${order.publicUrl}${paths.contactAbout(`Order ${order.orderNumber}`)}` }
      : order,
    {
      subject: `The ${what} of order PF${order.orderNumber} was corrected`,
      title: `The ${what} of your order was corrected.`,
      paragraphs: [
        what === 'address'
          ? `Order PF${order.orderNumber} goes to another address than before, and on to our printer. Its price stays the same.`
          : `Mails about order PF${order.orderNumber} go to another email from now on. Links that we mailed here before no longer open it.`,
        'If this wasn’t you, please write to us at once.',
      ],
      button: what === 'address' ? 'See your order' : 'Write to us',
    },
  )

/** It will not be made. @param isRefunded the money is on its way already; otherwise a mail of its own says when */
export const canceledMail = (order: MentionedOrder, total: Cents, isRefunded: boolean): WrittenMail =>
  orderMail(order, {
    subject: `Your order PF${order.orderNumber} was cancelled`,
    title: 'Your order was canceled.',
    paragraphs: [
      `Order PF${order.orderNumber} cannot be made, so it was canceled. We are sorry: you were looking forward to it.`,
      isRefunded
        ? `You do not have to do anything. ${MONEY_BACK}`
        : `You do not have to do anything. We look at every canceled order ourselves and write to you when your money is on its way. ${MONEY_BACK}`,
    ],
    facts: [['You paid', formatUsd(total)]],
    button: 'See your order',
  })

/**
 * Money is on its way back.
 * @param total what was paid for the whole order
 * @param reference of the transfer, where the money goes another way than it came
 */
export const refundedMail = (order: MentionedOrder, amount: Cents, total: Cents, reference?: string): WrittenMail => {
  const isWhole = amount >= total
  if (reference !== undefined)
    return orderMail(order, {
      subject: `Your refund for order PF${order.orderNumber} was sent another way`,
      title: 'Your refund was sent another way.',
      paragraphs: [
        `The way you had paid for order PF${order.orderNumber} did not take its refund, so we have paid it to you another way.`,
        'If it has not arrived within five business days, reply to this email and name this reference.',
      ],
      facts: [
        ['Refunded', formatUsd(amount)],
        ['Reference', reference],
      ],
      button: 'See your order',
    })
  return orderMail(order, {
    subject: `${isWhole ? 'Your refund' : 'A refund'} for order PF${order.orderNumber}`,
    title: 'Your money is on its way back.',
    paragraphs: [
      isWhole
        ? `We have refunded all of order PF${order.orderNumber}.`
        : `We have refunded a part of order PF${order.orderNumber}.`,
      MONEY_BACK,
    ],
    facts: [
      ['Refunded', formatUsd(amount)],
      ['You had paid', formatUsd(total)],
    ],
    button: 'See your order',
  })
}

/** A refund that was told to be on its way did not reach the shopper: the bank sent it back. */
export const refundReturnedMail = (order: MentionedOrder, amount: Cents): WrittenMail =>
  orderMail(order, {
    subject: `Your refund for order PF${order.orderNumber} did not arrive`,
    title: 'Your refund did not arrive.',
    paragraphs: [
      `We refunded ${formatUsd(amount)} of order PF${order.orderNumber}, and your bank or wallet sent the money back to us. That happens when a card or account was closed.`,
      'The money is still yours. We send it another way and write to you when it is on its way. You can reply to this email and tell us which way suits you. Please never send a card number.',
    ],
    facts: [['Still owed to you', formatUsd(amount)]],
    button: 'See your order',
  })

/** Somebody came with a link that had expired: here is a new one, for whoever reads the order's mail. */
export const orderLinkMail = (order: MentionedOrder): WrittenMail =>
  orderMail(order, {
    subject: `A new link to your order PF${order.orderNumber}`,
    title: 'Here is your order again.',
    paragraphs: [
      `This link opens the page of order PF${order.orderNumber}. Whoever has it can read the order, so keep it to yourself.`,
      `Was it not you who asked for it at ${label.name}? Then you need not do anything: the link came to you alone.`,
    ],
    button: 'See your order',
  })
