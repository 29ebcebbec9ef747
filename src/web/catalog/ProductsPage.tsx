import { collections } from '#site/collections/collections.ts'
import { label } from '#site/label.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'
import { StoryBlock } from './StoryBlock.tsx'

export function ProductsPage() {
  return (
    <>
      <PageHead
        title="All products"
        description={`Hats, shirts, mugs and household goods with ${collections.rudy.petName}, ${collections.sherlock.petName} and ${collections.example.petName}. Made to order, shipped worldwide.`}
      />
      <header className="shell pt-14 pb-12 lg:pt-20 lg:pb-16">
        <h1 className="max-w-[8.1em] text-display">Everything with a paw in it</h1>
        <p className="mt-6 max-w-[33.6em] text-lg text-ink-soft">
          Hats came first. Everything else followed. Each piece is made when you order it and shipped wherever you are.
        </p>
      </header>
      <section aria-label="Products" {...listHead} className="shell scroll-mt-24 outline-none">
        <Listing columns={3} loading="Loading products..." failed={<LoadFailure />} firstInSight />
      </section>
      <StoryBlock channel={label.channel} pet={collections.rudy.petName} />
    </>
  )
}

const LoadFailure = () => (
  <p role="alert" className="rounded-card bg-danger-soft p-6 font-medium text-danger">
    Failed to load products. Please try again later.
  </p>
)
