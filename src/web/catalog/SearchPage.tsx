import { lazy, Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { SearchAnswer } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import type { FacetChoice } from '#domain/catalog/facets.ts'
import { FEW_RESULTS, normalizeQuery } from '#domain/catalog/search.ts'
import { spokenAddress, spokenLanguage } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { collectionsQuery, searchQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { Facets, NoMatches, useFacetChoice } from './Facets.tsx'
import { toPicture } from './hero.ts'
import { listHead, Pager } from './Pager.tsx'
import { Picture } from './Picture.tsx'
import { ProductGrid, ProductGridLoading } from './ProductGrid.tsx'

// Loaded when it is shown; the server sends it with the page.
const NoResults = import.meta.env.SSR
  ? (await import('./NoResults.tsx')).NoResults
  : lazy(async () => ({ default: (await import('./NoResults.tsx')).NoResults }))
const PairsWellWith = import.meta.env.SSR
  ? (await import('./PairsWellWith.tsx')).PairsWellWith
  : lazy(async () => ({ default: (await import('./PairsWellWith.tsx')).PairsWellWith }))

export function SearchPage() {
  const site = useSite()
  const [parameters] = useSearchParams()
  const query = normalizeQuery(parameters.get('q') ?? '')
  const chosen = useFacetChoice()
  const { data: answer, isError } = useQuery({
    ...searchQuery(query, chosen, parameters.get('page'), spokenLanguage()),
    enabled: query !== '',
  })

  return (
    <div className="shell pt-6 lg:pt-12">
      <PageHead
        title={query ? say('Search: {query}', { query }) : say('Search')}
        description={say('Search everything {name} makes: by pet, product type, color or channel.', {
          name: site.name,
        })}
      />
      <meta name="robots" content="noindex" />
      <div className="search-head">
        <h1 className="text-headline">{say('Search Results')}</h1>
        <search>
          <form action={spokenAddress('/search')} className="flex gap-2">
            <input
              key={query}
              type="search"
              name="q"
              defaultValue={query}
              aria-label={say('Search')}
              autoComplete="off"
              className={inputClass}
            />
            <Button type="submit">{say('Search')}</Button>
          </form>
        </search>
      </div>

      {query === '' ? (
        <Suspense>
          <NoResults title={say('No search query provided')}>
            {say('Please enter a search term to find products.')}
          </NoResults>
        </Suspense>
      ) : isError ? (
        <p role="alert" className="mt-10 font-medium text-danger">
          {say('Failed to load products. Please try again later.')}
        </p>
      ) : !answer ? (
        <div className="mt-10">
          <ProductGridLoading columns={4}>{say('Searching...')}</ProductGridLoading>
        </div>
      ) : (
        <SearchResults query={query} answer={answer} chosen={chosen} />
      )}
      <p className="mt-14 grid grid-cols-2 gap-3 *:px-3 sm:flex sm:justify-center sm:*:px-6">
        <Link to={paths.home} className={buttonClass('outline')}>
          {say('Back to Home')}
        </Link>
        <Link to={paths.products} className={buttonClass('outline')}>
          {say('See all products')}
        </Link>
      </p>
    </div>
  )
}

type SearchResultsProps = { query: string; answer: SearchAnswer; chosen: FacetChoice }

function SearchResults({ query, answer, chosen }: SearchResultsProps) {
  const { products, count, isMore, page, hasNext, groups, facets, isNear } = answer
  const shownGroups = groups.filter(({ collection }) => products.some((product) => product.collection === collection))
  // Facets count the results before filtering.
  const hasResults = facets.type.length > 0
  const found = isMore
    ? say('More than {count, plural, one {# product} other {# products}} found', { count })
    : say('{count, plural, one {# product} other {# products}} found', { count })
  return (
    <>
      <p role="status" {...listHead} className={hasResults ? 'search-summary' : 'sr-only'}>
        <span className="block">
          <Sentence
            word="Showing results for {query}"
            parts={{ query: <strong className="font-semibold text-ink">{say('“{text}”', { text: query })}</strong> }}
          />
        </span>
        {!hasResults && <span>{found}</span>}
        {isNear && <span className="block">{say('No exact match. These come close.')}</span>}
      </p>
      {!hasResults ? (
        <Suspense>
          <NoResults title={say('No products found')}>
            {say('We sniffed in every corner. Check the spelling, or try one of these.')}
          </NoResults>
        </Suspense>
      ) : (
        <>
          <Facets facets={facets} chosen={chosen} matchCount={count} isMore={isMore} matches={found} />
          {count === 0 && <NoMatches />}
          <div className="cards card-groups mt-6 lg:mt-8">
            {shownGroups.map((group, index) => (
              <ResultGroup
                key={group.collection}
                {...group}
                products={products.filter((product) => product.collection === group.collection)}
                isFirst={index === 0}
                total={products.length}
              />
            ))}
          </div>
          <Pager
            previous={page > 1 ? ['page', String(page - 1)] : undefined}
            next={hasNext ? ['page', String(page + 1)] : undefined}
          />
          {count > 0 && count <= FEW_RESULTS && (
            <Suspense>
              <PairsWellWith products={products.map(({ id }) => id)} className="mt-12 lg:mt-16" />
            </Suspense>
          )}
        </>
      )}
    </>
  )
}

type GroupProps = SearchAnswer['groups'][number] & {
  products: SearchAnswer['products']
  isFirst: boolean
  /** Of all groups. */
  total: number
}

/** Its collection's tile leads on: on phones a row below, on larger screens where a last row of cards would be empty; style knows where that is. */
function ResultGroup({ collection: id, count, products, isFirst, total }: GroupProps) {
  const collection = useQuery(collectionsQuery).data?.collections.find((one) => one.id === id)
  const name = collection ? sayKnown(collection.displayName) : id
  return (
    <section aria-labelledby={`in-${id}`}>
      <ProductGrid
        columns="group"
        products={products}
        headingLevel="h3"
        firstInSight={isFirst}
        last={
          collection?.hero && (
            <li className="card-beside" data-in-4={total % 4}>
              <Link to={paths.collection(collection.slug)} className="card-rest" data-collection={id}>
                <span>
                  <Picture picture={toPicture(collection.hero)} alt="" sizes="(min-width:48rem) 592px,6rem" />
                  <span>
                    <span className="kind">{say('See the whole collection')}</span>
                    <span className="title">{name}</span>
                  </span>
                  <Icon name="right" className="size-5 md:hidden" />
                </span>
              </Link>
            </li>
          )
        }
      >
        <h2 id={`in-${id}`}>
          {name} <span>{say('{count, plural, one {# item} other {# items}}', { count })}</span>
        </h2>
      </ProductGrid>
    </section>
  )
}
