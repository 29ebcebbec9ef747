import { useState } from 'react'
import { marginsOf, type MarginBasis, type SaleMargin } from '#domain/catalog/margin.ts'
import { saleText } from '#domain/catalog/margin-floor.ts'
import type { MarginFacts } from '#domain/studio/prices.ts'
import { centsFromDecimal, decimalFromCents, formatUsd, type Cents } from '#shared/money.ts'
import { Field } from '#web/ui/Field.tsx'

export const BASIS_POINTS_PER_PERCENT = 100

/** What the margins beside prices mean. */
export const MarginExplanation = ({ facts }: { facts: MarginFacts & { isEstimated: boolean } }) => (
  <p className="max-w-[44em] text-ink-soft">
    The usual margin is a sale in the United States by card, with a partner’s {percentOf(facts.partnerShares.usual)} of
    the price. The worst is the least over the {facts.destinations.length} countries the shop delivers to and all ways
    of paying, with the highest agreed share, {percentOf(facts.partnerShares.highest)}.
    {facts.floor > 0 && ` You want at least ${formatUsd(facts.floor)} of each.`}
    {facts.isEstimated && ' The printer gives no shipping rates right now, so the usual ones are used.'}
  </p>
)

type Props = {
  /** Such as `Price of XL`. */
  label: string
  basis: MarginBasis | undefined
  price: Cents | undefined
  onPrice: (price: Cents | undefined) => void
}

/** A price, with its margin while it is typed. */
export function PriceRow({ label, basis, price, onPrice }: Props) {
  const [typed, setTyped] = useState(price === undefined ? '' : decimalFromCents(price))
  const shown = price !== undefined && centsFromDecimal(typed) !== price ? decimalFromCents(price) : typed
  const margins = basis && price !== undefined ? marginsOf(price, basis) : undefined
  return (
    <li className="grid items-end gap-x-6 gap-y-2 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Field
        label={`${label}, in US dollars`}
        inputMode="decimal"
        value={shown}
        onValue={(value) => {
          setTyped(value)
          onPrice(centsFromDecimal(value.replace(/^\$/, '')))
        }}
      />
      <p className="pb-3 text-sm" role="status">
        {basis ? `Costs ${formatUsd(basis.cost)}. ` : 'Its cost is unknown. '}
        {basis && margins && price !== undefined && (
          <>
            Usual margin <strong>{marginText(margins.usual, price)}</strong>, worst{' '}
            <strong className={margins.worst.margin < basis.floor ? 'text-danger' : undefined}>
              {marginText(margins.worst, price)}
            </strong>{' '}
            ({saleText(margins.worst)})
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
