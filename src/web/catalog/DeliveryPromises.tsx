import type { ReactNode } from 'react'
import { DELIVERY_BUSINESS_DAYS, PROCESSING_BUSINESS_DAYS, RETURN_WINDOW_DAYS, type DayRange } from '#site/policies.ts'
import { formatRange } from '#site/text-format.ts'
import { arrivalWindow, type EpochDay } from '#domain/catalog/arrival.ts'
import { DAY_MS } from '#shared/time.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'

const { standard, international } = DELIVERY_BUSINESS_DAYS.policyPage

/** The shipping and quality card. @param today the server's day, so that both sides write the same */
export function DeliveryPromises({ today }: { today: EpochDay | undefined }) {
  const terms = useShippingTerms()
  return (
    <section
      aria-label="Shipping and quality"
      className="mt-8 rounded-card border border-line bg-surface p-5 shadow-card"
    >
      <ul className="grid gap-4">
        <Fact icon="truck" title={terms?.isFree ? 'Free worldwide shipping' : 'Worldwide shipping'}>
          Made in {formatRange(PROCESSING_BUSINESS_DAYS)} business days, then sent with tracking.
          {today !== undefined && (
            <>
              {' '}
              Ordered today, it arrives
              <span className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-4">
                <span>Standard</span>
                <ArrivalWindow today={today} travelling={standard} />
                <span>International</span>
                <ArrivalWindow today={today} travelling={international} />
              </span>
            </>
          )}
        </Fact>
        <Fact icon="needle" title="Made for you">
          Printed or stitched one by one, after you order.
        </Fact>
        <Fact icon="seal" title="Quality we stand behind">
          Defects, wrong items and damage are put right within {RETURN_WINDOW_DAYS} days of delivery.
        </Fact>
      </ul>
    </section>
  )
}

const Fact = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <li className="flex gap-4">
    <Icon name={icon} className="mt-0.5 size-6 text-accent" />
    <div className="min-w-0">
      <p className="leading-snug font-semibold">{title}</p>
      <p className="text-[0.9375rem] text-ink-soft">{children}</p>
    </div>
  </li>
)

const ArrivalWindow = ({ today, travelling }: { today: EpochDay; travelling: DayRange }) => {
  const { from, to } = arrivalWindow(today, PROCESSING_BUSINESS_DAYS, travelling)
  return (
    <span className="font-medium text-ink">
      {dayFormat.format(from * DAY_MS)} to {dayFormat.format(to * DAY_MS)}
    </span>
  )
}

const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
