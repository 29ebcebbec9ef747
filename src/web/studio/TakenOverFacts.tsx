import { useQuery } from '@tanstack/react-query'
import type { PrinterProduct } from '#contract/admin-printer-products.ts'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { printerProductQuery } from './studio-queries.ts'

type Details = NonNullable<PrinterProduct['details']>

/** What the printer knows of a product that is taken over; it is changed over there. */
export function TakenOverFacts({ id }: { id: number }) {
  const product = useQuery(printerProductQuery(id))
  return (
    <QueryBoundary query={product}>
      {({ name, details }) => (
        <div className="grid max-w-3xl gap-5">
          <p className="text-ink-soft">
            {name} was made in the printer’s dashboard. Blank, print files, colors and sizes are as they are there, and
            can only be changed there.
          </p>
          {details && (
            <>
              <TakenOverOptions details={details} />
              <ul className="flex flex-wrap gap-3" aria-label="Previews of the printer">
                {shownOnce(details).map(({ id: variant, color }) => (
                  <li key={variant} className="text-sm">
                    <img
                      src={`/api/admin/printer-products/${id}/picture?variant=${variant}`}
                      alt={color === null ? name : `${name}, ${color}`}
                      width={160}
                      height={160}
                      className="size-40 rounded-card border border-line bg-ground object-contain"
                    />
                    {color}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </QueryBoundary>
  )
}

/** One variant of each color. */
const shownOnce = ({ variants }: Details): Details['variants'] =>
  variants.filter(
    ({ color, hasPreview }, index) =>
      hasPreview && variants.findIndex((one) => one.hasPreview && one.color === color) === index,
  )

const areaName = (placement: string): string =>
  placement === 'default' ? 'its usual area' : placement.replaceAll('_', ' ')

export const TakenOverOptions = ({ details: { blankTitle, colors, sizes, placements } }: { details: Details }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
    {[
      ['Blank', blankTitle || 'unknown'],
      ['Colors', colors.join(', ')],
      ['Sizes', sizes.join(', ')],
      ['Printed on', placements.map(areaName).join(', ')],
    ].map(
      ([term, text]) =>
        text && (
          <div key={term} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ),
    )}
  </dl>
)
