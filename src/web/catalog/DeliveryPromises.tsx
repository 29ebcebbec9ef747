import type { ReactNode } from 'react'
import type { DayRange } from '#site/policies.ts'
import { formatRange } from '#site/text-format.ts'
import { arrivalWindow, type EpochDay } from '#domain/catalog/arrival.ts'
import { DAY_MS } from '#shared/time.ts'
import { useSite } from '#web/api/use-site.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

/** @param today the server's day, so hydration matches */
export function DeliveryPromises({ today }: { today: EpochDay | undefined }) {
  const terms = useShippingTerms()
  const { processingDays, standardDays, internationalDays, returnDays } = useSite()
  return (
    <section
      aria-label="Shipping and quality"
      className="mt-8 rounded-card border border-line bg-surface p-5 shadow-card"
    >
      <ul className="grid gap-4">
        <DeliveryPromise icon="truck" title={terms?.isFree ? 'Free worldwide shipping' : 'Worldwide shipping'}>
          Made in {formatRange(processingDays)} business days, then shipped with tracking.
          {today !== undefined && (
            <span className="mt-1.5 block">
              Order today, get it <ArrivalWindow today={today} making={processingDays} shipping={standardDays} /> (US).
              Elsewhere <ArrivalWindow today={today} making={processingDays} shipping={internationalDays} />.
            </span>
          )}
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

type WindowProps = { today: EpochDay; making: DayRange; shipping: DayRange }

const ArrivalWindow = ({ today, making, shipping }: WindowProps) => {
  const { from, to } = arrivalWindow(today, making, shipping)
  return <span className="font-medium whitespace-nowrap text-ink">{formatDays(from, to)}</span>
}

const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })

/** `Dec 1-11`, `Dec 28-Jan 8`. */
function formatDays(from: EpochDay, to: EpochDay): string {
  const [first, last] = [dayFormat.format(from * DAY_MS), dayFormat.format(to * DAY_MS)]
  const [[firstMonth], [lastMonth, lastDay]] = [first.split(' '), last.split(' ')]
  return `${first}-${firstMonth === lastMonth ? lastDay : last}`
}
