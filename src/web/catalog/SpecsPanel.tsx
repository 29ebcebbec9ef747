import { DELIVERY_BUSINESS_DAYS, PROCESSING_BUSINESS_DAYS, RETURN_WINDOW_DAYS } from '#site/policies.ts'
import { formatRange } from '#site/text-format.ts'
import type { Specs } from '#contract/catalog.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { SizeGuide } from './SizeGuide.tsx'

/** Specification, section 9, Product specs. */
export function SpecsPanel({ specs: { facts, sizeLabel, sizeTable } }: { specs: Specs }) {
  const { standard, international } = DELIVERY_BUSINESS_DAYS.policyPage
  return (
    <div className="border-t border-line">
      <Accordion title="Product details" open>
        <dl className="grid gap-x-6 sm:gap-y-2.5 sm:grid-cols-[9rem_1fr]">
          {facts.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="font-medium text-ink max-sm:mt-2.5">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Accordion>
      {sizeTable && (
        <Accordion title="Size guide">
          <SizeGuide sizeLabel={sizeLabel} table={sizeTable} />
        </Accordion>
      )}
      <Accordion title="Shipping and returns">
        <p>
          We make it in {formatRange(PROCESSING_BUSINESS_DAYS)} business days. Shipping takes {formatRange(standard)}{' '}
          business days, or {formatRange(international)} to other countries.
        </p>
        <p className="mt-3">
          Wrong, faulty or damaged? Tell us within {RETURN_WINDOW_DAYS} days of delivery and we replace or refund it.
        </p>
      </Accordion>
    </div>
  )
}
