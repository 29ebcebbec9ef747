import { formatRange } from '#site/text-format.ts'
import type { Specs } from '#contract/catalog.ts'
import { useSite } from '#web/api/use-site.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { SizeGuide } from './SizeGuide.tsx'

/** Specification, section 9, Product specs. */
export function SpecsPanel({ specs: { facts, sizeLabel, sizeTable } }: { specs: Specs }) {
  const { processingDays, standardDays, internationalDays, returnDays } = useSite()
  return (
    <div className="border-t border-line text-ink-soft">
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
          We make it in {formatRange(processingDays)} business days. Shipping takes {formatRange(standardDays)} business
          days, or {formatRange(internationalDays)} to other countries.
        </p>
        <p className="mt-3">
          Wrong, faulty or damaged? Tell us within {returnDays} days of delivery and we replace or refund it.
        </p>
      </Accordion>
    </div>
  )
}
