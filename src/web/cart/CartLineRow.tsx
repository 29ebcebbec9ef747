import type { ReactNode } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { times } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Stepper } from '#web/ui/Stepper.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { ChangeVariant } from './ChangeVariant.tsx'
import { LinePicture } from './LinePicture.tsx'
import { PriceChange } from './PriceChange.tsx'
import { UnavailableLine } from './UnavailableLine.tsx'
import { useCart } from './use-cart.tsx'

type Props = {
  line: CartLine
  heading: 'h2' | 'h3'
  isLarge?: boolean
  onRemoved: () => void
  /** What replaces its controls without JavaScript. */
  children?: ReactNode
}

/** A line of the cart, in the drawer and on the cart page. */
export function CartLineRow({ line, heading: Heading, isLarge = false, onRemoved, children }: Props) {
  const { setQuantity, remove, closeCart, errors } = useCart()
  const { id, productName, variantName, quantity, price } = line
  const fullName = fullNameOf(line)
  const address = paths.variant(line.productId, line.variantId)
  const change = (newQuantity: number) => {
    setQuantity(line, newQuantity)
    if (newQuantity === 0) onRemoved()
  }

  return (
    <li
      data-line
      className={classNames(
        'grid grid-cols-[6rem_1fr] gap-4 border-b border-line py-4 last:border-0 sm:gap-5',
        isLarge
          ? 'sm:grid-cols-[8rem_1fr] sm:py-6 lg:grid-cols-[12rem_1fr] lg:gap-7 lg:[&_.title]:text-[1.375rem]'
          : 'sm:py-3 lg:grid-cols-[7rem_1fr]',
      )}
    >
      <Link
        to={address}
        onClick={closeCart}
        tabIndex={-1}
        aria-hidden="true"
        className="block self-start overflow-hidden rounded-card plate"
      >
        <LinePicture src={line.imageUrl} />
      </Link>
      <div className="min-w-0">
        <div className="flex items-baseline justify-between gap-3">
          <Heading className="min-w-0">
            <Link to={address} onClick={closeCart} className="block underline-offset-4 hover:underline">
              <ProductName name={productName} size="line" />
            </Link>
          </Heading>
          <p className="shrink-0 text-right leading-[1.1]">
            <Price amount={times(price, quantity)} className="font-semibold" />
            {quantity > 1 && (
              <span className="block text-sm leading-snug text-ink-soft">
                <Sentence word="{price} each" parts={{ price: <Price amount={price} /> }} />
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-2.5 text-sm leading-snug">
          {variantName && <p className="text-ink-soft">{sayVariant(variantName)}</p>}
          <ChangeVariant line={line} className="min-h-8! py-0! font-medium!" />
        </div>
        <div className="mt-1.5 flex items-center gap-1 noscript:hidden">
          <Stepper
            label={say('Quantity of {name}', { name: fullName })}
            fewer={{
              label: say('One fewer {name}', { name: fullName }),
              onClick: () => change(quantity - 1),
            }}
            more={{
              label: say('One more {name}', { name: fullName }),
              idle: quantity >= QUANTITY_MAX,
              onClick: () => change(quantity + 1),
            }}
          >
            <output className="min-w-7 text-center font-semibold">{quantity}</output>
          </Stepper>
          <IconButton
            icon="bin"
            label={say('Remove {name}', { name: fullName })}
            className="text-ink-soft"
            onClick={() => {
              remove(line)
              onRemoved()
            }}
          />
        </div>
        {children}
        <PriceChange {...line} />
        <UnavailableLine {...line} />
        <p role="alert" className="mt-2 text-sm font-medium text-danger empty:hidden">
          {errors.get(id)}
        </p>
      </div>
    </li>
  )
}

export const fullNameOf = ({ productName, variantName }: CartLine): string =>
  variantName ? `${productName}, ${sayVariant(variantName)}` : productName
