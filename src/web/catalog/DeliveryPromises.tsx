import type { ReactNode } from 'react'
import { formatRange } from '#site/text-format.ts'
import { say } from '#words/say.ts'
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
      aria-label={say('Shipping and quality')}
      className="mt-6 rounded-card border border-line bg-surface px-5 pt-2.5 pb-5 shadow-card"
    >
      <ToDoorPlace of={{ variant: variant ?? null, quantity }} />
      <ul className="mt-2.5 grid gap-4 border-t border-line pt-5 noscript:mt-0 noscript:border-0 noscript:pt-0">
        <DeliveryPromise
          icon="truck"
          title={terms?.isFree ? say('Free worldwide shipping') : say('Worldwide shipping')}
        >
          {say('Made in {days} business days, then shipped with tracking.', { days: formatRange(processingDays) })}
        </DeliveryPromise>
        <DeliveryPromise icon="needle" title={say('Made for you')}>
          {say('Printed or stitched one by one, after you order.')}
        </DeliveryPromise>
        <DeliveryPromise icon="seal" title={say('Quality we stand behind')}>
          {say('Wrong, faulty or damaged? Tell us within {days} days of delivery and we replace or refund it.', {
            days: returnDays,
          })}
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
