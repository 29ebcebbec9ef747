import type { OrderView } from '#contract/orders.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'

type Line = OrderView['lines'][number]
type Props = { lines: readonly Line[]; className: string }

/** More would push the day of arrival off a phone's first screen. */
const SHOWN = 3

const cell = 'plate aspect-square w-full rounded-card'

/** The goods of an order, as large as their number allows. */
export function OrderedPictures({ lines, className }: Props) {
  const shown = lines.length > SHOWN ? lines.slice(0, SHOWN - 1) : lines
  const isAlone = lines.length === 1
  return (
    <ul
      aria-label={say('What you ordered')}
      className={classNames('grid gap-2.5', !isAlone && 'grid-cols-[repeat(auto-fit,minmax(6rem,1fr))]', className)}
    >
      {shown.map(({ position, imageUrl, productName, variantName, quantity }) => (
        <li key={position} className="relative">
          <img
            src={imageUrl || DEFAULT_PICTURE}
            width={640}
            height={640}
            alt={[productName, variantName && sayVariant(variantName)].filter(Boolean).join(', ')}
            className={classNames(cell, 'object-cover', isAlone && 'max-md:aspect-4/3')}
          />
          {quantity > 1 && (
            <span className="pointer-events-none absolute top-2.5 right-2.5 grid min-w-6 place-items-center rounded-full bg-strong px-1.5 text-sm font-semibold text-ivory tabular-nums">
              <span className="sr-only">{say('Quantity')} </span>
              {quantity}
            </span>
          )}
        </li>
      ))}
      {shown.length < lines.length && (
        <li className={classNames(cell, 'grid place-items-center text-lg text-ink-soft')}>
          <span>
            +{lines.length - shown.length}
            <span className="sr-only">{say(' more')}</span>
          </span>
        </li>
      )}
    </ul>
  )
}
