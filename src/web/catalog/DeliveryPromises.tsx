import type { ReactNode } from 'react'
import { formatRange } from '#site/text-format.ts'
import { useSite } from '#web/api/use-site.ts'
import { ToDoorPlace } from '#web/cart/ToDoorPlace.tsx'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

/** @param variant the piece to quote; undefined if it can't be bought */
export function DeliveryPromises({ variant, quantity }: { variant: number | undefined; quantity: number }) {
  const terms = useShippingTerms()
  const { processingDays, returnDays } = useSite()
  return (
    <section
      aria-label="Shipping and quality"
      className="mt-8 rounded-card border border-line bg-surface p-5 shadow-card"
    >
      <ToDoorPlace of={{ variant: variant ?? null, quantity }} />
      <ul className="mt-4 grid gap-4 border-t border-line pt-4 noscript:mt-0 noscript:border-0 noscript:pt-0">
        <DeliveryPromise icon="truck" title={terms?.isFree ? 'Free worldwide shipping' : 'Worldwide shipping'}>
          Made in {formatRange(processingDays)} business days, then shipped with tracking.
        </DeliveryPromise>
        <DeliveryPromise icon="needle" title="Made for you">
          Printed or stitched one by one, after you order.
        </DeliveryPromise>
        <DeliveryPromise icon="seal" title="Quality we stand behind">
          Wrong, faulty or damaged? Tell us within {returnDays} days of delivery and we replace or refund it.
        </DeliveryPromise>
      </ul>
    </section>
  )
}

const DeliveryPromise = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <li className="flex gap-4">
    <Icon name={icon} className="mt-0.5 size-6 text-accent" />
    <div className="min-w-0">
      <p className="leading-snug font-semibold">{title}</p>
      <p className="text-[0.9375rem] text-ink-soft">{children}</p>
    </div>
  </li>
)
