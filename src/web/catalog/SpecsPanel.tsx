import { formatRange } from '#site/text-format.ts'
import type { Specs } from '#contract/catalog.ts'
import { say, sayKnown, sayMeaning } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { SizeGuide } from './SizeGuide.tsx'

/** `Back` of a hat is another word than the button's. */
const parts = new Map<string, Parameters<typeof sayMeaning>[0]>([
  ['Front', 'Front (part)'],
  ['Back', 'Back (part)'],
  ['Size', 'Size (part)'],
])

const sayLabel = (label: string): string => {
  const part = parts.get(label)
  return part ? sayMeaning(part) : sayKnown(label)
}

/** Specification, section 9, Product specs. */
export function SpecsPanel({ specs: { facts, sizeLabel, sizeTable } }: { specs: Specs }) {
  const { processingDays, standardDays, internationalDays, returnDays } = useSite()
  return (
    <div className="border-t border-line text-ink-soft">
      <Accordion title={say('Product details')} open>
        <dl className="grid gap-x-6 sm:gap-y-2.5 sm:grid-cols-[9rem_1fr]">
          {facts.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="font-medium text-ink max-sm:mt-2.5">{sayLabel(label)}</dt>
              <dd>{sayKnown(value)}</dd>
            </div>
          ))}
        </dl>
      </Accordion>
      {sizeTable && (
        <Accordion title={say('Size guide')}>
          <SizeGuide sizeLabel={sizeLabel} table={sizeTable} />
        </Accordion>
      )}
      <Accordion title={say('Shipping and returns')}>
        <p>
          {say(
            'We make it in {making} business days. Shipping takes {standard} business days, or {international} to other countries.',
            {
              making: formatRange(processingDays),
              standard: formatRange(standardDays),
              international: formatRange(internationalDays),
            },
          )}
        </p>
        <p className="mt-3">
          {say('Wrong, faulty or damaged? Tell us within {days} days of delivery and we replace or refund it.', {
            days: returnDays,
          })}
        </p>
      </Accordion>
    </div>
  )
}
