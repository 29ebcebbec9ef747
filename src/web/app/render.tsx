import { dehydrate, type QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router'
import type { ReactElement } from 'react'
import type { ShopRequest, PageAssets, PageRequest, Renderer } from '#contract/page.ts'
import { cardSrcSet } from '#domain/catalog/src-set.ts'
import { createApi, type Api, type Transport } from '#web/api/client.ts'
import { configQuery, createQueries, queriesContext } from '#web/api/queries.ts'
import { STATE_ID, type PageState } from './page-state.ts'
import { Providers } from './Providers.tsx'
import { headTags, productsOnPage } from './page-head.ts'
import { routes, type PageFacts, type PageHandle } from './routes.tsx'

/** For the benchmark, which renders a prepared page by itself. */
export { renderToString }

const handler = createStaticHandler(routes)

/** What a page consists of before React makes markup of it. */
export type PreparedPage = {
  tree: ReactElement
  context: StaticHandlerContext
  api: Api
  queries: QueryClient
  modules: readonly string[]
  linked: PageAssets
  year: number
}

/** Asks for everything that an address needs; the benchmark renders its tree by itself. */
export async function preparePage({ url, origin, ask, assets, config }: PageRequest): Promise<PreparedPage | Response> {
  const api = createApi(sendInProcess(ask))
  const queries = createQueries(api)
  queries.setQueryData(configQuery.queryKey, config)

  const requestContext = new RouterContextProvider(new Map([[queriesContext, queries]]))
  const context = await handler.query(new Request(new URL(url, origin)), { requestContext })
  if (context instanceof Response) return context

  const modules = handlesOf(context).map(({ module }) => module)
  const linked = assets(modules)
  const year = new Date().getFullYear()
  const tree = (
    <Providers api={api} queries={queries} assets={linked} origin={origin} year={year}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </Providers>
  )
  return { tree, context, api, queries, modules, linked, year }
}

/** Everything is loaded before rendering, so that the whole results: with its length, its ETag and its place in the page cache. */
export const render: Renderer['render'] = async (request) => {
  const prepared = await preparePage(request)
  if (prepared instanceof Response)
    return { kind: 'redirect', status: prepared.status, location: prepared.headers.get('location') ?? '/' }

  const { tree, context, queries, modules, linked, year } = prepared
  const { origin } = request
  const isPublic = context.statusCode === 200 && handlesOf(context).every(({ cacheable }) => cacheable)
  const facts: PageFacts = Object.assign({}, ...Object.values(context.loaderData))
  // Beside the page's own queries: what only finders read is not sent along for the browser.
  const { wholeCatalog } = request.config
  const all = isPublic && wholeCatalog ? await prepared.api('GET /api/products').catch(() => []) : undefined
  const products = all ?? productsOnPage(queries)
  const page = renderToString(tree)
  const [head, body] = [page.indexOf('</head>'), page.lastIndexOf('</body>')]
  const state: PageState = {
    assets: linked,
    origin,
    year,
    modules,
    router: { loaderData: context.loaderData, errors: errorsForBrowser(context.errors) },
    queries: dehydrate(queries),
  }
  return {
    kind: 'page',
    status: context.statusCode,
    html: [
      '<!doctype html>',
      page.slice(0, head),
      // At the head's end, where React writes nothing of its own that has to come last.
      headTags({ origin, html: page.slice(0, head), facts, queries, products, isPublic }),
      page.slice(head, body),
      ...blockOf(state),
      page.slice(body),
    ],
    cacheable: isPublic && isComplete(queries),
  }
}

/** Matching ranks all routes anew, a tenth of what a page costs; a stranger who makes addresses up has the rest forgotten. */
const sharedPaths = new Map<string, boolean>()
const PATHS_MAX = 1000
const PATH_CHARS_MAX = 200

export const isShared: Renderer['isShared'] = (path) => {
  const known = sharedPaths.get(path)
  if (known !== undefined) return known
  const found = (matchRoutes(handler.dataRoutes, path) ?? []).every(
    ({ route }) => (route.handle as PageHandle | undefined)?.cacheable ?? true,
  )
  if (sharedPaths.size >= PATHS_MAX) sharedPaths.clear()
  if (path.length <= PATH_CHARS_MAX) sharedPaths.set(path, found)
  return found
}

const handlesOf = ({ matches }: StaticHandlerContext): PageHandle[] =>
  matches.flatMap(({ route }) => (route.handle as PageHandle | undefined) ?? [])

/** A page that could not ask for everything is shown, but not kept for others. */
const isComplete = (queries: QueryClient): boolean =>
  queries
    .getQueryCache()
    .getAll()
    .every(({ state }) => state.status !== 'error')

/** Only successful answers are read by status alone; the text of a failure becomes the error's message. */
const sendInProcess =
  (ask: ShopRequest): Transport =>
  async ({ path }) => {
    const { status, body } = await ask(path)
    return { status, statusText: '', text: status < 400 ? '' : JSON.stringify(body), body }
  }

/** A status is all that a page says of an error; anything else of it, such as a stack, stays here. */
function errorsForBrowser(errors: StaticHandlerContext['errors']): StaticHandlerContext['errors'] {
  if (!errors) return null
  return Object.fromEntries(
    Object.entries(errors).map(([route, error]: [string, unknown]) => [
      route,
      { status: statusOf(error), statusText: '', internal: false, data: null },
    ]),
  )
}

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
    ? error.status
    : 500

/** `<` is written as an escape, so that no text of a product can close the block. */
const jsonOf = (value: unknown, replaced?: typeof replaceSrcSet): string =>
  JSON.stringify(value, replaced).replaceAll('<', '\\u003c')

/** Of a picture in several sizes the widths alone are written: whole they would be half of a list. `Picture` knows both. */
function replaceSrcSet(this: unknown, name: string, value: unknown): unknown {
  if (name !== 'srcSet' || typeof value !== 'string') return value
  return cardSrcSet({ ...(this as { src: string }), srcSet: value })
}

const utf8 = new TextEncoder()
/** Answers that are kept come as the same object to every page that shows them, and are written down once. */
const serializedAnswers = new WeakMap<object, Uint8Array>()

function serializeOnce(data: unknown): string | Uint8Array {
  if (typeof data !== 'object' || data === null) return jsonOf(data)
  const bytes = serializedAnswers.get(data) ?? utf8.encode(jsonOf(data, replaceSrcSet))
  serializedAnswers.set(data, bytes)
  return bytes
}

/** What the browser starts from, in pieces. */
function blockOf({ queries: { mutations, queries }, ...state }: PageState): (string | Uint8Array)[] {
  return [
    `<script type="application/json" id="${STATE_ID}">${jsonOf(state).slice(0, -1)},"queries":{"mutations":${jsonOf(mutations)},"queries":[`,
    ...queries.flatMap(({ state: { data, ...standing }, ...query }, index) => [
      `${index > 0 ? ',' : ''}${jsonOf(query).slice(0, -1)},"state":${jsonOf(standing).slice(0, -1)},"data":`,
      serializeOnce(data),
      '}}',
    ]),
    ']}}</script>',
  ]
}
