import type { OrderView } from '#contract/orders.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { nameParts } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, times } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AmountRows } from './OrderSummary.tsx'

type Line = OrderView['lines'][number]
type Props = { order: Pick<OrderView, 'orderNumber' | 'lines' | 'amounts'>; className: string }

/** More would push the day of arrival off a phone's first screen. */
const SHOWN = 3

const cell = 'plate aspect-square w-full rounded-card'

/** The goods of an order: on phones pictures as large as their number allows, on wider screens a list with names and prices. */
export function OrderedPictures({ order: { orderNumber, lines, amounts }, className }: Props) {
  const shown = lines.length > SHOWN ? lines.slice(0, SHOWN - 1) : lines
  const isAlone = lines.length === 1
  return (
    <div
      className={classNames(
        'md:self-start md:rounded-card md:border md:border-line md:bg-surface md:p-5 md:shadow-card lg:p-6',
        className,
      )}
    >
      <p className="mb-4 border-b border-line pb-4 text-sm text-ink-soft max-md:hidden">
        {say('Order {number}', { number: formatOrderNumber(orderNumber) })}
      </p>
      <ul
        aria-label={say('What you ordered')}
        className={classNames(
          'grid gap-2.5 md:gap-4',
          !isAlone && 'grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] md:grid-cols-1',
        )}
      >
        {shown.map((line) => (
          <li
            key={line.position}
            className={classNames(
              'relative',
              isAlone ? 'flex items-center gap-4 md:max-lg:grid lg:items-start' : 'md:flex md:items-start md:gap-4',
            )}
          >
            <img
              src={line.imageUrl || DEFAULT_PICTURE}
              width={640}
              height={640}
              alt={[line.productName, line.variantName && sayVariant(line.variantName)].filter(Boolean).join(', ')}
              className={classNames(cell, 'object-cover', isAlone ? 'max-md:w-1/2 lg:w-56' : 'md:w-20 lg:w-32')}
            />
            {line.quantity > 1 && (
              <span className="pointer-events-none absolute top-2.5 left-2.5 grid min-w-6 place-items-center rounded-full bg-strong px-1.5 text-sm font-semibold text-ivory md:hidden">
                <span className="sr-only">{say('Quantity')} </span>
                {line.quantity}
              </span>
            )}
            {!isAlone && (
              <p aria-hidden="true" className="mt-1.5 text-sm leading-snug md:hidden">
                <span className="block truncate font-display text-[0.9375rem]">
                  {nameParts(line.productName).title}
                </span>
                <span className="block truncate text-ink-soft">{line.variantName && sayVariant(line.variantName)}</span>
              </p>
            )}
            <Names
              {...line}
              className={isAlone ? 'flex-wrap lg:flex-col lg:gap-y-2' : 'max-md:hidden md:line-beside-price'}
            />
          </li>
        ))}
        {shown.length < lines.length && (
          <li className={classNames(cell, 'grid place-items-center text-lg text-ink-soft md:aspect-auto md:py-3')}>
            <span>
              +{lines.length - shown.length}
              <span className="sr-only">{say(' more')}</span>
            </span>
          </li>
        )}
      </ul>
      <dl className="mt-5 grid gap-2.5 border-t border-line pt-4 text-[0.9375rem] max-md:hidden">
        <AmountRows amounts={amounts} />
      </dl>
      <p
        aria-hidden="true"
        className="mt-5 flex items-baseline justify-between border-t border-line pt-4 font-semibold max-md:hidden"
      >
        {say('Total')}
        <span className="font-display text-[1.375rem] leading-none font-normal">{formatUsd(amounts.total)}</span>
      </p>
    </div>
  )
}

/** What the picture's own text says to a screen reader. */
const Names = ({ productName, variantName, quantity, unitPrice, className }: Line & { className: string }) => (
  <div
    aria-hidden="true"
    className={classNames('flex min-w-0 flex-1 justify-between gap-x-4 text-[0.9375rem]', className)}
  >
    <div className="min-w-0 leading-snug max-md:[&_.title]:text-[0.9375rem] [&_.title]:font-display [&_.title]:font-medium lg:[&_.title]:text-[1.25rem]">
      <ProductName name={productName} size="line" />
      {variantName && <p className="mt-0.5 text-ink-soft">{sayVariant(variantName)}</p>}
      <p className="mt-0.5 text-ink-soft">
        {quantity === 1 ? say('Quantity {quantity}', { quantity }) : `${quantity} × ${formatUsd(unitPrice)}`}
      </p>
    </div>
    <p className="font-medium">{formatUsd(times(unitPrice, quantity))}</p>
  </div>
)
