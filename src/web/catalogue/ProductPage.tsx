import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { findCollection } from '#brand/collections/collections.ts'
import { PROCESSING_BUSINESS_DAYS, RETURN_WINDOW_DAYS } from '#brand/policies.ts'
import type { Product } from '#contract/catalogue.ts'
import { paths } from '#contract/paths.ts'
import { isOffered } from '#domain/catalogue/options.ts'
import { specsOf } from '#domain/catalogue/specs.ts'
import { productsQuery } from '#web/api/queries.ts'
import { useAddToCart } from '#web/cart/use-add-to-cart.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { Gallery } from './Gallery.tsx'
import { OptionPicker } from './OptionPicker.tsx'
import { PlainOrder } from './PlainOrder.tsx'
import { ProductName } from './ProductName.tsx'
import { ProductNotFound } from './ProductNotFound.tsx'
import { Rating } from './Rating.tsx'
import { SpecsPanel } from './SpecsPanel.tsx'
import { useChoice } from './use-choice.ts'
import { useVariants, type Variant } from './use-variants.ts'

export function ProductPage() {
  const { id: wanted } = useParams()
  const { data: products } = useQuery(productsQuery)
  const product = products?.find(({ id, slug }) => String(id) === wanted || slug === wanted)
  if (!products) return <p className="shell py-24">Loading product details...</p>
  if (!product) return <ProductNotFound />
  // Another product begins with nothing chosen.
  return <ProductView key={product.id} product={product} />
}

function ProductView({ product }: { product: Product }) {
  const {
    data: variants = [],
    isLoading,
    isError,
    refetch,
  } = useVariants(product, { enabled: true, refetchOnWindowFocus: true })
  const { chosen, picture, remark, chooseOption, choosePicture } = useChoice(product, variants)
  const theme = findCollection(product.collection)

  return (
    <>
      <PageHead title={product.name} description={product.description} />
      <div className="shell pt-5 lg:pt-8">
        <Link
          to={theme ? paths.collection(theme.id) : paths.products}
          className="inline-flex min-h-11 items-center gap-2 text-[0.9375rem] font-medium text-ink-soft hover:text-ink"
        >
          <Icon name="left" className="size-5" />
          Back to {theme?.displayName ?? 'all products'}
        </Link>
        <div className="mt-3 grid gap-x-14 gap-y-8 lg:grid-cols-[1.32fr_1fr]">
          <Gallery
            name={product.name}
            badge={product.badge}
            pictures={product.images}
            shown={picture}
            onShow={choosePicture}
          />
          <div className="min-w-0">
            <div>
              <h1>
                <ProductName name={product.name} size="page" />
              </h1>
              <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
                <Price
                  amount={chosen?.price ?? product.price}
                  from={!chosen && product.priceRange.to > product.priceRange.from}
                  className="text-[1.5rem] font-semibold"
                />
                <Rating rating={product.rating} reviewCount={product.reviewCount} />
              </div>
              <p className="mt-5 max-w-[34.8em] text-ink-soft">{product.description}</p>

              <div className="mt-7 grid gap-7">
                {isLoading && (
                  <div role="status" className="grid gap-3">
                    <p className="text-ink-soft">Loading product details...</p>
                    <Skeleton className="h-11 w-2/3" />
                  </div>
                )}
                {isError && (
                  <div role="alert" className="rounded-card bg-danger-soft p-4">
                    <p className="font-medium text-danger">The colours and sizes could not be loaded.</p>
                    <Button look="plain" onClick={() => void refetch()}>
                      Try again
                    </Button>
                  </div>
                )}
                {chosen && (
                  <div className="noscript:hidden">
                    <OptionPicker
                      colours={product.colours}
                      variants={variants}
                      chosen={chosen}
                      onChoose={chooseOption}
                      sizeGuide={specsOf(product).sizeGuide}
                    />
                  </div>
                )}
                <PlainOrder product={product} variants={variants} chosen={chosen} />
                <p role="status" className="-mt-3 text-sm font-medium empty:hidden">
                  {remark}
                </p>
                <AddToCart product={product} variants={variants} chosen={chosen} />
              </div>
              <Promises />
              <div className="mt-8">
                <SpecsPanel product={product} />
              </div>
            </div>
          </div>
        </div>
      </div>
    </>
  )
}

type AddProps = { product: Product; variants: readonly Variant[]; chosen: Variant | undefined }

function AddToCart({ product, variants, chosen }: AddProps) {
  const { toast } = useToast()
  const { addToCart, isBusy, problem, setProblem } = useAddToCart()
  const isAvailable = chosen ? chosen.available : product.available
  const mustChoose = product.variantCount > 1 && !chosen

  const add = () => {
    if (!mustChoose) {
      void addToCart({
        productId: product.id,
        name: product.name,
        variantName: chosen ? nameOf(chosen, variants) : null,
        variantId: () => chosen?.id ?? null,
      })
      return
    }
    setProblem('Please select your options above')
    toast({
      title: 'Please select options',
      description: 'Choose your preferred color and size before adding to cart.',
      destructive: true,
    })
  }

  return (
    <div>
      <Button
        busy={isBusy}
        aria-disabled={!isAvailable}
        className="w-full text-[1.0625rem] noscript:hidden"
        onClick={add}
      >
        {isAvailable ? 'Add to Cart' : 'Sold out'}
      </Button>
      <p role="alert" className="mt-2.5 text-[0.9375rem] font-medium text-danger empty:hidden">
        {problem}
      </p>
      {!isAvailable && (
        <p className="mt-2.5 text-[0.9375rem] text-ink-soft">
          This one is sold out for now. Other colours or sizes may be there.
        </p>
      )}
      {product.disclosures.map((sentence) => (
        <p key={sentence} className="mt-4 border-l-2 border-accent pl-3.5 text-[0.9375rem] text-ink-soft">
          {sentence}
        </p>
      ))}
    </div>
  )
}

/** `Navy / M`: what there was to choose, and nothing else. */
const nameOf = (chosen: Variant, variants: readonly Variant[]): string =>
  (['colour', 'size'] as const)
    .flatMap((option) => (isOffered(variants, option) ? (chosen[option] ?? []) : []))
    .join(' / ')

const promises: readonly { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'truck',
    title: 'Free worldwide shipping',
    text: `Made in ${PROCESSING_BUSINESS_DAYS.from}-${PROCESSING_BUSINESS_DAYS.to} business days, then sent with tracking.`,
  },
  { icon: 'needle', title: 'Made for you', text: 'Printed or stitched one by one, after you order.' },
  {
    icon: 'seal',
    title: 'Quality we stand behind',
    text: `Defects, wrong items and damage are put right within ${RETURN_WINDOW_DAYS} days of delivery.`,
  },
]

/** The shipping and quality card. */
const Promises = () => (
  <section
    aria-label="Shipping and quality"
    className="mt-8 rounded-card border border-line bg-surface p-5 shadow-card"
  >
    <ul className="grid gap-4">
      {promises.map(({ icon, title, text }) => (
        <li key={title} className="flex gap-4">
          <Icon name={icon} className="mt-0.5 size-6 text-accent" />
          <p>
            <span className="block leading-snug font-semibold">{title}</span>
            <span className="text-[0.9375rem] text-ink-soft">{text}</span>
          </p>
        </li>
      ))}
    </ul>
  </section>
)
