import { useId, useState, type ReactNode } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { itemCount } from '#domain/cart/cart.ts'
import { sayNotice } from '#domain/checkout/notices.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatUsd, minus, negate, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { cartTotal } from '#web/cart/cart-total.ts'
import { useToDoor } from '#web/cart/use-to-door.ts'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say, sayKnown } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { LinePicture } from './LinePicture.tsx'
import { usualSummary } from './summary.ts'
import { PREVIEW_FAILED, type LiveQuote } from './use-live-quote.ts'

type Props = {
  lines: readonly CartLine[]
  isPending: boolean
  quote: LiveQuote
  /** 'Order summary' if left out. */
  title?: string
  /** As far as the address is known. */
  country: string
}

/** Below the title on phones, as wide as the screen: collapsed, with the total still visible. */
export function Summary({ lines, isPending, quote, title, country }: Props) {
  const [open, setOpen] = useState(false)
  const contentId = useId()
  const isOpen = quote.kind === 'incomplete' || quote.kind === 'calculating'
  const isQuotable = !('summary' in quote) && lines.length > 0 && lines.every(({ available }) => available)
  const { data: usualQuote } = useToDoor({ signature: isQuotable ? JSON.stringify(lines) : null }, country)
  const usual = (isOpen && usualQuote) || undefined
  const summary = 'summary' in quote ? quote.summary : usual && usualSummary(usual)
  const total = summary?.total ?? cartTotal(lines)
  const arrival = summary?.arrival ?? usualQuote?.arrival
  const arrives = arrival && <Sentence word="Arrives {dates}" parts={{ dates: <DateRange dates={arrival} /> }} />
  const count = itemCount(lines)

  return (
    <section
      data-count={lines[0] && 'checkout'}
      aria-labelledby={`${contentId}-title`}
      className="border-line bg-surface max-md:-mx-(--gutter) max-md:border-y md:rounded-card md:border md:shadow-card"
    >
      <h2 id={`${contentId}-title`} className="sr-only">
        {title ?? say('Order summary')}
      </h2>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={contentId}
        onClick={() => setOpen(!open)}
        className="flex min-h-14 w-full items-center justify-between gap-3 px-(--gutter) py-1 text-left leading-snug font-semibold md:hidden"
      >
        <span className="flex items-center gap-2">
          {title ?? (open ? say('Hide order summary') : say('Show order summary'))}
          <Icon name="down" className={classNames('size-4 transition-transform duration-200', open && 'rotate-180')} />
        </span>
        <span className="text-right">
          {formatUsd(total)}
          <span className="block text-sm font-normal text-ink-soft">{arrives}</span>
        </span>
      </button>
      <div
        id={contentId}
        data-count={quote.kind === 'quoted' ? 'priced' : undefined}
        className={classNames(
          'px-(--gutter) pb-6 md:block md:px-4 md:pt-5 lg:px-7 lg:pt-7',
          open ? 'block border-t border-line pt-5 md:border-t-0' : 'hidden',
        )}
      >
        <p className="mb-5 hidden items-baseline justify-between gap-3 md:flex">
          <span className="font-display text-[1.375rem] leading-tight tracking-[-0.018em]">
            {title ?? say('Order summary')}
          </span>
          {!title && count > 0 && (
            <span className="text-sm text-ink-soft">
              {say('{count, plural, one {# item} other {# items}}', { count })}
            </span>
          )}
        </p>
        {isPending ? <PendingLines /> : <Lines lines={lines} />}
        <Amounts
          subtotal={summary?.subtotal ?? cartTotal(lines)}
          quote={quote}
          summary={summary}
          // Regions have their own, or nobody knows it now.
          isTaxKnown={!usual?.left || usual.collectedAtDelivery}
          arrives={arrives}
          total={total}
        />
      </div>
    </section>
  )
}

const PendingLines = () => (
  <div className="flex items-center gap-4">
    <Skeleton className="size-18" />
    <span className="sr-only">{say('Loading cart...')}</span>
    <Skeleton className="h-5 flex-1" />
  </div>
)

const Lines = ({ lines }: { lines: readonly CartLine[] }) => (
  <ul className="grid gap-4">
    {lines.map(({ id, productName, variantName, imageUrl, price, quantity, available }) => (
      <li key={id} className="line-beside-price gap-4 md:max-lg:gap-3">
        <LinePicture src={imageUrl} size="size-18 md:max-lg:size-14" />
        <div className="min-w-0 flex-1 text-[0.9375rem] leading-snug wrap-anywhere">
          <p className="text-pretty [&_.title]:font-display">
            <ProductName name={productName} size="line" />
          </p>
          {variantName && <p className="mt-0.5 text-ink-soft">{sayVariant(variantName)}</p>}
          <p className="mt-0.5 text-ink-soft">
            {quantity === 1 ? say('Quantity 1') : `${quantity} × ${formatUsd(price)}`}
          </p>
          {!available && <p className="mt-0.5 font-medium text-danger">{say('No longer available')}</p>}
        </div>
        <p className="text-[0.9375rem] font-medium">{formatUsd(times(price, quantity))}</p>
      </li>
    ))}
  </ul>
)

type AmountsProps = {
  subtotal: Cents
  quote: LiveQuote
  /** The quote's, or as usual for the country. */
  summary: OrderSummary | undefined
  isTaxKnown: boolean
  arrives: ReactNode
  total: Cents
}

function Amounts({ subtotal, quote, summary, isTaxKnown, arrives, total }: AmountsProps) {
  // A second line from the start, for the name of the method or tax.
  const pendingNote = quote.kind === 'incomplete' ? say('Enter your address') : '\u00a0'
  return (
    <>
      <dl className="mt-6 grid gap-2.5 border-t border-line pt-5 text-[0.9375rem]">
        <Row label={say('Subtotal')}>{formatUsd(subtotal)}</Row>
        <Row label={say('Shipping')} note={summary ? sayKnown(summary.shippingMethod) : pendingNote}>
          {summary ? <Shipping summary={summary} /> : <PendingAmount quote={quote} />}
        </Row>
        {surchargesByProduct(summary?.shippingSurcharges ?? []).map(([productName, amount]) => (
          <Row key={productName} label={say('Shipping surcharge, {product}', { product: spokenName(productName) })}>
            {formatUsd(amount)}
          </Row>
        ))}
        {summary && isTaxKnown ? (
          taxRowsOf(summary).map(({ label, name, amount }) => (
            <Row key={label} label={label} note={name}>
              {formatUsd(amount)}
            </Row>
          ))
        ) : (
          <Row label={say('Tax')} note={pendingNote}>
            <PendingAmount quote={quote} />
          </Row>
        )}
        {summary?.giftCard && (
          <Row label={say('Gift card {lastFour}', { lastFour: summary.giftCard.lastFour })}>
            {formatUsd(negate(summary.giftCard.amount))}
          </Row>
        )}
        <div className="mt-2 flex items-baseline justify-between gap-x-2 border-t border-line pt-4">
          <dt className="text-[0.9375rem] font-semibold lg:text-base">
            {quote.kind === 'quoted' ? say('Total') : say('Estimated total')}
          </dt>
          <dd className="font-display text-[1.5rem] leading-none whitespace-nowrap lg:text-[1.625rem]">
            {formatUsd(total)}
            <span className="ml-1.5 font-text text-sm text-ink-soft">{say('USD')}</span>
          </dd>
        </div>
      </dl>
      {summary?.about !== undefined && (
        <p className="mt-1 text-right text-sm text-ink-soft">{sayMade(summary.about)}</p>
      )}
      {arrives && <p className="mt-4 text-[0.9375rem] max-md:hidden">{arrives}</p>}
      {summary && <QuoteNotices summary={summary} />}
      <div role="status" className="text-sm">
        {quote.kind === 'calculating' && <p className="mt-3 text-ink-soft">{say('Calculating shipping and tax...')}</p>}
        {quote.kind === 'unreachable' && <p className="mt-3 font-medium text-danger">{say(PREVIEW_FAILED)}</p>}
        {quote.kind === 'refused' && <p className="mt-3 font-medium text-danger">{quote.sentence}</p>}
        {quote.kind === 'estimate' && (
          <p className="mt-3 text-ink-soft">
            {say(
              'This is an estimate with default rates for shipping and tax. You see the exact total before you pay.',
            )}
          </p>
        )}
      </div>
    </>
  )
}

const Row = ({ label, note, children }: { label: string; note?: string | undefined; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>
      {label}
      {note && <span className="block text-sm text-ink-soft">{note}</span>}
    </dt>
    <dd className="shrink-0 grow text-right">{children}</dd>
  </div>
)

/** Two colors of one product share a row. */
function surchargesByProduct(surcharges: OrderSummary['shippingSurcharges']): [productName: string, amount: Cents][] {
  const sums = new Map<string, Cents>()
  for (const { productName, amount } of surcharges) sums.set(productName, plus(sums.get(productName) ?? ZERO, amount))
  return [...sums]
}

/** Without the surcharges, which have their own rows. */
function Shipping({ summary: { shipping, shippingSurcharges } }: { summary: OrderSummary }) {
  const baseShipping = minus(shipping, sum(shippingSurcharges.map(({ amount }) => amount)))
  return baseShipping === 0 ? <span className="font-medium text-good">{say('Free')}</span> : formatUsd(baseShipping)
}

const PendingAmount = ({ quote }: { quote: LiveQuote }) =>
  quote.kind === 'calculating' ? (
    <Skeleton className="inline-block h-4 w-14" />
  ) : (
    quote.kind !== 'incomplete' && (
      <span className="text-ink-soft">
        <span aria-hidden="true">–</span>
        <span className="sr-only">{say('not known yet')}</span>
      </span>
    )
  )

export const QuoteNotices = ({ summary: { surchargeDisclosures, notices } }: { summary: OrderSummary }) =>
  surchargeDisclosures.length + notices.length > 0 && (
    <ul className="mt-4 grid gap-2 border-l-2 border-accent pl-3 text-sm text-ink-soft">
      {[...surchargeDisclosures, ...notices].map((sentence) => (
        <li key={sentence}>{spokenName(sayNotice(sentence))}</li>
      ))}
    </ul>
  )
