import { useQuery } from '@tanstack/react-query'
import { collections } from '#brand/collections/collections.ts'
import { label } from '#brand/label.ts'
import { inListingOrder } from '#domain/catalogue/listing-order.ts'
import { productsQuery } from '#web/api/queries.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { NarrowableGrid } from './Facets.tsx'
import { ProductGridLoading } from './ProductGrid.tsx'
import { StoryBlock } from './StoryBlock.tsx'

export function ProductsPage() {
  const { data: products, isError } = useQuery(productsQuery)
  return (
    <>
      <PageHead
        title="All products"
        description={`Hats, shirts, mugs and household goods of ${collections.rudy.petName}, ${collections.sherlock.petName} and ${collections.example.petName}. Made to order, shipped worldwide.`}
      />
      <header className="shell pt-14 pb-12 lg:pt-20 lg:pb-16">
        <h1 className="max-w-[8.1em] text-display">Everything with a paw in it</h1>
        <p className="mt-6 max-w-[33.6em] text-lg text-ink-soft">
          Hats first, because that is how it started, then everything that followed. Each piece is made after you order
          it and sent wherever you are.
        </p>
      </header>
      <section aria-label="Products" className="shell">
        {isError ? (
          <p role="alert" className="rounded-card bg-danger-soft p-6 font-medium text-danger">
            Failed to load products. Please try again later.
          </p>
        ) : products ? (
          <NarrowableGrid columns={3} products={inListingOrder(products)} firstInSight />
        ) : (
          <ProductGridLoading columns={3}>Loading products...</ProductGridLoading>
        )}
      </section>
      <StoryBlock channel={label.channel} pet={collections.rudy.petName} />
    </>
  )
}
