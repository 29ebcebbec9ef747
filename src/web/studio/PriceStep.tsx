import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pricedSizes, suggestedPrices } from '#domain/studio/prices.ts'
import type { Cents } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { BASIS_POINTS_PER_PERCENT, MarginExplanation, PriceRow } from './PriceRow.tsx'
import { blankQuery, marginFactsQuery, printerProductQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'

export const TARGET_DEFAULT = '25'

/** A price for each size, with its margin while it is typed. */
export function PriceStep({ editor }: { editor: DraftEditor }) {
  const { content, update } = editor
  const blank = useQuery(blankQuery(content.blankId))
  const facts = useQuery(marginFactsQuery(content.blankId))
  const { data: taken } = useQuery(printerProductQuery(content.takenOver))
  const [target, setTarget] = useState(TARGET_DEFAULT)
  const setPrice = (size: string, price: Cents | undefined) =>
    update({
      prices: [...content.prices.filter((one) => one.size !== size), ...(price === undefined ? [] : [{ size, price }])],
    })
  if (content.blankId === null && content.takenOver !== null)
    return (
      <ul className="grid gap-5">
        {(content.sizes.length ? content.sizes : ['']).map((size) => (
          <PriceRow
            key={size}
            label={labelOf(size)}
            basis={undefined}
            price={content.prices.find((one) => one.size === size)?.price}
            onPrice={(next) => setPrice(size, next)}
          />
        ))}
      </ul>
    )
  if (content.blankId === null) return <p>Please choose a blank first.</p>
  // The printer knows where a product of its own is printed.
  const placements = taken?.details?.placements.map((area) => ({ area })) ?? content.placements
  return (
    <QueryBoundary query={blank}>
      {(loaded) => (
        <QueryBoundary query={facts}>
          {({ isEstimated, ...rest }) => {
            const rows = pricedSizes(loaded, { ...content, placements }, rest)
            const suggest = () =>
              update({ prices: suggestedPrices(rows, (Number(target) || 0) * BASIS_POINTS_PER_PERCENT) })
            return (
              <div className="grid gap-6">
                <MarginExplanation facts={{ ...rest, isEstimated }} />
                <div className="flex flex-wrap items-end gap-3">
                  <Field label="Target margin, in percent" inputMode="numeric" value={target} onValue={setTarget} />
                  <Button variant="outline" onClick={suggest}>
                    Suggest prices
                  </Button>
                </div>
                <ul className="grid gap-5">
                  {rows.map(({ size, basis, price }) => (
                    <PriceRow
                      key={size}
                      label={labelOf(size)}
                      basis={basis}
                      price={price}
                      onPrice={(next) => setPrice(size, next)}
                    />
                  ))}
                </ul>
              </div>
            )
          }}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}

const labelOf = (size: string): string => (size ? `Price of ${size}` : 'Price')
