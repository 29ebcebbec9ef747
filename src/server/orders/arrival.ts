import type { SiteSettings } from '#site/shop-rules.ts'
import { arrivalWindow, dayOf, transitTo, type DeliveryDays, type Window } from '#domain/catalog/arrival.ts'
import { arrivalToTell, type ToldArrival } from '#domain/orders/lateness.ts'
import type { MailedStep } from '#domain/orders/tracking.ts'
import type { Order } from './orders.ts'
import type { Shipment } from './production.ts'

type Promised = Pick<Order, 'createdAt' | 'shippingAddress' | 'promisedFrom' | 'promisedTo'>

/** When an order was said to arrive: as shown when it was paid, otherwise by today's settings. */
export function promisedOf(order: Promised, days: DeliveryDays): Window {
  const { promisedFrom: from, promisedTo: to } = order
  if (from !== null && to !== null) return { from, to }
  return arrivalWindow(dayOf(order.createdAt), order.shippingAddress.country, days)
}

/** Where the policy pages name fewer days. */
const HOME = 'US'

/**
 * What a shopper is told about the arrival of a parcel, or of what has not shipped.
 * @param parcel null: not shipped
 */
export function arrivalOf(
  order: Promised,
  parcel: Pick<Shipment, 'id' | 'shippedAt' | 'estimatedFrom' | 'estimatedTo'> | null,
  days: DeliveryDays & Pick<SiteSettings, 'standardDays'>,
  now: Date,
): ToldArrival {
  const { country } = order.shippingAddress
  return arrivalToTell(
    {
      promised: promisedOf(order, days),
      traveling: transitTo(country, days),
      // The longest that the policy pages name.
      giveUpAfter: (country === HOME ? days.standardDays : days.internationalDays).to,
      parcel: parcel && {
        sent: dayOf(parcel.shippedAt),
        estimate:
          parcel.estimatedTo === null
            ? null
            : { from: parcel.estimatedFrom ?? parcel.estimatedTo, to: parcel.estimatedTo },
      },
    },
    dayOf(now),
  )
}

/**
 * The days that the carrier itself names for a parcel that is out for delivery: today and no other, or none. After a failed attempt:
 * those after today, or none. What was promised says nothing of either.
 */
export function daysOfCarrier(
  step: MailedStep,
  { estimatedFrom, estimatedTo: to }: Pick<Shipment, 'estimatedFrom' | 'estimatedTo'>,
  now: Date,
): Window | null {
  const today = dayOf(now)
  if (to === null) return null
  const from = estimatedFrom ?? to
  if (step === 'out_for_delivery') return from === today && to === today ? { from, to } : null
  return to > today ? { from: Math.max(from, today + 1), to } : null
}
