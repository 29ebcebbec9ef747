import type { SiteSettings } from '#site/shop-rules.ts'
import { arrivalWindow, type EpochDay } from '#domain/catalog/arrival.ts'
import { arrivalToTell, type ToldArrival } from '#domain/orders/lateness.ts'
import { readTracking } from '#domain/orders/tracking.ts'
import { DAY_MS } from '#shared/time.ts'
import type { Order } from './orders.ts'
import type { Shipment, TrackingEvent } from './production.ts'

/** Most orders are printed here, so delivery is faster than elsewhere. */
const HOME = 'US'

const dayOf = (moment: Date): EpochDay => Math.floor(moment.getTime() / DAY_MS)

export const isoDate = (day: EpochDay): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Business days on the way to an order's address. */
export const travelingTo = (
  { shippingAddress }: Pick<Order, 'shippingAddress'>,
  { standardDays, internationalDays }: Pick<SiteSettings, 'standardDays' | 'internationalDays'>,
) => (shippingAddress.country === HOME ? standardDays : internationalDays)

/**
 * What a shopper is told about the arrival of a parcel, or of what has not shipped.
 * @param parcel null: not shipped @param events of the order's parcels, the latest first
 */
export function arrivalOf(
  order: Pick<Order, 'createdAt' | 'shippingAddress'>,
  parcel: Pick<Shipment, 'id' | 'shippedAt' | 'estimatedFrom' | 'estimatedTo'> | null,
  events: readonly TrackingEvent[],
  site: Pick<SiteSettings, 'processingDays' | 'standardDays' | 'internationalDays'>,
  now: Date,
): ToldArrival {
  const traveling = travelingTo(order, site)
  const latest = parcel && events.find(({ shipmentId }) => shipmentId === parcel.id)
  return arrivalToTell(
    {
      promised: arrivalWindow(dayOf(order.createdAt), site.processingDays, traveling),
      traveling,
      parcel: parcel && {
        sent: dayOf(parcel.shippedAt),
        estimate:
          parcel.estimatedTo === null
            ? null
            : { from: parcel.estimatedFrom ?? parcel.estimatedTo, to: parcel.estimatedTo },
        isOutForDelivery: latest ? readTracking(latest.description).step === 'out_for_delivery' : false,
      },
    },
    dayOf(now),
  )
}
