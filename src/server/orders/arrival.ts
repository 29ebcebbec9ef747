import type { SiteSettings } from '#site/shop-rules.ts'
import { arrivalWindow, dayOf, transitTo, type DeliveryDays, type Window } from '#domain/catalog/arrival.ts'
import { arrivalToTell, type ToldArrival } from '#domain/orders/lateness.ts'
import type { Order } from './orders.ts'
import type { Shipment } from './production.ts'

type Promised = Pick<Order, 'createdAt' | 'shippingAddress' | 'promisedFrom' | 'promisedTo'>

/** When an order was said to arrive: as shown when it was paid, otherwise by today's settings. */
export function promisedOf(order: Promised, days: DeliveryDays): Window {
  const { promisedFrom: from, promisedTo: to } = order
  if (from !== null && to !== null) return { from, to }
  return arrivalWindow(dayOf(order.createdAt), order.shippingAddress.country, days)
}

/** When the carrier expects a parcel; null if it has not said. */
export const estimateOf = ({
  estimatedFrom,
  estimatedTo,
}: Pick<Shipment, 'estimatedFrom' | 'estimatedTo'>): Window | null =>
  estimatedTo === null ? null : { from: estimatedFrom ?? estimatedTo, to: estimatedTo }

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
        estimate: estimateOf(parcel),
      },
    },
    dayOf(now),
  )
}
