import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { useLoaderData, useParams } from 'react-router'
import type { Product, ProductWithRelated } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { metalOf } from '#domain/catalog/badge.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { say, sayKnown } from '#words/say.ts'
import { ApiError } from '#web/api/client.ts'
import { productQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { useCollections } from '#web/app/use-collections.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { AddToCart } from './AddToCart.tsx'
import { Gallery } from './Gallery.tsx'
import { OptionPicker } from './OptionPicker.tsx'
import { PlainOrder } from './PlainOrder.tsx'
import { ProductName } from './ProductName.tsx'
import { Rating } from './Rating.tsx'
import { SpecsPanel } from './SpecsPanel.tsx'
import { dropOf, isSelling, useDrops } from '#web/drops/use-drop.ts'
import { useBuyButton } from './use-buy-button.ts'
import { useVariantChoice } from './use-variant-choice.ts'
import { useLatePageFacts } from './use-late-page-facts.ts'
import { useOutOfView } from '#web/ui/use-out-of-view.ts'
import { useVariants } from './use-variants.ts'

// Loaded when it is first shown.
const BuyBar = lazy(async () => ({ default: (await import('./BuyBar.tsx')).BuyBar }))

// The server answers with it before this page is one.
const ProductNotFound = lazy(async () => ({ default: (await import('./ProductNotFound.tsx')).ProductNotFound }))

// Part of the page that the server sends; its script is loaded when nothing else is to do.
const ProductReviews = import.meta.env.SSR
  ? (await import('#web/reviews/ProductReviews.tsx')).ProductReviews
  : lazy(async () => ({ default: (await import('#web/reviews/ProductReviews.tsx')).ProductReviews }))

const DeliveryPromises = import.meta.env.SSR
  ? (await import('./DeliveryPromises.tsx')).DeliveryPromises
  : lazy(async () => ({ default: (await import('./DeliveryPromises.tsx')).DeliveryPromises }))

const BuyExpress = import.meta.env.SSR
  ? (await import('./BuyExpress.tsx')).BuyExpress
  : lazy(async () => ({ default: (await import('./BuyExpress.tsx')).BuyExpress }))

const RelatedProducts = import.meta.env.SSR
  ? (await import('./RelatedProducts.tsx')).RelatedProducts
  : lazy(async () => ({ default: (await import('./RelatedProducts.tsx')).RelatedProducts }))

const DropPanel = import.meta.env.SSR
  ? (await import('#web/drops/DropPanel.tsx')).DropPanel
  : lazy(async () => ({ default: (await import('#web/drops/DropPanel.tsx')).DropPanel }))

export function ProductPage() {
  const { id: idOrSlug = '' } = useParams()
  const { data, error } = useQuery(productQuery(idOrSlug))
  if (error) return error instanceof ApiError && error.status === 404 ? <ProductNotFound /> : <ProductLoadFailure />
  if (!data) return <ProductLoading />
  // The key resets the choice for another product.
  return <ProductView key={data.product.id} {...data} />
}

/** With less of the main button in sight, the bar for phones has one to press. */
const BUTTON_SEEN_PX = 40

const ProductLoading = () => (
  <div role="status" className="shell md:pt-4">
    <p className="flex min-h-8 items-center gap-3 text-sm text-ink-soft">
      <Spinner />
      {say('Loading product details...')}
    </p>
    <div className="product-columns">
      <Skeleton className="aspect-11/10 md:aspect-square" />
      <div className="grid content-start gap-5">
        <Skeleton className="h-20 w-4/5" />
        <Skeleton className="h-24" />
        <Skeleton className="h-14" />
      </div>
    </div>
  </div>
)

const ProductLoadFailure = () => (
  <div role="alert" className="shell grid justify-items-start gap-6 py-24">
    <p className="text-lg font-medium text-danger">{say('Failed to load products. Please try again later.')}</p>
    <Button onClick={() => location.reload()}>{say('Try again')}</Button>
  </div>
)

/** Leads to the reviews, if there are any. */
const RatingLink = ({ rating, reviewCount }: Pick<Product, 'rating' | 'reviewCount'>) => {
  const shown = <Rating rating={rating} reviewCount={reviewCount} />
  return reviewCount > 0 ? (
    <a href="#reviews" className="decoration-accent underline-offset-4 hover:underline">
      {shown}
    </a>
  ) : (
    shown
  )
}

/**
 * A product as shoppers see it.
 * @param isDraft whether its pieces can't be bought yet: then none is quoted to the door
 */
export function ProductView({ product, related, specs, isDraft = false }: ProductWithRelated & { isDraft?: boolean }) {
  const {
    data: variants = [],
    isLoading,
    isError,
    refetch,
  } = useVariants(product, { enabled: true, refetchOnWindowFocus: true })
  const { chosen, state, isSizeChosen, unavailable, picture, remark, chooseOption, choosePicture } = useVariantChoice(
    product,
    variants,
  )
  /** Variants are not loaded where there is nothing to choose. */
  const piece =
    chosen ??
    (product.providerProductId === null && product.variant !== null
      ? { id: product.variant, available: product.available }
      : undefined)
  const drop = dropOf(useDrops(), product)
  const isSold = isSelling(drop)
  const quantityMax = drop?.limitPerPerson ?? QUANTITY_MAX
  const buying = useBuyButton(product, { variants, chosen, state, isSizeChosen, quantityMax })
  const { canonical } = useLoaderData<{ canonical?: string }>()
  useLatePageFacts(canonical !== undefined)
  const options = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLDivElement>(null)
  const isButtonOutOfView = useOutOfView(button, BUTTON_SEEN_PX)
  const theme = findCollection(useCollections(), product.collection)

  return (
    <>
      <PageHead title={product.name} description={product.description} />
      <div data-count={`view ${product.id} ${state} ${chosen?.id}`} className="shell md:pt-4">
        <div className="relative flex min-h-8 items-center justify-between gap-3">
          <Link
            to={theme ? paths.collection(theme.slug) : paths.products}
            className="inline-flex min-h-8 items-center gap-1.5 text-sm font-medium text-ink-soft hover:text-ink"
          >
            <Icon name="left" className="size-4" />
            {theme ? say('Back to {place}', { place: sayKnown(theme.displayName) }) : say('Back to all products')}
          </Link>
          {product.badge && <Badge metal={metalOf(product.badge)}>{sayKnown(product.badge)}</Badge>}
        </div>
        <div className="product-columns">
          <Gallery
            name={product.name}
            pictures={product.images}
            current={picture}
            color={chosen?.color ?? null}
            onShow={choosePicture}
          />
          <div className="min-w-0 md:max-lg:row-span-2">
            <div>
              <div className="product-head">
                <h1>
                  <ProductName name={product.name} size="page" />
                </h1>
                <Price
                  amount={chosen?.unitPrice ?? product.price}
                  from={!chosen && product.priceRange.to > product.priceRange.from}
                  className="text-[1.375rem] font-semibold md:text-[1.5rem]"
                />
                <RatingLink {...product} />
              </div>

              <div className="mt-2 grid gap-4 md:mt-7 md:gap-7">
                {isLoading && (
                  <div role="status" className="grid gap-3">
                    <p className="text-ink-soft">{say('Loading product details...')}</p>
                    <Skeleton className="h-11 w-2/3" />
                  </div>
                )}
                {isError && (
                  <div role="alert" className="rounded-card bg-danger-soft p-4">
                    <p className="font-medium text-danger">{say('We couldn’t load the colors and sizes.')}</p>
                    <Button variant="plain" onClick={() => void refetch()}>
                      {say('Try again')}
                    </Button>
                  </div>
                )}
                {chosen && (
                  <div ref={options} className="scroll-mt-24 noscript:hidden">
                    <OptionPicker
                      colors={product.colors}
                      variants={variants}
                      chosen={chosen}
                      unavailable={unavailable}
                      onChoose={chooseOption}
                      specs={specs}
                    />
                  </div>
                )}
                {drop && (
                  <Suspense>
                    <DropPanel drop={drop} />
                  </Suspense>
                )}
                {/* Rendered on the server only: a browser with JavaScript ignores it. */}
                <noscript>
                  {import.meta.env.SSR && isSold && (
                    <PlainOrder
                      product={product}
                      specs={specs}
                      variants={variants}
                      chosen={chosen}
                      quantityMax={quantityMax}
                    />
                  )}
                </noscript>
                <p role="status" className="-mt-3 text-sm font-medium empty:hidden">
                  {remark}
                </p>
                {isSold && (
                  <AddToCart buying={buying} disclosures={product.disclosures} button={button}>
                    {!isDraft && (
                      // As high and with the same frame as what it stands for: the cart may arrive before the script, and React then takes
                      // the server's away.
                      <Suspense
                        fallback={
                          <div className="mt-3 h-18.5">
                            <div className="express-outline h-12 rounded-card" />
                          </div>
                        }
                      >
                        <BuyExpress product={product} variantId={chosen?.id ?? null} buying={buying} />
                      </Suspense>
                    )}
                  </AddToCart>
                )}
              </div>
              <p className="mt-5 max-w-[34.8em] text-ink-soft">{product.description}</p>
              <Suspense>
                <DeliveryPromises
                  variant={piece?.available && !isDraft ? piece.id : undefined}
                  quantity={buying.quantity}
                />
              </Suspense>
            </div>
          </div>
          {/* On tablets under the pictures, which are shorter than what is said beside them. */}
          <div className="mt-6 md:max-lg:row-start-2 lg:col-start-2">
            <SpecsPanel specs={specs} />
          </div>
        </div>
        {product.reviewCount > 0 && (
          <Suspense>
            <ProductReviews product={product} />
          </Suspense>
        )}
        <Suspense>
          <RelatedProducts product={product} related={related} />
        </Suspense>
      </div>
      {isButtonOutOfView && isSold && (
        <Suspense>
          <BuyBar name={product.name} buying={buying} options={options} button={button} />
        </Suspense>
      )}
    </>
  )
}
