import { QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext } from 'react-router'
import type { Product } from '#contract/catalog.ts'
import type { FacetChoice } from '#domain/catalog/facets.ts'
import { normalizeQuery } from '#domain/catalog/search.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Answer, Api, CallKey, Payload } from './client.ts'

/** The specification's defaults (section 7): data never goes stale by itself, nothing is asked twice, nothing is retried. */
export const createQueries = (api: Api): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A query's key is made by `query` below alone, from a call's name and payload.
        queryFn: ({ queryKey }) => api(...(queryKey as unknown as ['GET /api/products'])),
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        retry: false,
      },
      mutations: { retry: false },
    },
  })

/** Where loaders find the queries of this browser, or of this one page while rendering. */
export const queriesContext = createContext<QueryClient>()

/** A call as a query: its key is its name and payload, so that every place which asks the same shares one answer. */
export const query = <K extends Extract<CallKey, `GET ${string}`>>(key: K, payload?: Payload<K>) =>
  queryOptions<Answer<K>>({ queryKey: payload ? [key, payload] : [key] })

export const productsQuery = query('GET /api/products')

/** One of each kind, for pages that adorn themselves with products. */
export const showcaseQuery = query('GET /api/showcase')

/** Of a small catalog, products that the server sent with a page because it shows them. @param page its name; nothing is asked for */
export const pageProductsQuery = (page: string) =>
  queryOptions<readonly Product[]>({ queryKey: ['sent', page], enabled: false })

/** @param wanted number or slug */
export const productQuery = (wanted: string) => query('GET /api/products/:id', { params: { id: wanted } })

type ListingQuery = {
  collection?: string | undefined
  search?: string
  chosen: FacetChoice
  after?: string | null
  before?: string | null
}

/** A page of a list that is too long for one. */
export const listingQuery = ({ collection, search = '', chosen, after, before }: ListingQuery) =>
  query('GET /api/listing', {
    query: {
      ...(collection !== undefined && { collection }),
      ...(search && { search: normalizeQuery(search) }),
      ...facetQuery(chosen),
      ...(isMark(after) && { after }),
      ...(isMark(before) && { before }),
    },
  })

/** What somebody wrote into an address in its place is no mark, and begins anew. */
const isMark = (typed: string | null | undefined): typed is string => /^[1-9]\d{0,9}$/.test(typed ?? '')

/** Variants and pictures as the partner gives them; kept five minutes (specification, section 7). */
export const providerDetailQuery = (syncProductId: number) => ({
  ...query('GET /api/printful/products/:id', { params: { id: syncProductId } }),
  staleTime: 5 * MINUTE_MS,
})

type OrderKey = NonNullable<Payload<'GET /api/order'>['query']>

/** Somebody who waits looks at it again and again: it is asked for afresh whenever they come back to it. */
export const orderQuery = (key: OrderKey) => ({
  ...query('GET /api/order', { query: key }),
  staleTime: MINUTE_MS / 2,
  refetchOnWindowFocus: true,
})

export const cartQuery = query('GET /api/cart')
export const configQuery = query('GET /api/config')
/** Null when nobody is signed in. */
export const userQuery = query('GET /api/user')
/** Asked for afresh whenever its page is opened: much of it changes elsewhere. */
export const accountQuery = { ...query('GET /api/account'), staleTime: 0 }
/** @param after the number of the last order that was shown */
export const ownOrdersQuery = (after?: string) => ({
  ...query('GET /api/account/orders', { query: after === undefined ? {} : { after } }),
  staleTime: 0,
})

const facetQuery = ({ type, color, size, price }: FacetChoice) => ({
  ...(type.length > 0 && { type: [...type] }),
  ...(color.length > 0 && { color: [...color] }),
  ...(size.length > 0 && { size: [...size] }),
  ...(price && { priceFrom: String(price.from) }),
  ...(price?.to && { priceTo: String(price.to) }),
})

/** What a search finds, narrowed by what was chosen. The same question, however it was typed, has one answer. */
export const searchQuery = (typed: string, chosen: FacetChoice, page?: string | null) =>
  query('GET /api/search', {
    query: {
      q: normalizeQuery(typed),
      ...facetQuery(chosen),
      ...(/^[1-9]\d{0,3}$/.test(page ?? '') && page !== '1' && { page: page ?? '' }),
    },
  })

export const suggestionsQuery = (typed: string) =>
  query('GET /api/search/suggestions', { query: { q: normalizeQuery(typed) } })
