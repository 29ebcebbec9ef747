import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { data, redirect, type RouteObject } from 'react-router'
import { paths } from '#contract/paths.ts'
import { splitLanguage } from '#shared/language.ts'
import type { Product } from '#contract/catalog.ts'
import { collectionInPath, collectionWordIn, findCollection } from '#domain/catalog/collections.ts'
import { parseFacetChoice } from '#domain/catalog/facets.ts'
import { parseListSort } from '#domain/catalog/list-sort.ts'
import { FEW_RESULTS } from '#domain/catalog/search.ts'
import { ApiError } from '#web/api/client.ts'
import {
  bestSellersQuery,
  cartQuery,
  collectionQuery,
  collectionsQuery,
  configQuery,
  legalQuery,
  listingQuery,
  orderQuery,
  productQuery,
  providerDetailQuery,
  query,
  queriesContext,
  searchQuery,
  showcaseQuery,
} from '#web/api/queries.ts'
import { dropsQuery } from '#web/drops/use-drop.ts'
import { openingPieces, showcasePieces, sofaPieces } from '#web/content/decorative-pictures.ts'
import { orderKeyIn } from '#web/orders/order-key.ts'
import { FailurePage } from './FailurePage.tsx'
import { Frame } from './frame/Frame.tsx'
import { routeOf, type Load, type PageFacts, type PageRow } from './page-route.ts'

const chunks = import.meta.glob<Record<string, ComponentType>>([
  '../*/*Page.tsx',
  '!../{admin,app,claims,drops,gift,messages,partners,pay,privacy,raffles,reports,studio}/*Page.tsx',
  '!../accounts/{Account,NewPassword}Page.tsx',
])

/** The page has a collection's picture. */
async function notFound(queries: QueryClient) {
  await loadWaysOn(queries)
  return data(null, { status: 404 })
}

/** Of a page that found nothing. */
const loadWaysOn = (queries: QueryClient) =>
  waitBriefly(Promise.all([queries.prefetchQuery(collectionsQuery), queries.prefetchQuery(bestSellersQuery)]))

const linksOf = (queries: QueryClient) => queries.getQueryData(configQuery.queryKey)?.collections ?? []

/** Data that arrives sooner shows no loading state. */
const LOADING_DELAY_MS = 150

/** The server waits for all data; a browser waits briefly, then the page shows its loading state. */
const waitBriefly = (loading: Promise<unknown>): Promise<unknown> =>
  import.meta.env.SSR
    ? loading
    : Promise.race([loading, new Promise((resolve) => setTimeout(resolve, LOADING_DELAY_MS))])

/** The pictures are decorative: the page also works without them. */
const home: Load = async (queries) => {
  const pieces = openingPieces(linksOf(queries))
  const sofa = sofaPieces(linksOf(queries))
  await waitBriefly(
    Promise.all([
      pieces.length > 0 && queries.prefetchQuery(showcaseQuery(pieces)),
      sofa.length > 0 && queries.prefetchQuery(showcaseQuery(sofa, 'lifestyle')),
      queries.prefetchQuery(collectionsQuery),
      import.meta.env.SSR && queries.prefetchQuery(dropsQuery),
      queries.prefetchQuery(bestSellersQuery),
    ]),
  )
  return { canonical: paths.home }
}

/** Pages that show one of the animals. */
const withAnimals =
  (canonical: string): Load =>
  async (queries) => {
    await waitBriefly(queries.prefetchQuery(collectionsQuery))
    return { canonical }
  }

/** The first collection's story, for the pages that tell it. */
async function prefetchFirst(queries: QueryClient): Promise<void> {
  const [first] = linksOf(queries)
  if (first) await queries.prefetchQuery(collectionQuery(first.slug))
}

const about: Load = async (queries) => {
  const pieces = showcasePieces(linksOf(queries))
  await waitBriefly(
    Promise.all([
      queries.prefetchQuery(collectionsQuery),
      prefetchFirst(queries),
      pieces.length > 0 && queries.prefetchQuery(showcaseQuery(pieces, 'detail')),
      pieces.length > 0 && queries.prefetchQuery(showcaseQuery(pieces, 'worn')),
    ]),
  )
  return { canonical: paths.about }
}

const listing: Load = async (queries, { request }) => {
  const [facts] = await Promise.all([loadListing(queries, request), waitBriefly(prefetchFirst(queries))])
  return { canonical: paths.products, ...facts }
}

/** Of a page; the path is without the language. */
function addressOf({ url }: Request) {
  const { pathname, search, searchParams } = new URL(url)
  const { path, language } = splitLanguage(pathname)
  return { pathname: path, language, search, searchParams }
}

/** On failure the listing shows its error, and the browser retries. */
async function loadListing(
  queries: QueryClient,
  request: Request,
  within?: { id: string; slug: string },
): Promise<PageFacts> {
  const { searchParams, pathname } = addressOf(request)
  const position = { after: searchParams.get('after'), before: searchParams.get('before') }
  const { queryKey } = listingQuery({
    collection: within?.id,
    search: within === undefined ? '' : (searchParams.get('search') ?? ''),
    chosen: parseFacetChoice((name) => searchParams.getAll(name)),
    sort: parseListSort(searchParams.get('sort')),
    ...position,
  })
  await waitBriefly(queries.prefetchQuery({ queryKey }))
  const page = queries.getQueryData(queryKey)
  const [first] = page?.products ?? []
  const listPath = within === undefined ? pathname : paths.collection(within.slug)
  return {
    ...(page?.previous && position.after && { canonical: `${listPath}?after=${position.after}` }),
    ...(first && within === undefined && { firstProductName: first.name }),
  }
}

const searchLoader: Load = async (queries, { request }) => {
  const { searchParams, language = 'en' } = addressOf(request)
  const typed = searchParams.get('q') ?? ''
  if (!typed.trim()) {
    await loadWaysOn(queries)
    return {}
  }
  const results = searchQuery(
    typed,
    parseFacetChoice((name) => searchParams.getAll(name)),
    searchParams.get('page'),
    language,
  )
  await waitBriefly(Promise.all([queries.prefetchQuery(results), queries.prefetchQuery(collectionsQuery)]))
  const { products: [first] = [], count = 0 } = queries.getQueryData(results.queryKey) ?? {}
  if (!first) await loadWaysOn(queries)
  else if (import.meta.env.SSR && count <= FEW_RESULTS)
    await waitBriefly(queries.prefetchQuery(productQuery(String(first.id))))
  return first ? { firstProductName: first.name } : {}
}

const product: Load = async (queries, { params, request }) => {
  const idOrSlug = params['id'] ?? ''
  const found = await findProduct(queries, idOrSlug)
  if (!found) return {}
  // A slug that the product had before.
  if (!/^\d+$/.test(idOrSlug) && idOrSlug !== found.slug) throw redirect(paths.product(found.slug), 301)
  await queries.prefetchQuery(dropsQuery)
  // Without Printful's detail the page still shows the product; the browser retries.
  if (found.providerProductId !== null)
    await waitBriefly(queries.prefetchQuery(providerDetailQuery(found.providerProductId)))
  // A browser loads them with their section, which is a chunk of its own.
  if (import.meta.env.SSR && found.reviewCount > 0) {
    const { reviewsQuery } = await import('#web/reviews/ProductReviews.tsx')
    await queries.prefetchQuery(reviewsQuery(found.id, new URL(request.url).searchParams))
  }
  const theme = findCollection(linksOf(queries), found.collection)
  return {
    canonical: paths.product(found.id),
    firstProductName: found.name,
    ...(theme && { collection: theme.id }),
  }
}

/** @returns undefined while loading @throws a 404 for an unknown product */
async function findProduct(queries: QueryClient, idOrSlug: string): Promise<Product | undefined> {
  const { queryKey } = productQuery(idOrSlug)
  await loadSubject(queries, queryKey)
  return queries.getQueryData(queryKey)?.product
}

/** Without its subject a page is a server error. @throws a 404 for an unknown one */
async function loadSubject(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await waitBriefly(queries.prefetchQuery({ queryKey }))
  const error = queries.getQueryState(queryKey)?.error
  if (error instanceof ApiError && error.status === 404) throw await notFound(queries)
  if (import.meta.env.SSR && error) throw error
}

const legal: Load = async (queries, { request }) => {
  const { pathname, searchParams, language = 'en' } = addressOf(request)
  const [, page = ''] = pathname.split('/')
  await loadSubject(queries, legalQuery(page, searchParams.get('version'), language).queryKey)
  return { canonical: `/${page}` }
}

const collection: Load = async (queries, { request }) => {
  const { pathname, search } = addressOf(request)
  const known = collectionInPath(pathname, linksOf(queries))
  if (!known) return notShown(queries, pathname, search)
  const { id, slug } = known
  const [, facts] = await Promise.all([
    waitBriefly(Promise.all([queries.prefetchQuery(collectionQuery(slug)), queries.prefetchQuery(collectionsQuery)])),
    known.isComingSoon ? {} : loadListing(queries, request, known),
    import.meta.env.SSR && queries.prefetchQuery(dropsQuery),
  ])
  return { collection: id, canonical: paths.collection(slug), ...facts }
}

/** An old address of a collection leads to its new one, that of a retired one to all products. */
async function notShown(queries: QueryClient, pathname: string, search: string): Promise<never> {
  const word = collectionWordIn(pathname)
  const answer = word && (await queries.fetchQuery(collectionQuery(word)).catch(() => undefined))
  if (answer && answer.movedTo) throw redirect(`${answer.movedTo}${search}`, answer.collection ? 301 : 302)
  throw await notFound(queries)
}

const cart: Load = async (queries) => {
  await waitBriefly(Promise.all([queries.prefetchQuery(cartQuery), queries.prefetchQuery(query('GET /api/cart/code'))]))
  // What goes with the first line, so nothing moves when it is there.
  const first = queries.getQueryData(cartQuery.queryKey)?.[0]
  await (first ? waitBriefly(queries.prefetchQuery(productQuery(String(first.productId)))) : loadWaysOn(queries))
  return {}
}

/** The cart is in the summary from the start, so nothing moves. An empty one the browser fetches itself, to restore a lost one. */
const checkout: Load = async (queries) => {
  if (!import.meta.env.SSR) return {}
  await waitBriefly(queries.prefetchQuery(cartQuery))
  if (queries.getQueryData(cartQuery.queryKey)?.length === 0) queries.removeQueries({ queryKey: cartQuery.queryKey })
  return {}
}

const order: Load = async (queries, { request }) => {
  const key = orderKeyIn(new URL(request.url).searchParams)
  if (!key) return {}
  const { loadOrder } = await import('#web/orders/order-loader.ts')
  return loadOrder(queries, orderQuery(key))
}

/** The past order only without JavaScript, so the browser's script has none of it. */
const pastOrder: Load = async (queries, { request }) => {
  await waitBriefly(queries.prefetchQuery(collectionsQuery))
  const key = import.meta.env.SSR ? new URL(request.url).searchParams.get('past') : null
  if (key !== null) await queries.prefetchQuery(query('GET /api/track/past', { query: { key } }))
  return {}
}

/** One row per address. A page is `src/web/<page>.tsx` and exports a component with the file's name. */
const rows: readonly PageRow[] = [
  { path: '/', page: 'content/HomePage', cacheable: true, load: home },
  { path: '/products', page: 'catalog/ProductsPage', cacheable: true, load: listing },
  { path: '/product/:id', page: 'catalog/ProductPage', cacheable: true, load: product },
  { path: '/collection/:collection', page: 'catalog/CollectionPage', cacheable: true, load: collection },
  { path: '/collections/:collection', page: 'catalog/CollectionPage', cacheable: true, load: collection },
  { path: paths.about, page: 'content/AboutPage', cacheable: true, load: about },
  { path: paths.contact, page: 'content/ContactPage', cacheable: true, load: withAnimals(paths.contact) },
  { path: paths.privacyPolicy, page: 'content/LegalPage', cacheable: true, load: legal },
  { path: paths.termsOfService, page: 'content/LegalPage', cacheable: true, load: legal },
  { path: paths.shippingReturns, page: 'content/LegalPage', cacheable: true, load: legal },
  { path: paths.auth, page: 'accounts/AuthPage', cacheable: true, load: withAnimals(paths.auth) },
  { path: '/search', page: 'catalog/SearchPage', cacheable: true, load: searchLoader },
  { path: paths.cart, page: 'cart/CartPage', load: cart },
  { path: paths.checkout, page: 'checkout/CheckoutPage', load: checkout },
  { path: paths.directCheckout, page: 'checkout/CheckoutPage', load: checkout },
  { path: paths.alternateCheckout, page: 'checkout/AlternateCheckoutPage', load: checkout },
  { path: paths.paymentSuccess, page: 'orders/PaymentSuccessPage' },
  { path: paths.success, page: 'orders/SuccessPage' },
  { path: paths.orderConfirmation, page: 'orders/OrderPage', load: order },
  { path: paths.track, page: 'orders/TrackPage', load: pastOrder },
  { path: '/:collection', page: 'catalog/CollectionPage', cacheable: true, load: collection },
]

/** The route that frames all pages; those of `staffRoutes` join it when one is opened. */
export const FRAME_ROUTE = 'frame'

/** Whether a path may be one of `staffRoutes`. */
export const isStaffPath = (path: string): boolean =>
  /^\/(?:account|admin|drop|edition|gift-card|invitation|my-data|newsletter|new-password|order-confirmation\/\w+|partnership|raffle(?:-entry)?|reports)(?:\/|$)/.test(
    path,
  )

export const shopRoutes: RouteObject[] = [
  ...rows.map((row) => routeOf(chunks, row)),
  {
    id: '*',
    path: '*',
    loader: async ({ context }) => {
      throw await notFound(context.get(queriesContext))
    },
    element: <></>,
  },
]

export const routesWith = (children: RouteObject[]): RouteObject[] => [
  {
    id: FRAME_ROUTE,
    element: <Frame />,
    errorElement: <FailurePage />,
    hydrateFallbackElement: <></>,
    children,
  },
]
