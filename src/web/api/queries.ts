import { QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext } from 'react-router'
import type { FacetChoice } from '#domain/catalog/facets.ts'
import type { ListSort } from '#domain/catalog/list-sort.ts'
import { normalizeQuery } from '#domain/catalog/search.ts'
import { spokenLanguage, type Language } from '#shared/language.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Answer, Api, CallKey, Payload } from './client.ts'

/** The specification's defaults (section 7). */
export const createQueries = (api: Api): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Keys come from `query` below: a call's name and payload.
        queryFn: ({ queryKey }) => api(...(queryKey as unknown as ['GET /api/products'])),
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        retry: false,
      },
      // Without a connection a call fails instead of waiting, and its fields, such as a password, are soon forgotten.
      mutations: { retry: false, networkMode: 'always', gcTime: SECOND_MS },
    },
  })

/** One client per browser, and one per page rendered on the server. */
export const queriesContext = createContext<QueryClient>()

/** A call as a query; equal calls share one cached answer. */
export const query = <K extends Extract<CallKey, `GET ${string}`>>(key: K, payload?: Payload<K>) =>
  queryOptions<Answer<K>>({ queryKey: payload ? [key, payload] : [key] })

export const productsQuery = query('GET /api/products')

/** A product of each piece, for decorative pictures. */
type Piece = { collection: { id: string }; type: string }

export const showcaseQuery = (pieces: readonly Piece[], view?: 'detail' | 'lifestyle' | 'worn') =>
  query('GET /api/showcase', {
    query: { piece: pieces.map(({ collection, type }) => `${collection.id}:${type}`), ...(view && { view }) },
  })

/** Of what is ordered today. */
export const arrivalQuery = (country: string) => query('GET /api/arrival', { query: { country } })
export const bestSellersQuery = query('GET /api/best-sellers')

export const productQuery = (idOrSlug: string) => query('GET /api/products/:id', { params: { id: idOrSlug } })

type ListingQuery = {
  collection?: string | undefined
  search?: string
  chosen: FacetChoice
  sort?: ListSort
  after?: string | null
  before?: string | null
}

export const listingQuery = ({ collection, search = '', chosen, sort = 'featured', after, before }: ListingQuery) =>
  query('GET /api/listing', {
    query: {
      ...(collection !== undefined && { collection }),
      ...(search && { search: normalizeQuery(search) }),
      ...facetQuery(chosen),
      ...(sort !== 'featured' && { sort }),
      ...(isCursor(after) && { after }),
      ...(isCursor(before) && { before }),
    },
  })

/** Anything else in the address is ignored. */
const isCursor = (typed: string | null | undefined): typed is string => /^[1-9]\d{0,9}$/.test(typed ?? '')

/** Printful's variants and pictures, cached five minutes (specification, section 7). */
export const providerDetailQuery = (syncProductId: number) => ({
  ...query('GET /api/printful/products/:id', { params: { id: syncProductId } }),
  staleTime: 5 * MINUTE_MS,
})

type OrderKey = NonNullable<Payload<'GET /api/order'>['query']>

/** Refetched when the shopper returns to the page: people check on a parcel often. */
export const orderQuery = (key: OrderKey) => ({
  ...query('GET /api/order', { query: key }),
  staleTime: MINUTE_MS / 2,
  refetchOnWindowFocus: true,
})

export const cartQuery = query('GET /api/cart')
export const configQuery = query('GET /api/config')
/** English is understood everywhere. */
const inWordsOf = (language: Language) => (language === 'en' ? {} : { language })

/** The collections that shoppers see, with their pictures. */
export const collectionsQuery = query('GET /api/collections')
/** A legal page's text. @param version the current one if null, with its translation */
export const legalQuery = (page: string, version: string | null, language: Language) =>
  query('GET /api/legal/:page', { params: { page }, query: version === null ? inWordsOf(language) : { version } })
/** @param word a slug, or another word that a path calls a collection by */
export const collectionQuery = (word: string) => query('GET /api/collections/:word', { params: { word } })
/** Null when nobody is signed in. */
export const userQuery = query('GET /api/user')
/** Refetched on every visit: much of it changes on other devices. */
export const accountQuery = { ...query('GET /api/account'), staleTime: 0 }
/** @param after the last order number shown */
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

export const searchQuery = (typed: string, chosen: FacetChoice, page: string | null, language: Language) =>
  query('GET /api/search', {
    query: {
      q: normalizeQuery(typed),
      ...inWordsOf(language),
      ...facetQuery(chosen),
      ...(/^[1-9]\d{0,3}$/.test(page ?? '') && page !== '1' && { page: page ?? '' }),
    },
  })

export const suggestionsQuery = (typed: string) =>
  query('GET /api/search/suggestions', { query: { q: normalizeQuery(typed), ...inWordsOf(spokenLanguage()) } })
