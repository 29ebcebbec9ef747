import { label } from '#site/label.ts'
import type { PageSettings } from '#site/settings.ts'
import type { OrderView } from '#contract/orders.ts'
import { placeName } from '#domain/checkout/address.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { dateFormat } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'

type OrderMessage = { title: string; next: string }

const paid = () => say('Thank you. Your order is paid.')

/** Keyed by fulfillment status. */
const messagesByStatus = ({
  returnDays,
  refundDays: { from, to },
}: PageSettings): Readonly<Record<string, OrderMessage>> & { on_hold: OrderMessage } => ({
  waiting: { title: paid(), next: say('We are handing it to our printer. We’ll email you when it ships.') },
  submitted: {
    title: say('Your order is with our printer.'),
    next: say('Every piece is made for you, one by one. We’ll email you when it ships.'),
  },
  in_production: {
    title: say('Your order is being made.'),
    next: say('It is printed or stitched, checked and packed. We’ll email you when it ships.'),
  },
  partially_shipped: {
    title: say('Part of your order is on its way.'),
    next: say('The rest ships separately. We’ll email you when it does.'),
  },
  shipped: {
    title: say('Your order is on its way.'),
    next: say('Track it with the carrier below. We’ll email you when it arrives.'),
  },
  delivered: {
    title: say('Your order has arrived.'),
    next: say('Something wrong, damaged or missing? Tell us within {days} days of delivery and we’ll fix it.', {
      days: returnDays,
    }),
  },
  on_hold: {
    title: say('Your order is on hold for now.'),
    next: say('We are checking something. You don’t need to do anything; we’ll email you if we need your help.'),
  },
  cancelled: {
    title: say('Your order was canceled.'),
    next: say(
      'It could not be made. We’ll email you when your refund is on its way; it then takes {from} to {to} business days.',
      { from, to },
    ),
  },
  returned: {
    title: say('Your parcel came back to us.'),
    next: say('It could not be delivered. Tell us here where a new one should go, or write to us.'),
  },
})

const refundedMessage = ({ refundDays: { from, to } }: PageSettings, isMadeAnyway: boolean): OrderMessage => ({
  title: say('Your order was refunded.'),
  next: [
    say('The money goes back to the card or wallet you paid with and arrives in {from} to {to} business days.', {
      from,
      to,
    }),
    ...(isMadeAnyway
      ? [
          say(
            'Our printer had already begun, though. Nothing changes about your refund: what arrives is yours to keep.',
          ),
        ]
      : []),
  ].join(' '),
})

const freeTitles = {
  sale: 'Thank you. Your order is paid.',
  replacement: 'We are handing your replacement to our printer.',
  sample: 'We are handing your sample to our printer.',
  gift: 'We are handing your gift to our printer.',
} as const satisfies Record<OrderView['kind'], Word>

/** An order without a payment says nothing about money. */
const freeMessages = (kind: OrderView['kind']): Readonly<Record<string, OrderMessage>> => ({
  waiting: { title: say(freeTitles[kind]), next: say('You won’t be charged for it. We’ll email you when it ships.') },
  cancelled: { title: say('Your order was canceled.'), next: say('It won’t be made. Nothing was charged for it.') },
})

const canceledMessage = ({ refundDays: { from, to } }: PageSettings): OrderMessage => ({
  title: say('Your order is canceled.'),
  next: say(
    'You canceled it in time, so nothing is made. Your money goes back to the card or wallet you paid with and arrives in {from} to {to} business days.',
    { from, to },
  ),
})

/** Paid orders wait at the shop, by why they can't be changed; null while they can. */
function unsentMessage({ objection }: NonNullable<OrderView['changes']>): OrderMessage | undefined {
  // Until when is said where it can be changed.
  if (objection === null) return { title: paid(), next: say('We’ll email you the tracking number when it ships.') }
  return objection === 'disputed' ? { title: paid(), next: say('We haven’t started making it yet.') } : undefined
}

const addressMessage = (): OrderMessage => ({
  title: say('We need your help with the address.'),
  next: say(
    'Our printer cannot ship to it. Please correct it below, or write to us. Your order then continues by itself.',
  ),
})

const replacementMessage = (): OrderMessage => ({
  title: say('A replacement is on its way.'),
  next: say('A parcel came back to us, so we sent another. Track it with the carrier below.'),
})

export function orderMessage({ status, fulfillment, parcels, ...order }: OrderView, site: PageSettings): OrderMessage {
  if (order.changes?.canceledAt) return canceledMessage(site)
  if (status === 'refunded') return refundedMessage(site, order.isMadeAnyway)
  if (order.needsAddress) return addressMessage()
  const isReplaced = parcels.some(
    ({ name, deliveredAt, returnedAt }) => isReplacement(name) && !deliveredAt && !returnedAt,
  )
  if (fulfillment === 'returned' && isReplaced) return replacementMessage()
  const unsent = fulfillment === 'waiting' && order.changes ? unsentMessage(order.changes) : undefined
  if (unsent) return unsent
  // Every other status waits for the shop, not for the shopper.
  const messages = { ...messagesByStatus(site), ...(order.kind !== 'sale' && freeMessages(order.kind)) }
  return messages[fulfillment] ?? messages.on_hold
}

/** What to do about a wrong address, by fulfillment status, for a visitor who can't correct it on the page. */
export function addressNote(fulfillment: string): string | undefined {
  if (fulfillment === 'waiting') return say('To correct it, open the link in our email.')
  const isMade = fulfillment === 'submitted' || fulfillment === 'in_production'
  return isMade ? say('Not right? Message us before it ships.') : undefined
}

const isReplacement = (name: string): boolean => name.startsWith('Replacement')

type OrderStep = OrderView['milestones'][number]['station']

export const orderStepLabels = {
  paid: 'Paid',
  submitted: 'With our printer',
  in_production: 'Being made',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Canceled',
  returned: 'Returned to us',
} as const satisfies Record<OrderStep, Word>

// The shop's time zone, so server and browser render the same date.
const { timeZone } = label

/** `Nov 21`. */
export const shortDay = (moment: string): string =>
  dateFormat({ timeZone, month: 'short', day: 'numeric' }).format(new Date(moment))
export const longDay = (moment: string): string =>
  dateFormat({ timeZone, month: 'long', day: 'numeric', year: 'numeric' }).format(new Date(moment))

/** `Dec 1`. Arrival days are UTC days, as on the product page. */
export const promisedDay = (moment: string): string =>
  dateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' }).format(new Date(moment))

/** Where it goes: `Sydney, Australia`. */
export const placeOf = ({ place, city, countryCode }: OrderView): string =>
  countryCode === 'US' ? place : placeName({ city, state: null, country: countryCode })

/** For screen readers: `P F K 7 Q M, 4 T 2 X`. */
export const spellOrderNumber = (orderNumber: string): string =>
  formatOrderNumber(orderNumber)
    .split('-')
    .map((half) => half.split('').join(' '))
    .join(', ')
