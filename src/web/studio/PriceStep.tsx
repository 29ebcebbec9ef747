import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countryName } from '#domain/checkout/countries.ts'
import { marginsOf, objectionToPrice, type MarginBasis, type SaleMargin } from '#domain/catalog/margin.ts'
import { pricedSizes, suggestedPrices } from '#domain/studio/prices.ts'
import { centsFromDecimal, decimalFromCents, formatUsd, type Cents } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
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
            size={size}
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
            const losses = rows.flatMap(
              ({ basis, price }) => (basis && price !== undefined && objectionToPrice(price, basis)) || [],
            )
            return (
              <div className="grid gap-6">
                <p className="max-w-[44em] text-ink-soft">
                  The usual margin is a sale in the United States by card, with a partner’s{' '}
                  {percentOf(rest.partnerShares.usual)} of the price. The worst is the least over the{' '}
                  {rest.destinations.length} countries the shop delivers to and all ways of paying, with the highest
                  agreed share, {percentOf(rest.partnerShares.highest)}.
                  {isEstimated &&
                    ' The printer gives no shipping rates right now, so the shop’s standard rate is used.'}
                </p>
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
                      size={size}
                      basis={basis}
                      price={price}
                      onPrice={(next) => setPrice(size, next)}
                    />
                  ))}
                </ul>
                {losses[0] !== undefined && (
                  <>
                    <Notice title="Sells at a loss">{losses[0]}</Notice>
                    <Checkbox
                      label="Sell at a loss anyway"
                      checked={content.acceptsLoss}
                      onChecked={(acceptsLoss) => update({ acceptsLoss })}
                    />
                  </>
                )}
              </div>
            )
          }}
        </QueryBoundary>
      )}
    </QueryBoundary>
  )
}

export const BASIS_POINTS_PER_PERCENT = 100

type RowProps = {
  size: string
  basis: MarginBasis | undefined
  price: Cents | undefined
  onPrice: (price: Cents | undefined) => void
}

function PriceRow({ size, basis, price, onPrice }: RowProps) {
  const [typed, setTyped] = useState(price === undefined ? '' : decimalFromCents(price))
  const shown = price !== undefined && centsFromDecimal(typed) !== price ? decimalFromCents(price) : typed
  const margins = basis && price !== undefined ? marginsOf(price, basis) : undefined
  return (
    <li className="grid items-end gap-x-6 gap-y-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Field
        label={size ? `Price of ${size}, in US dollars` : 'Price, in US dollars'}
        inputMode="decimal"
        value={shown}
        onValue={(value) => {
          setTyped(value)
          onPrice(centsFromDecimal(value.replace(/^\$/, '')))
        }}
      />
      <p className="pb-3 text-sm" role="status">
        {basis ? `Costs ${formatUsd(basis.cost)}. ` : 'Its cost is unknown. '}
        {margins && price !== undefined && (
          <>
            Usual margin <strong>{marginText(margins.usual, price)}</strong>, worst{' '}
            <strong>{marginText(margins.worst, price)}</strong> ({countryName(margins.worst.country)}, by{' '}
            {margins.worst.paidBy})
          </>
        )}
      </p>
    </li>
  )
}

const percentFormat = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const percentOf = (basisPoints: number): string => percentFormat.format(basisPoints / (100 * BASIS_POINTS_PER_PERCENT))

const marginText = ({ margin }: SaleMargin, price: Cents): string =>
  `${formatUsd(margin)}${price > 0 ? ` (${percentFormat.format(margin / price)})` : ''}`
