import { label } from '#site/label.ts'
import { REFUND_BUSINESS_DAYS, RETURN_WINDOW_DAYS } from '#site/policies.ts'
import type { OrderView } from '#contract/orders.ts'

type OrderMessage = { title: string; next: string }

const { from, to } = REFUND_BUSINESS_DAYS

/** How an order stands, and what happens next, by where its making and sending stands. */
const messagesByStatus: Readonly<Record<string, OrderMessage>> = {
  waiting: {
    title: 'Thank you. Your order is paid.',
    next: 'We hand it to our printer now. You get a mail as soon as a parcel leaves.',
  },
  submitted: {
    title: 'Your order is with our printer.',
    next: 'Every piece is made for you, one by one. You get a mail as soon as a parcel leaves.',
  },
  in_production: {
    title: 'Your order is being made.',
    next: 'It is printed or stitched, looked at and packed. You get a mail as soon as a parcel leaves.',
  },
  partially_shipped: {
    title: 'Part of your order is on its way.',
    next: 'The rest follows in a parcel of its own, with a mail of its own.',
  },
  shipped: {
    title: 'Your order is on its way.',
    next: 'Follow it with the carrier below. We write to you when it has arrived.',
  },
  delivered: {
    title: 'Your order has arrived.',
    next: `Is something wrong, damaged or missing? Tell us within ${RETURN_WINDOW_DAYS} days of delivery and we put it right.`,
  },
  on_hold: {
    title: 'Your order waits for a moment.',
    next: 'Something about it needs a look from us. You do not need to do anything; we write to you if we need your help.',
  },
  canceled: {
    title: 'Your order was canceled.',
    next: `It could not be made. We write to you when your money is on its way; from then it takes ${from} to ${to} business days.`,
  },
  returned: {
    title: 'Your parcel came back to us.',
    next: 'It could not be delivered. Write to us, and we find out together how it reaches you.',
  },
}

const refundedMessage: OrderMessage = {
  title: 'Your order was refunded.',
  next: `The money reaches you ${from} to ${to} business days after we send it, by the way you paid.`,
}

const addressMessage: OrderMessage = {
  title: 'We need your help with the address.',
  next: 'Our printer cannot send to it as it stands. Please correct it below, or write to us; your order goes on by itself then.',
}

const replacementMessage: OrderMessage = {
  title: 'A replacement is on its way.',
  next: 'A parcel came back to us, and we have sent another. Follow it with the carrier below.',
}

export function orderMessage({ status, fulfillment, parcels, ...order }: OrderView): OrderMessage {
  if (status === 'refunded') return refundedMessage
  if (order.needsAddress) return addressMessage
  const isReplaced = parcels.some(
    ({ name, deliveredAt, returnedAt }) => isReplacement(name) && !deliveredAt && !returnedAt,
  )
  if (fulfillment === 'returned' && isReplaced) return replacementMessage
  // Whatever else waits for somebody, waits for us.
  return messagesByStatus[fulfillment] ?? (messagesByStatus['on_hold'] as OrderMessage)
}

const isReplacement = (name: string): boolean => name.startsWith('Replacement')

type OrderStep = OrderView['milestones'][number]['station']

export const orderStepLabels: Readonly<Record<OrderStep, string>> = {
  paid: 'Paid',
  submitted: 'With our printer',
  in_production: 'Being made',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  returned: 'Came back to us',
}

// The shop's own: the server and every browser write the same, and in the evening it is not tomorrow yet.
const { timeZone } = label
const day = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric' })
const dayOfYear = new Intl.DateTimeFormat('en-US', { timeZone, month: 'long', day: 'numeric', year: 'numeric' })
const promisedDayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })

/** `Nov 21`, where something happened. */
export const shortDay = (moment: string): string => day.format(new Date(moment))
export const longDay = (moment: string): string => dayOfYear.format(new Date(moment))

/** `Dec 1` of an arrival, which is reckoned in days of UTC as on the page of the goods. */
export const promisedDay = (moment: string): string => promisedDayFormat.format(new Date(moment))

/** Letter by letter, for those who listen: `K 7 Q M, 4 T 2 X`. */
export const spellOrderNumber = (orderNumber: string): string =>
  orderNumber
    .split('-')
    .map((half) => half.split('').join(' '))
    .join(', ')
