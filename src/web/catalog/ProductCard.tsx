import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Product } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { cardPictures } from '#domain/catalog/gallery.ts'
import { firstVariant } from '#domain/catalog/options.ts'
import { productQuery, providerDetailQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { useAddToCart } from '#web/cart/use-add-to-cart.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Price } from '#web/ui/Price.tsx'
import { CardPictures } from './CardPictures.tsx'
import { ColorSwatches, Dots } from './ColorSwatches.tsx'
import { ProductName } from './ProductName.tsx'
import { Rating } from './Rating.tsx'
import { variantsOf, type Variant } from './use-variants.ts'

type Props = {
  product: Product
  sizes: string
  /** Above the fold. */
  first?: boolean
  headingLevel?: 'h2' | 'h3'
}

const PICTURES_MAX = 5

/** Options open, and variants load, when a pointer or the focus reaches the card. */
export function ProductCard({ product, sizes, first = false, headingLevel: Heading = 'h2' }: Props) {
  const [isOpened, setIsOpened] = useState(false)
  const [picked, setPicked] = useState<string>()
  const hasOptions = product.variantCount > 1
  const [variants, setVariants] = useState<readonly Variant[]>([])
  const { addToCart, isBusy, problem } = useAddToCart()
  const queries = useQueryClient()

  const color = picked ?? firstVariant(variants)?.color ?? null
  const pictureColor = color ?? product.images[0]?.color ?? null
  const strip = useRef<HTMLDivElement>(null)
  const address = paths.product(product.id)
  const loadVariants = async (): Promise<readonly Variant[]> =>
    hasOptions && product.providerProductId !== null
      ? variantsOf(await queries.fetchQuery(providerDetailQuery(product.providerProductId)))
      : []
  const open = () => {
    if (isOpened) return
    setIsOpened(true)
    void queries.prefetchQuery(productQuery(String(product.id)))
    // On failure the colors can still be previewed.
    loadVariants().then(setVariants, () => undefined)
  }
  const pick = (name: string) => {
    setPicked(name)
    strip.current?.scrollTo({ left: 0 })
  }

  const chosenId = async (): Promise<number | null> => {
    const all = await loadVariants()
    return firstVariant(picked === undefined ? all : all.filter((variant) => variant.color === picked))?.id ?? null
  }

  return (
    // The card itself is not interactive: its links and buttons are.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article className="group flex h-full flex-col" onPointerEnter={open} onFocus={open}>
      <div className="relative overflow-hidden rounded-card plate">
        <CardPictures
          name={product.name}
          address={address}
          pictures={cardPictures(product.images, pictureColor, PICTURES_MAX)}
          sizes={sizes}
          first={first}
          isOpened={isOpened}
          strip={strip}
        />
        {product.badge && (
          <Badge metal={metalOf(product.badge)} className="pointer-events-none absolute top-3 left-3">
            {product.badge}
          </Badge>
        )}
      </div>

      <div className="mt-4 flex items-start justify-between gap-4">
        <Heading className="min-w-0">
          <Link to={address} className="block decoration-accent decoration-1 underline-offset-4 hover:underline">
            <ProductName name={product.name} />
          </Link>
        </Heading>
        <Price
          amount={product.price}
          from={product.priceRange.to > product.priceRange.from}
          className="shrink-0 text-right text-[0.9375rem] leading-snug font-semibold"
        />
      </div>
      {product.reviewCount > 0 && <Rating rating={product.rating} reviewCount={product.reviewCount} className="mt-2" />}

      <div className="mt-2.5 mb-4 flex items-center justify-between gap-3 sm:min-h-7">
        {product.colors.length > 1 &&
          (isOpened && hasOptions ? (
            <fieldset>
              <legend className="sr-only">Color of {product.name}</legend>
              <ColorSwatches
                size="small"
                chosen={color}
                onChoose={pick}
                swatches={product.colors.map(({ name, hex }) => ({ name, hex, state: stateOfColor(variants, name) }))}
              />
            </fieldset>
          ) : (
            <p className="min-w-0">
              <span className="sr-only">Colors: {product.colors.map(({ name }) => name).join(', ')}.</span>
              <Dots colors={product.colors} />
            </p>
          ))}
        {product.colors.length > 1 && (
          <span className="shrink-0 text-sm text-ink-soft">{product.colors.length} colors</span>
        )}
      </div>

      <div className="mt-auto">
        {product.requiresOptions || !product.available ? (
          <Link to={address} className={buttonClass('quiet', 'w-full')}>
            {product.available ? 'Select Options' : 'Sold out'}
            <span className="sr-only">: {product.name}</span>
          </Link>
        ) : (
          <Button
            variant="quiet"
            busy={isBusy}
            className="w-full noscript:hidden"
            onClick={() =>
              void addToCart({
                productId: product.id,
                name: product.name,
                variantName: hasOptions ? color : null,
                variantId: chosenId,
              })
            }
          >
            Add to Cart<span className="sr-only">: {product.name}</span>
          </Button>
        )}
        {!product.requiresOptions && product.available && (
          // Rendered on the server only: a browser with JavaScript ignores it.
          <noscript>
            {import.meta.env.SSR && (
              <a href={address} className={buttonClass('quiet', 'w-full')}>
                View product<span className="sr-only">: {product.name}</span>
              </a>
            )}
          </noscript>
        )}
        {problem && (
          <p role="alert" className="mt-2 text-sm font-medium text-danger">
            {problem}
          </p>
        )}
      </div>
    </article>
  )
}

const stateOfColor = (variants: readonly { color: string | null; available: boolean }[], color: string) =>
  variants.length === 0 || variants.some((variant) => variant.color === color && variant.available)
    ? 'available'
    : 'sold_out'
