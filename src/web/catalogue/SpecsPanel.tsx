import { DELIVERY_BUSINESS_DAYS, PROCESSING_BUSINESS_DAYS, RETURN_WINDOW_DAYS, type DayRange } from '#brand/policies.ts'
import type { Product } from '#contract/catalogue.ts'
import { centimetres, specsOf, type SizeRow } from '#domain/catalogue/specs.ts'
import { Accordion } from '#web/ui/Accordion.tsx'

/** What is to be known before buying, by type (specification, section 9, Product specs). */
export function SpecsPanel({ product }: { product: Product }) {
  const { facts, sizeGuide } = specsOf(product)
  const { standard, international } = DELIVERY_BUSINESS_DAYS.policyPage
  return (
    <div className="border-t border-line">
      <Accordion title="Product details" open>
        <dl className="grid gap-x-6 gap-y-2.5 sm:grid-cols-[9rem_1fr]">
          {facts.map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="font-medium text-ink max-sm:mt-1">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Accordion>
      {sizeGuide && (
        <Accordion title="Size guide">
          <SizeGuide rows={sizeGuide} />
        </Accordion>
      )}
      <Accordion title="Shipping and returns">
        <p>
          We make it in {days(PROCESSING_BUSINESS_DAYS)} business days. After that it travels {days(standard)} business
          days, or {days(international)} to other countries.
        </p>
        <p className="mt-3">
          Within {RETURN_WINDOW_DAYS} days of delivery we take back what arrived with a defect, was the wrong item or
          was damaged on its way.
        </p>
      </Accordion>
    </div>
  )
}

const days = ({ from, to }: DayRange): string => `${from}-${to}`

const SizeGuide = ({ rows }: { rows: readonly SizeRow[] }) => (
  <div className="overflow-x-auto">
    <table className="w-full min-w-72 text-left tabular-nums">
      <caption className="mb-3 text-left text-sm">Measured flat, in inches and centimetres.</caption>
      <thead>
        <tr className="border-b border-line text-ink">
          <th scope="col" className="py-2 pr-3 font-medium">
            Size
          </th>
          <th scope="col" className="py-2 pr-3 font-medium">
            Chest
          </th>
          <th scope="col" className="py-2 font-medium">
            Length
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ size, chest, length }) => (
          <tr key={size} className="border-b border-line/60 last:border-0">
            <th scope="row" className="py-2 pr-3 font-medium text-ink">
              {size}
            </th>
            <td className="py-2 pr-3">
              {chest} in / {centimetres(chest)} cm
            </td>
            <td className="py-2">
              {length} in / {centimetres(length)} cm
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
