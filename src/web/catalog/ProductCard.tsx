import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Product, ProductCard as CardProduct } from '#contract/catalog.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { formatNumber, formatRating } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { productQuery, providerDetailQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { pathOfCard } from './card-path.ts'
import type { CardColors } from './CardColors.tsx'
import { CardPictures } from './CardPictures.tsx'
import { ProductName } from './ProductName.tsx'
import { useAddCard } from './use-add-card.ts'

type Props = {
  product: CardProduct
  sizes: string
  /** Above the fold. */
  first?: boolean
  headingLevel?: 'h2' | 'h3'
}

/** Quiet until a pointer or the focus reaches it: then options open, and the rest of the product loads. */
export function ProductCard({ product, sizes, first = false, headingLevel: Heading = 'h2' }: Props) {
  const { id, name, picture, requiresOptions, available, reviewCount, rating } = product
  const [isOpened, setIsOpened] = useState(false)
  // Nobody chooses a color before the product is loaded, so what shows the colors comes with it.
  const [full, setFull] = useState<Product & { CardColors: typeof CardColors }>()
  const [picked, setPicked] = useState<string>()
  const { addCard, isBusy, problem } = useAddCard(product)
  const queries = useQueryClient()

  const hasOptions = product.variantCount > 1
  const color = picked ?? picture?.color ?? null
  const strip = useRef<HTMLDivElement>(null)
  const variant =
    picked === undefined ? product.variant : full?.colors.find((swatch) => swatch.name === picked)?.variant
  const address = pathOfCard({ id, variant: variant ?? undefined })
  const load = async () => (await queries.fetchQuery(productQuery(String(id)))).product
  const open = () => {
    if (isOpened) return
    setIsOpened(true)
    Promise.all([load(), import('./CardColors.tsx')]).then(
      ([loaded, colors]) => {
        setFull({ ...loaded, ...colors })
        // For its page, which starts with it.
        if (loaded.providerProductId !== null && hasOptions)
          void queries.prefetchQuery(providerDetailQuery(loaded.providerProductId))
      },
      () => undefined,
    )
  }
  const pick = (wanted: string) => {
    setPicked(wanted)
    strip.current?.scrollTo({ left: 0 })
  }

  return (
    // The card itself is not interactive: its links and buttons are.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article className="card group" onPointerEnter={open} onFocus={open}>
      <div className="card-plate">
        <CardPictures
          name={name}
          address={address}
          picture={picture}
          all={full?.images}
          color={color}
          isPicked={picked !== undefined}
          sizes={sizes}
          first={first}
          strip={strip}
        />
        {product.badge && <Badge metal={metalOf(product.badge)}>{sayKnown(product.badge)}</Badge>}
      </div>

      <div className="card-head">
        <Heading>
          <Link to={address}>
            <ProductName name={name} />
          </Link>
        </Heading>
        <Price amount={product.price} from={product.priceRange.to > product.priceRange.from} className="card-price" />
      </div>
      {product.sentence && <p className="card-sentence">{product.sentence}</p>}
      <div className="card-foot">
        {full && full.colors.length > 1 ? (
          <full.CardColors name={name} address={address} colors={full.colors} chosen={color} onChoose={pick} />
        ) : (
          product.colorCount > 1 && <span>{say('{count} colors', { count: product.colorCount })}</span>
        )}
        {reviewCount > 0 && (
          <p className="card-rating">
            <span className="sr-only">
              {say('Rated {rating} out of 5, {count, plural, one {# review} other {# reviews}}', {
                rating: formatNumber(rating),
                count: reviewCount,
              })}
            </span>
            <span aria-hidden="true">{`${formatRating(rating)} (${reviewCount})`}</span>
          </p>
        )}
      </div>

      {requiresOptions || !available ? (
        <Link to={address} className={available ? 'card-add' : 'card-add card-sold-out'}>
          <span>{available ? say('Select Options') : say('Sold out')}</span>
          <span className="sr-only">{`: ${name}`}</span>
        </Link>
      ) : (
        <button
          type="button"
          className="card-add noscript:hidden"
          {...(isBusy && { 'aria-disabled': true, 'aria-busy': true })}
          onClick={() => {
            if (!isBusy) void addCard(color)
          }}
        >
          {isBusy && <Spinner />}
          <span>{say('Add to Cart')}</span>
          <span className="sr-only">{`: ${name}`}</span>
        </button>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {problem}
        </p>
      )}
    </article>
  )
}
