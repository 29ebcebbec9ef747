import { useQuery } from '@tanstack/react-query'
import { formatList } from '#site/text-format.ts'
import { say } from '#words/say.ts'
import { collectionQuery } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'
import { StoryBlock } from './StoryBlock.tsx'

export function ProductsPage() {
  const collections = useCollections()
  const [first] = collections
  const { data } = useQuery({ ...collectionQuery(first?.slug ?? ''), enabled: first !== undefined })
  const pets = formatList(collections.slice(0, 5).map(({ petName }) => petName))
  return (
    <>
      <PageHead
        title={say('All products')}
        description={
          pets
            ? say('Hats, shirts, mugs and household goods with {pets}. Made to order, shipped worldwide.', { pets })
            : say('Hats, shirts, mugs and household goods. Made to order, shipped worldwide.')
        }
      />
      <header className="shell flex flex-wrap items-end justify-between gap-x-16 gap-y-2 pt-5 pb-4 sm:gap-y-4 sm:pt-10 sm:pb-7">
        <h1 className="text-[1.75rem] leading-tight sm:text-headline lg:text-[3.75rem]">
          {say('Everything with a paw in it')}
        </h1>
        <p className="max-w-[28em] text-[0.9375rem] text-ink-soft sm:text-base lg:pb-1">
          {say(
            'Hats came first. Everything else followed. Each piece is made when you order it and shipped wherever you are.',
          )}
        </p>
      </header>
      <section aria-label={say('Products')} {...listHead} className="shell scroll-mt-24 outline-none">
        <Listing
          columns={3}
          loading={say('Loading products...')}
          failed={<LoadFailure />}
          empty={<p className="py-10 text-lg">{say('The first products are on their way.')}</p>}
          firstInSight
        />
      </section>
      {data?.collection?.story && <StoryBlock {...data.collection} />}
    </>
  )
}

const LoadFailure = () => (
  <p role="alert" className="rounded-card bg-danger-soft p-6 font-medium text-danger">
    {say('Failed to load products. Please try again later.')}
  </p>
)
