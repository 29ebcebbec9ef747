import { useQuery } from '@tanstack/react-query'
import { collectionQuery } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'
import { StoryBlock } from './StoryBlock.tsx'

/** `Rudy, Sherlock and Pip`. */
const joined = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('')

export function ProductsPage() {
  const collections = useCollections()
  const [first] = collections
  const { data } = useQuery({ ...collectionQuery(first?.slug ?? ''), enabled: first !== undefined })
  const pets = joined(collections.slice(0, 5).map(({ petName }) => petName))
  return (
    <>
      <PageHead
        title="All products"
        description={`Hats, shirts, mugs and household goods${pets && ` with ${pets}`}. Made to order, shipped worldwide.`}
      />
      <header className="shell pt-14 pb-12 lg:pt-20 lg:pb-16">
        <h1 className="max-w-[8.1em] text-display">Everything with a paw in it</h1>
        <p className="mt-6 max-w-[33.6em] text-lg text-ink-soft">
          Hats came first. Everything else followed. Each piece is made when you order it and shipped wherever you are.
        </p>
      </header>
      <section aria-label="Products" {...listHead} className="shell scroll-mt-24 outline-none">
        <Listing
          columns={3}
          loading="Loading products..."
          failed={<LoadFailure />}
          empty={<p className="py-10 text-lg">The first products are on their way.</p>}
          firstInSight
        />
      </section>
      {data?.collection?.story && <StoryBlock {...data.collection} />}
    </>
  )
}

const LoadFailure = () => (
  <p role="alert" className="rounded-card bg-danger-soft p-6 font-medium text-danger">
    Failed to load products. Please try again later.
  </p>
)
