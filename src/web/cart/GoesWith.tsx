import type { CartLine } from '#contract/cart.ts'
import type { ProductCard } from '#contract/catalog.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCard } from '#web/catalog/card-path.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { useRelated } from '#web/catalog/use-related.ts'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Price } from '#web/ui/Price.tsx'
import { useAddToCart } from './use-add-to-cart.ts'
import { useCart } from './use-cart.tsx'

type Props = {
  lines: readonly CartLine[]
  heading: 'h2' | 'h3'
  /** On the cart page. The drawer has as many as there is room for. */
  isLarge?: boolean
}

const WANTED = 4

/** Goods of the same animal, and best sellers for an empty cart; those without a choice first, which one tap adds. */
export function GoesWith({ lines, heading: Heading, isLarge = false }: Props) {
  const fitting = useRelated(
    lines.map(({ productId }) => productId),
    WANTED,
  )
    .filter(({ available }) => available)
    .toSorted((a, b) => a.variantCount - b.variantCount)
    .slice(0, WANTED)
  if (fitting.length === 0) return null
  return (
    <section
      aria-labelledby="goes-with"
      className={classNames('border-t border-line', isLarge ? 'mt-6 pt-6 pb-1 lg:mt-10' : 'offers-room pt-3 pb-5')}
    >
      <Heading
        id="goes-with"
        className={
          isLarge ? 'text-[1.375rem] leading-tight' : 'font-text! text-[0.9375rem] font-semibold tracking-normal'
        }
      >
        {lines.length > 0 ? say('Pairs well with') : say('Best sellers')}
      </Heading>
      <ul className={classNames('offers', isLarge && 'offers-large sm:grid-cols-4 max-sm:*:nth-[n+3]:hidden')}>
        {fitting.map((product) => (
          <Offer key={product.id} {...product} />
        ))}
      </ul>
    </section>
  )
}

function Offer(product: ProductCard) {
  const { id, name, picture, price, priceRange, variantCount } = product
  const { closeCart } = useCart()
  const { addToCart, isBusy, problem } = useAddToCart()
  return (
    <li>
      <Link
        to={pathOfCard(product)}
        onClick={closeCart}
        tabIndex={-1}
        aria-hidden="true"
        className="[grid-area:picture]"
      >
        <Picture picture={picture ?? undefined} alt="" sizes="(min-width: 640px) 230px, 45vw" className="plate" />
      </Link>
      <Link
        to={pathOfCard(product)}
        onClick={closeCart}
        className="block min-w-0 self-end font-display text-[0.9375rem] leading-snug underline-offset-4 [grid-area:name] hover:underline"
      >
        <ProductName name={name} size="line" />
      </Link>
      <Price amount={price} from={priceRange.to > priceRange.from} className="text-sm [grid-area:price]" />
      {variantCount === 1 ? (
        <Button
          variant="quiet"
          className="min-h-11! px-4! py-1.5! text-sm [grid-area:action] noscript:hidden"
          busy={isBusy}
          onClick={() =>
            void addToCart({ productId: id, name, variantName: null, variantId: () => null, isInCart: true })
          }
        >
          {say('Add')}
          <span className="sr-only"> {name}</span>
        </Button>
      ) : (
        <Link
          to={pathOfCard(product)}
          onClick={closeCart}
          className="link-line inline-flex min-h-11 items-center text-sm font-medium [grid-area:action]"
        >
          {say('Choose')}
          <span className="sr-only">{` ${say('options of {name}', { name })}`}</span>
        </Link>
      )}
      <p role="alert" className="col-span-full text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </li>
  )
}
