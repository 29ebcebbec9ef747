import type { OrderView } from '#contract/orders.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { classNames } from '#web/ui/class-names.ts'

type Line = OrderView['lines'][number]
type Props = {
  lines: readonly Line[]
  /** To the lines below, on the order's page. */
  isLinked?: boolean
  /** Of a picture, as classes. */
  size: string
  className: string
}

export const lineAnchor = (position: number): string => `line-${position}`

/** More would push the day of arrival off a phone's first screen. */
const SHOWN = 3

/** The goods of an order, for its first screen. */
export const OrderedPictures = ({ lines, isLinked = false, size, className }: Props) => (
  <ul aria-label={say('What you ordered')} className={classNames('flex flex-wrap gap-2.5', className)}>
    {lines.slice(0, SHOWN).map((line) => (
      <li key={line.position} className="relative">
        {isLinked ? (
          <a href={`#${lineAnchor(line.position)}`} className="block">
            <LineImage line={line} size={size} />
          </a>
        ) : (
          <LineImage line={line} size={size} />
        )}
        {line.quantity > 1 && (
          <span className="pointer-events-none absolute -top-1.5 -right-1.5 grid min-w-6 place-items-center rounded-full bg-strong px-1.5 text-sm font-semibold text-ivory tabular-nums">
            <span className="sr-only">{say('Quantity')} </span>
            {line.quantity}
          </span>
        )}
      </li>
    ))}
    {lines.length > SHOWN && (
      <li className={classNames('grid place-items-center rounded-card border border-line text-ink-soft', size)}>
        <span>
          +{lines.length - SHOWN}
          <span className="sr-only">{say(' more')}</span>
        </span>
      </li>
    )}
  </ul>
)

const LineImage = ({ line: { imageUrl, productName, variantName }, size }: { line: Line; size: string }) => (
  <img
    src={imageUrl || DEFAULT_PICTURE}
    width={176}
    height={176}
    alt={[productName, variantName && sayVariant(variantName)].filter(Boolean).join(', ')}
    className={classNames('plate rounded-card border border-line object-cover', size)}
  />
)
