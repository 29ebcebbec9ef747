import type { CartLine } from '#contract/cart.ts'
import type { ProductCard } from '#contract/catalog.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCard } from '#web/catalog/card-path.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { useRelated } from '#web/catalog/use-related.ts'
import { Button } from '#web/ui/Button.tsx'
import { Price } from '#web/ui/Price.tsx'
import { useAddToCart } from './use-add-to-cart.ts'
import { useCart } from './use-cart.tsx'

const SHOWN = 2

/** Two goods of the same animal; those without a choice first, which one tap adds. */
export function GoesWith({ lines, heading: Heading }: { lines: readonly CartLine[]; heading: 'h2' | 'h3' }) {
  const fitting = useRelated(lines)
    .filter(({ available }) => available)
    .toSorted((a, b) => a.variantCount - b.variantCount)
    .slice(0, SHOWN)
  if (fitting.length === 0) return null
  return (
    <section aria-labelledby="goes-with" className="border-t border-line pt-3 pb-5">
      <Heading id="goes-with" className="font-text! text-[0.9375rem] font-semibold tracking-normal">
        {say('Pairs well with')}
      </Heading>
      <ul className="mt-2 grid gap-3">
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
    <li className="relative grid grid-cols-[3.5rem_1fr_auto] items-center gap-3">
      <Picture
        picture={picture ?? undefined}
        alt=""
        sizes="56px"
        className="plate aspect-square w-full rounded-card object-cover"
      />
      <p className="min-w-0 text-[0.9375rem] leading-snug">
        <Link
          to={pathOfCard(product)}
          onClick={closeCart}
          className="block font-display underline-offset-4 hover:underline"
        >
          <ProductName name={name} size="line" />
        </Link>
        <Price amount={price} from={priceRange.to > priceRange.from} className="block text-sm text-ink-soft" />
      </p>
      {variantCount === 1 ? (
        <Button
          variant="quiet"
          className="min-h-11! px-4! py-1.5! text-sm noscript:hidden"
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
          className="link-line inline-flex min-h-11 items-center text-sm font-medium"
        >
          {say('Choose')}
          <span className="sr-only">{` ${say('options of {name}', { name })}`}</span>
        </Link>
      )}
      <p role="alert" className="col-span-3 text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </li>
  )
}
