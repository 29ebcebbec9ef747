import type { SiteSettings } from '#site/shop-rules.ts'
import { arrivalWindow, dayOf, transitTo, type DeliveryDays } from '#domain/catalog/arrival.ts'
import { arrivalToTell, type ToldArrival } from '#domain/orders/lateness.ts'
import type { Order } from './orders.ts'
import type { Shipment } from './production.ts'

/** Where the policy pages name fewer days. */
const HOME = 'US'

/**
 * What a shopper is told about the arrival of a parcel, or of what has not shipped.
 * @param parcel null: not shipped
 */
export function arrivalOf(
  { createdAt, shippingAddress: { country } }: Pick<Order, 'createdAt' | 'shippingAddress'>,
  parcel: Pick<Shipment, 'id' | 'shippedAt' | 'estimatedFrom' | 'estimatedTo'> | null,
  days: DeliveryDays & Pick<SiteSettings, 'standardDays'>,
  now: Date,
): ToldArrival {
  return arrivalToTell(
    {
      promised: arrivalWindow(dayOf(createdAt), country, days),
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
