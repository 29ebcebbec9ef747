import { useState, type ReactNode } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { hasFacetsChosen } from '#domain/catalog/facets.ts'
import { parseListSort } from '#domain/catalog/list-sort.ts'
import { listingQuery } from '#web/api/queries.ts'
import { Facets, NoMatches, useFacetChoice } from './Facets.tsx'
import { Pager } from './Pager.tsx'
import { ProductGrid, ProductGridLoading } from './ProductGrid.tsx'

/** So few are seen at a glance: they need neither filters nor an order. */
const GLANCE_MAX = 9

type Props = {
  /** All products if left out. */
  collection?: string
  columns: 3 | 4
  firstInSight?: boolean
  loading: string
  failed: ReactNode
  /** Shown when nothing is filtered out either. */
  empty?: ReactNode
}

/** A page of a product list; position and filters are in the address. */
export function Listing({ collection, columns, firstInSight = false, loading, failed, empty }: Props) {
  const [parameters] = useSearchParams()
  const chosen = useFacetChoice()
  const search = collection === undefined ? '' : (parameters.get('search') ?? '')
  const sort = parseListSort(parameters.get('sort'))
  const position = { after: parameters.get('after'), before: parameters.get('before') }
  const { data: page, isError } = useQuery({
    ...listingQuery({ collection, search, chosen, sort, ...position }),
    // The previous products stay, so that an open filter keeps its place and its focus.
    placeholderData: keepPreviousData,
  })

  // Once shown they stay: the focus may be in them when the last filter goes.
  const [wereShown, setWereShown] = useState(false)

  if (isError) return failed
  if (!page) return <ProductGridLoading columns={columns}>{loading}</ProductGridLoading>
  if (empty && page.products.length === 0 && !hasFacetsChosen(chosen)) return empty
  const { products } = page
  const areFacetsShown = wereShown || page.count > GLANCE_MAX || hasFacetsChosen(chosen) || sort !== 'featured'
  if (areFacetsShown && !wereShown) setWereShown(true)
  return (
    <>
      {areFacetsShown && (
        <Facets facets={page.facets} chosen={chosen} sort={sort} matchCount={page.count} isMore={page.isMore} />
      )}
      {products.length > 0 ? (
        <ProductGrid columns={columns} products={products} firstInSight={firstInSight} />
      ) : (
        <NoMatches />
      )}
      <Pager
        previous={page.previous === null ? undefined : ['before', String(page.previous)]}
        next={page.next === null ? undefined : ['after', String(page.next)]}
      />
    </>
  )
}
