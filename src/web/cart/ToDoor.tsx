import type { ReactNode } from 'react'
import type { WireQuote } from '#contract/quote.ts'
import { paths } from '#contract/paths.ts'
import { countryName, mainCountries } from '#domain/checkout/countries.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatUsd, minus, type Cents } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { sayKnown } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { chooseCountry, useShipCountry } from '#web/app/ship-country.ts'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { sayMade } from '#words/say-made.ts'
import { TotalLine } from './TotalLine.tsx'
import { useToDoor, type ToDoorOf } from './use-to-door.ts'

/** Country, arrival, and the quote before an address is known. @property total of the cart, which it then shows too */
export function ToDoor({ of, total }: { of: ToDoorOf; total?: Cents }) {
  const country = useShipCountry()
  const isOfPiece = 'variant' in of
  const isKnown = isOfPiece ? of.variant !== null : of.signature !== null
  const { data, error, isFetching } = useToDoor(of, country)
  const quote = isKnown || !isOfPiece ? data : undefined
  return (
    <div aria-busy={isFetching} className="grid grow content-between gap-1 text-[0.9375rem]">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <label className="flex items-center gap-1.5 text-ink-soft">
          {say('Ship to')}
          <span className="relative">
            <select
              value={country}
              onChange={(event) => chooseCountry(event.target.value)}
              className="field-sizing-content min-h-11 cursor-pointer appearance-none rounded-card bg-transparent pr-5 font-semibold text-ink underline decoration-accent underline-offset-4"
            >
              {mainCountries.map((code) => (
                <option key={code} value={code}>
                  {countryName(code)}
                </option>
              ))}
            </select>
            <Icon
              name="down"
              className="pointer-events-none absolute top-1/2 right-0 size-3.5 -translate-y-1/2 text-ink"
            />
          </span>
        </label>
        {quote && !error ? (
          <dl className="flex gap-1.5 @max-[19rem]:w-full @max-[19rem]:justify-between">
            <dt className="text-ink-soft">{say('Arrives')}</dt>
            <dd className="font-medium">
              <DateRange dates={quote.arrival} />
            </dd>
          </dl>
        ) : (
          isFetching && <Skeleton className="h-4 w-28" />
        )}
      </div>
      {error && <p className="text-danger">{sentenceOf(error)}</p>}
      {quote && !error ? <Amounts quote={quote} total={total} /> : total !== undefined && <TotalLine amount={total} />}
    </div>
  )
}

function Amounts({ quote, total: cartTotal }: { quote: WireQuote; total: Cents | undefined }) {
  const { goods, discount, shipping, surcharge, tax, taxName, vatProtection, total, left, about } = quote
  const base = minus(shipping, surcharge)
  const rows = tax > 0 || vatProtection > 1 ? taxRowsOf({ ...quote, taxName: taxName ?? undefined }) : []
  const converted = about !== undefined && <p className="text-right text-sm text-ink-soft">{sayMade(about)}</p>
  const shippingRow = (
    <Row label={<ShippingLink>{say('Shipping*')}</ShippingLink>}>
      {base === 0 ? <span className="font-medium text-good">{say('Free')}</span> : formatUsd(base)}
    </Row>
  )
  // Nothing is added, and two lines with the same amount would say one thing twice.
  if (cartTotal !== undefined && total === minus(goods, discount))
    return (
      <>
        <dl>{shippingRow}</dl>
        <TotalLine amount={cartTotal} note={left && sayKnown(left)} />
        {converted}
      </>
    )
  return (
    <>
      {cartTotal !== undefined && <TotalLine amount={cartTotal} />}
      <dl className="grid gap-1">
        {shippingRow}
        {surcharge > 0 && <Row label={say('Shipping surcharge')}>{formatUsd(surcharge)}</Row>}
        {rows.map(({ label, name, amount }) => (
          <Row key={label} label={say('{tax}, estimated', { tax: name ?? label })}>
            {formatUsd(amount)}
          </Row>
        ))}
        <Row label={say('Estimated total to your door')}>
          <strong className="font-semibold text-ink">{formatUsd(total)}</strong>
        </Row>
      </dl>
      {converted}
      {left !== undefined && <p className="text-sm text-ink-soft">{sayKnown(left)}</p>}
    </>
  )
}

const ShippingLink = ({ children }: { children: string }) => (
  <a href={spokenAddress(paths.shippingReturns)} className="link-line inline-block">
    {children}
  </a>
)

const Row = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="shrink-0">{children}</dd>
  </div>
)
