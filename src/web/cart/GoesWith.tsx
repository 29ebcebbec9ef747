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
  /** A third, where there is room. */
  isLarge?: boolean
}

/** Goods of the same animal; those without a choice first, which one tap adds. */
export function GoesWith({ lines, heading: Heading, isLarge = false }: Props) {
  const fitting = useRelated(lines)
    .filter(({ available }) => available)
    .toSorted((a, b) => a.variantCount - b.variantCount)
    .slice(0, isLarge ? 3 : 2)
  if (fitting.length === 0) return null
  return (
    <section aria-labelledby="goes-with" className="border-t border-line pt-4 pb-6">
      <Heading id="goes-with" className="font-text! text-[0.9375rem] font-semibold tracking-normal">
        {say('Pairs well with')}
      </Heading>
      <ul
        className={classNames(
          'mt-3 grid grid-cols-2 gap-x-4 gap-y-6',
          isLarge && 'sm:grid-cols-3 max-sm:*:nth-3:hidden',
        )}
      >
        {fitting.map((product) => (
          <Offer key={product.id} product={product} />
        ))}
      </ul>
    </section>
  )
}

function Offer({ product }: { product: ProductCard }) {
  const { id, name, picture, price, priceRange, variantCount } = product
  const { closeCart } = useCart()
  const { addToCart, isBusy, problem } = useAddToCart()
  return (
    <li className="grid grid-rows-[auto_1fr_auto]">
      <Link to={pathOfCard(product)} onClick={closeCart} tabIndex={-1} aria-hidden="true" className="block">
        <Picture
          picture={picture ?? undefined}
          alt=""
          sizes="(min-width: 1312px) 170px, 45vw"
          className="plate aspect-square w-full rounded-card object-cover"
        />
      </Link>
      <p className="mt-2.5 min-w-0 text-[0.9375rem] leading-snug">
        <Link
          to={pathOfCard(product)}
          onClick={closeCart}
          className="block font-display underline-offset-4 hover:underline"
        >
          <ProductName name={name} size="line" />
        </Link>
        <Price amount={price} from={priceRange.to > priceRange.from} className="mt-0.5 block text-sm" />
      </p>
      {variantCount === 1 ? (
        <Button
          variant="quiet"
          className="mt-2 min-h-11! justify-self-start px-5! py-1.5! text-sm noscript:hidden"
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
          className="link-line inline-flex min-h-11 items-center justify-self-start text-sm font-medium"
        >
          {say('Choose')}
          <span className="sr-only">{` ${say('options of {name}', { name })}`}</span>
        </Link>
      )}
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </li>
  )
}
