import type { CartLine } from '#contract/cart.ts'
import type { ProductCard } from '#contract/catalog.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCard } from '#web/catalog/card-path.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { useAddCard } from '#web/catalog/use-add-card.ts'
import { useRelated } from '#web/catalog/use-related.ts'
import { Button } from '#web/ui/Button.tsx'
import { Price } from '#web/ui/Price.tsx'
import { useCart } from './use-cart.tsx'

const WANTED = 4

/**
 * In the drawer, as many as there is room for: goods of the same animal, and best sellers for an empty cart; those without a size first,
 * which one tap adds.
 */
export function GoesWith({ lines }: { lines: readonly CartLine[] }) {
  const fitting = useRelated(
    lines.map(({ productId }) => productId),
    WANTED,
  )
    .toSorted((a, b) => Number(a.requiresOptions) - Number(b.requiresOptions))
    .slice(0, WANTED)
  if (fitting.length === 0) return null
  return (
    <section aria-labelledby="goes-with" className="offers-room border-t border-line pt-3 pb-5">
      <h3 id="goes-with" className="font-text! text-[0.9375rem] font-semibold tracking-normal">
        {lines.length > 0 ? say('Pairs well with') : say('Best sellers')}
      </h3>
      <ul className="offers">
        {fitting.map((product) => (
          <Offer key={product.id} {...product} />
        ))}
      </ul>
    </section>
  )
}

function Offer(product: ProductCard) {
  const { name, picture, price, priceRange, requiresOptions } = product
  const { closeCart } = useCart()
  const { addCard, isBusy, problem } = useAddCard(product, { isInCart: true })
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
      {requiresOptions ? (
        <Link
          to={pathOfCard(product)}
          onClick={closeCart}
          className="link-line inline-flex min-h-11 items-center text-sm font-medium [grid-area:action]"
        >
          {say('Choose')}
          <span className="sr-only">{` ${say('options of {name}', { name })}`}</span>
        </Link>
      ) : (
        <Button
          variant="quiet"
          className="min-h-11! px-3! py-1.5! text-sm [grid-area:action] noscript:hidden"
          busy={isBusy}
          onClick={() => void addCard(picture?.color ?? null)}
        >
          {say('Add')}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
      <p role="alert" className="col-span-full text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </li>
  )
}
