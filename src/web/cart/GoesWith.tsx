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
  /** On the cart page: three as cards. The drawer has two, as cards where it is tall. */
  isLarge?: boolean
}

/** Goods of the same animal; those without a choice first, which one tap adds. */
export function GoesWith({ lines, heading: Heading, isLarge = false }: Props) {
  const wanted = isLarge ? 3 : 2
  const fitting = useRelated(lines, wanted)
    .filter(({ available }) => available)
    .toSorted((a, b) => a.variantCount - b.variantCount)
    .slice(0, wanted)
  if (fitting.length === 0) return null
  // The drawer is never rendered on the server.
  const isCard = isLarge || matchMedia('(height >= 62rem)').matches
  return (
    <section aria-labelledby="goes-with" className="border-t border-line pt-3 pb-5">
      <Heading id="goes-with" className="font-text! text-[0.9375rem] font-semibold tracking-normal">
        {say('Pairs well with')}
      </Heading>
      <ul
        className={classNames(
          'mt-2.5 grid gap-x-4',
          isCard ? 'grid-cols-2 gap-y-6' : 'gap-y-3',
          isLarge && 'sm:grid-cols-3 max-sm:*:nth-3:hidden',
        )}
      >
        {fitting.map((product) => (
          <Offer key={product.id} product={product} isCard={isCard} />
        ))}
      </ul>
    </section>
  )
}

function Offer({ product, isCard }: { product: ProductCard; isCard: boolean }) {
  const { id, name, picture, price, priceRange, variantCount } = product
  const { closeCart } = useCart()
  const { addToCart, isBusy, problem } = useAddToCart()
  return (
    <li
      className={
        isCard ? 'grid grid-rows-[auto_1fr_auto] gap-2' : 'grid grid-cols-[3.5rem_1fr_auto] items-center gap-x-3'
      }
    >
      <Link to={pathOfCard(product)} onClick={closeCart} tabIndex={-1} aria-hidden="true" className="block">
        <Picture
          picture={picture ?? undefined}
          alt=""
          sizes={isCard ? '(min-width: 640px) 230px, 45vw' : '56px'}
          className="plate aspect-square w-full rounded-card object-cover"
        />
      </Link>
      <p className="min-w-0 text-[0.9375rem] leading-snug">
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
          className="min-h-11! justify-self-start px-4! py-1.5! text-sm noscript:hidden"
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
      <p role="alert" className="col-span-full text-sm font-medium text-danger empty:hidden">
        {problem}
      </p>
    </li>
  )
}
