import { label } from '#site/label.ts'
import type { PageSettings } from '#site/settings.ts'
import type { OrderView } from '#contract/orders.ts'
import { formatOrderNumber } from '#shared/ids.ts'

type OrderMessage = { title: string; next: string }

const PAID = 'Thank you. Your order is paid.'

/** Keyed by fulfillment status. */
const messagesByStatus = ({
  returnDays,
  refundDays: { from, to },
}: PageSettings): Readonly<Record<string, OrderMessage>> & { on_hold: OrderMessage } => ({
  waiting: { title: PAID, next: 'We are handing it to our printer. We’ll email you when it ships.' },
  submitted: {
    title: 'Your order is with our printer.',
    next: 'Every piece is made for you, one by one. We’ll email you when it ships.',
  },
  in_production: {
    title: 'Your order is being made.',
    next: 'It is printed or stitched, checked and packed. We’ll email you when it ships.',
  },
  partially_shipped: {
    title: 'Part of your order is on its way.',
    next: 'The rest ships separately. We’ll email you when it does.',
  },
  shipped: {
    title: 'Your order is on its way.',
    next: 'Track it with the carrier below. We’ll email you when it arrives.',
  },
  delivered: {
    title: 'Your order has arrived.',
    next: `Something wrong, damaged or missing? Tell us within ${returnDays} days of delivery and we’ll fix it.`,
  },
  on_hold: {
    title: 'Your order is on hold for now.',
    next: 'We are checking something. You don’t need to do anything; we’ll email you if we need your help.',
  },
  cancelled: {
    title: 'Your order was canceled.',
    next: `It could not be made. We’ll email you when your refund is on its way; it then takes ${from} to ${to} business days.`,
  },
  returned: {
    title: 'Your parcel came back to us.',
    next: 'It could not be delivered. Tell us here where a new one should go, or write to us.',
  },
})

const refundedMessage = ({ refundDays: { from, to } }: PageSettings, isMadeAnyway: boolean): OrderMessage => ({
  title: 'Your order was refunded.',
  next: `The money goes back to the card or wallet you paid with and arrives in ${from} to ${to} business days.${isMadeAnyway ? ' Our printer had already begun, though. Nothing changes about your refund: what arrives is yours to keep.' : ''}`,
})

const freeTitles: Readonly<Record<string, string>> = {
  replacement: 'We are handing your replacement to our printer.',
  sample: 'We are handing your sample to our printer.',
  gift: 'We are handing your gift to our printer.',
}

/** An order without a payment says nothing about money. */
const freeMessages = (kind: OrderView['kind']): Readonly<Record<string, OrderMessage>> => ({
  waiting: { title: freeTitles[kind] ?? '', next: 'You won’t be charged for it. We’ll email you when it ships.' },
  cancelled: { title: 'Your order was canceled.', next: 'It won’t be made. Nothing was charged for it.' },
})

const canceledMessage = ({ refundDays: { from, to } }: PageSettings): OrderMessage => ({
  title: 'Your order is canceled.',
  next: `You canceled it in time, so nothing is made. Your money goes back to the card or wallet you paid with and arrives in ${from} to ${to} business days.`,
})

/** Paid orders wait at the shop, by why they can't be changed; null while they can. */
const unsentMessages = new Map<NonNullable<OrderView['changes']>['objection'], OrderMessage>([
  [
    null,
    { title: PAID, next: 'We’ll start making it when the time for changes is over, and email you when it ships.' },
  ],
  ['disputed', { title: PAID, next: 'We haven’t started making it yet.' }],
])

const addressMessage: OrderMessage = {
  title: 'We need your help with the address.',
  next: 'Our printer cannot ship to it. Please correct it below, or write to us. Your order then continues by itself.',
}

const replacementMessage: OrderMessage = {
  title: 'A replacement is on its way.',
  next: 'A parcel came back to us, so we sent another. Track it with the carrier below.',
}

export function orderMessage({ status, fulfillment, parcels, ...order }: OrderView, site: PageSettings): OrderMessage {
  if (order.changes?.canceledAt) return canceledMessage(site)
  if (status === 'refunded') return refundedMessage(site, order.isMadeAnyway)
  if (order.needsAddress) return addressMessage
  const isReplaced = parcels.some(
    ({ name, deliveredAt, returnedAt }) => isReplacement(name) && !deliveredAt && !returnedAt,
  )
  if (fulfillment === 'returned' && isReplaced) return replacementMessage
  const unsent = fulfillment === 'waiting' && order.changes ? unsentMessages.get(order.changes.objection) : undefined
  if (unsent) return unsent
  // Every other status waits for the shop, not for the shopper.
  const messages = { ...messagesByStatus(site), ...(order.kind !== 'sale' && freeMessages(order.kind)) }
  return messages[fulfillment] ?? messages.on_hold
}

/** What to do about a wrong address, by fulfillment status, for a visitor who can't correct it on the page. */
export const addressNotes: Readonly<Record<string, string>> = {
  waiting: 'To correct it, open the link in our email.',
  submitted: 'Not right? Message us before it ships.',
  in_production: 'Not right? Message us before it ships.',
}

const isReplacement = (name: string): boolean => name.startsWith('Replacement')

type OrderStep = OrderView['milestones'][number]['station']

export const orderStepLabels: Readonly<Record<OrderStep, string>> = {
  paid: 'Paid',
  submitted: 'With our printer',
  in_production: 'Being made',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Canceled',
  returned: 'Returned to us',
}

// The shop's time zone, so server and browser render the same date.
const { timeZone } = label
const day = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric' })
const dayOfYear = new Intl.DateTimeFormat('en-US', { timeZone, month: 'long', day: 'numeric', year: 'numeric' })
const promisedDayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })

/** `Nov 21`. */
export const shortDay = (moment: string): string => day.format(new Date(moment))
export const longDay = (moment: string): string => dayOfYear.format(new Date(moment))

/** `Dec 1`. Arrival days are UTC days, as on the product page. */
export const promisedDay = (moment: string): string => promisedDayFormat.format(new Date(moment))

/** For screen readers: `P F K 7 Q M, 4 T 2 X`. */
export const spellOrderNumber = (orderNumber: string): string =>
  formatOrderNumber(orderNumber)
    .split('-')
    .map((half) => half.split('').join(' '))
    .join(', ')
