import type { Goods, Parcel } from '#contract/orders.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ParcelEvents } from './ParcelEvents.tsx'
import { shortDay } from './order-labels.ts'

type ParcelProps = {
  parcel: Parcel
  /** How its goods are shown: not at all where the page lists the whole order anyway. */
  goods?: 'pictures' | 'names' | 'none'
  isTrackedAbove?: boolean
}

/** A parcel with its carrier, its way and what is in it. */
export function ParcelCard({ parcel, goods = 'pictures', isTrackedAbove = false }: ParcelProps) {
  const { name, carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt, returnedAt, lostAt, items } = parcel
  return (
    <li className="not-first:border-t not-first:border-line not-first:pt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        {name !== ONLY_PARCEL && <h3 className="text-[1.25rem] leading-tight">{sayMade(name)}</h3>}
        <p className={classNames('font-medium', deliveredAt !== null && returnedAt === null && 'text-good')}>
          {returnedAt
            ? say('Returned to us {day}', { day: shortDay(returnedAt) })
            : deliveredAt
              ? say('Delivered {day}', { day: shortDay(deliveredAt) })
              : lostAt
                ? say('Probably lost')
                : say('Shipped {day}', { day: shortDay(shippedAt) })}
        </p>
      </div>
      <dl className="mt-3 grid gap-x-8 gap-y-2 text-[0.9375rem] sm:grid-cols-[auto_1fr]">
        {carrier && (
          <div>
            <dt className="text-ink-soft">{say('Carrier')}</dt>
            <dd className="font-medium">{carrier}</dd>
          </div>
        )}
        {trackingNumber && (
          <div>
            <dt className="text-ink-soft">{say('Tracking number')}</dt>
            <dd className="font-medium [overflow-wrap:anywhere]">{trackingNumber}</dd>
          </div>
        )}
      </dl>
      {trackingUrl && !isTrackedAbove && (
        <p className="mt-3">
          <TrackLink parcel={parcel} />
        </p>
      )}
      <ParcelEvents events={parcel.events} />
      {goods === 'pictures' && <GoodsList goods={items} />}
      {goods === 'names' && <GoodsNames goods={items} />}
    </li>
  )
}

/** To the carrier's page of a parcel that has one. */
export const TrackLink = ({ parcel, isButton = false }: { parcel: Parcel; isButton?: boolean }) => (
  <a
    href={parcel.trackingUrl ?? undefined}
    rel="noopener noreferrer"
    className={
      isButton
        ? buttonClass('primary', 'gap-2 max-sm:w-full')
        : 'link-line inline-flex min-h-11 items-center gap-2 font-semibold'
    }
  >
    {parcel.name === ONLY_PARCEL ? say('Track the parcel') : sayMade(`Track ${parcel.name.toLowerCase()}`)}
    <Icon name="out" className="size-4" />
  </a>
)

/** Its heading, 'Your parcel', is enough. */
const ONLY_PARCEL = 'Parcel'

const goodsFacts = (variantName: string | null, quantity: number): string =>
  [variantName && sayVariant(variantName), say('Quantity {quantity}', { quantity })].filter(Boolean).join(', ')

/** Of goods that the page shows in full elsewhere. */
export const GoodsNames = ({ goods }: { goods: readonly Goods[] }) => (
  <ul className="mt-3 grid gap-1 text-[0.9375rem] text-ink-soft">
    {goods.map(({ productName, variantName, quantity }) => (
      <li
        key={`${productName} ${variantName}`}
      >{`${spokenName(productName)}, ${goodsFacts(variantName, quantity)}`}</li>
    ))}
  </ul>
)

export const GoodsList = ({ goods }: { goods: readonly Goods[] }) => (
  <ul className="mt-4 grid gap-3">
    {goods.map(({ productName, variantName, imageUrl, quantity }) => (
      <li key={`${productName} ${variantName}`} className="flex items-center gap-4">
        <LinePicture src={imageUrl} size="size-14" />
        <p className="min-w-0 leading-snug [&_.title]:font-display [&_.title]:text-[1.0625rem] [&_.title]:font-medium">
          <ProductName name={productName} />
          <span className="block text-[0.9375rem] text-ink-soft">{goodsFacts(variantName, quantity)}</span>
        </p>
      </li>
    ))}
  </ul>
)
