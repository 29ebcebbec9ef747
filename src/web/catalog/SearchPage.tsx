import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { SearchAnswer } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import type { FacetChoice } from '#domain/catalog/facets.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { normalizeQuery } from '#domain/catalog/search.ts'
import { spokenAddress, spokenLanguage } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { searchQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { useCollections } from '#web/app/use-collections.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { BestSellers } from './BestSellers.tsx'
import { Facets, NoMatches, useFacetChoice } from './Facets.tsx'
import { PopularSearches } from './PopularSearches.tsx'
import { listHead, Pager } from './Pager.tsx'
import { ProductGrid, ProductGridLoading } from './ProductGrid.tsx'

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
        <NoResults title={say('No search query provided')}>
          <p>{say('Please enter a search term to find products.')}</p>
          <PopularSearches className="mt-4" />
        </NoResults>
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
      <p className="mt-16">
        <Link to={paths.home} className={buttonClass('outline')}>
          {say('Back to Home')}
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
  return (
    <>
      <p role="status" {...listHead} className="search-summary">
        <span className="block">
          <Sentence
            word="Showing results for {query}"
            parts={{ query: <strong className="font-semibold text-ink">{say('“{text}”', { text: query })}</strong> }}
          />
        </span>
        <span className={hasResults ? undefined : 'sr-only'}>
          {isMore
            ? say('More than {count, plural, one {# product} other {# products}} found', { count })
            : say('{count, plural, one {# product} other {# products}} found', { count })}
        </span>
        {isNear && <span className="block">{say('No exact match. These come close.')}</span>}
      </p>
      {!hasResults ? (
        <NoResults title={say('No products found')}>
          <PopularSearches className="mt-4" />
        </NoResults>
      ) : (
        <>
          <Facets facets={facets} chosen={chosen} />
          {count === 0 && <NoMatches />}
          <div className="cards cards-4 card-groups mt-8 lg:mt-12">
            {shownGroups.map((group, index) => (
              <ResultGroup
                key={group.collection}
                {...group}
                products={products.filter((product) => product.collection === group.collection)}
                isFirst={index === 0}
              />
            ))}
          </div>
          <Pager
            previous={page > 1 ? ['page', String(page - 1)] : undefined}
            next={hasNext ? ['page', String(page + 1)] : undefined}
          />
        </>
      )}
    </>
  )
}

type GroupProps = SearchAnswer['groups'][number] & { products: SearchAnswer['products']; isFirst: boolean }

/** As wide as its cards, so that groups of few stand side by side. */
function ResultGroup({ collection, count, products, isFirst }: GroupProps) {
  const collections = useCollections()
  return (
    <section aria-labelledby={`in-${collection}`} data-cards={products.length}>
      <h2 id={`in-${collection}`} className="mb-7 flex flex-wrap items-baseline gap-x-3 border-b border-line pb-3">
        {sayKnown(findCollection(collections, collection)?.displayName ?? collection)}
        <span className="font-text text-base font-normal tracking-normal text-ink-soft">
          {say('{count, plural, one {# item} other {# items}}', { count })}
        </span>
      </h2>
      <ProductGrid columns={4} products={products} headingLevel="h3" firstInSight={isFirst} />
    </section>
  )
}

/** With goods, so that it is not a dead end. */
const NoResults = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <section className="mt-7">
      <h2 className="text-title">{title}</h2>
      <div className="mt-2 text-ink-soft lg:text-lg">{children}</div>
    </section>
    <BestSellers className="mt-10 lg:mt-12" />
  </>
)
