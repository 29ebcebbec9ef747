import { dehydrate, type QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  RouterContextProvider,
  StaticRouterProvider,
  type RouteObject,
  type StaticHandler,
  type StaticHandlerContext,
} from 'react-router'
import type { ReactElement } from 'react'
import '#words/all.ts'
import { addressIn, inLanguage, type Language } from '#shared/language.ts'
import type { ShopRequest, PageAssets, PageRequest, Renderer } from '#contract/page.ts'
import { cardSrcSet } from '#domain/catalog/src-set.ts'
import { createApi, type Api, type Transport } from '#web/api/client.ts'
import { configQuery, createQueries, queriesContext } from '#web/api/queries.ts'
import { STATE_ID, type PageState } from './page-state.ts'
import { Providers } from './Providers.tsx'
import { headTags } from './page-head.ts'
import type { PageFacts, PageHandle } from './page-route.ts'
import { routesWith, shopRoutes } from './routes.tsx'
import { staffRoutes } from './staff-routes.ts'

/** For the benchmark. */
export { renderToString }

const handlers = new Map<Language, StaticHandler>()

/** The router of a language: its addresses begin with it. */
function handlerOf(language: Language): StaticHandler {
  const known = handlers.get(language)
  if (known) return known
  const made = createStaticHandler(routesWith([...shopRoutes, ...staffRoutes]), { basename: addressIn(language, '/') })
  handlers.set(language, made)
  return made
}

const english = handlerOf('en')

/** The path of every page, for the test that opens them all. */
export const pagePaths = (routes: readonly RouteObject[] = english.dataRoutes): string[] =>
  routes.flatMap(({ path, children }) => [...(path === undefined ? [] : [path]), ...pagePaths(children ?? [])])

/** A page with its data, before React renders it. */
export type PreparedPage = {
  tree: ReactElement
  context: StaticHandlerContext
  api: Api
  queries: QueryClient
  modules: readonly string[]
  linked: PageAssets
  year: number
}

/** Loads all data of a page. Also used by the benchmark, which renders the tree itself. */
export async function preparePage({
  url,
  language,
  origin,
  ask: request,
  assets,
  config,
  year,
}: PageRequest): Promise<PreparedPage | Response> {
  const api = createApi(sendInProcess(request))
  const queries = createQueries(api)
  queries.setQueryData(configQuery.queryKey, config)

  const requestContext = new RouterContextProvider(new Map([[queriesContext, queries]]))
  const handler = handlerOf(language)
  const context = await handler.query(new Request(new URL(addressIn(language, url), origin)), { requestContext })
  if (context instanceof Response) return context

  const modules = handlesOf(context).map(({ module }) => module)
  const linked = assets([...modules, ...(language === 'en' ? [] : [`src/words/in/${language}.ts`])])
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

/** Loads everything before rendering instead of streaming, so the page has a length, an ETag and can be cached. */
export const render: Renderer['render'] = async (request) => {
  const prepared = await preparePage(request)
  if (prepared instanceof Response)
    return { kind: 'redirect', status: prepared.status, location: prepared.headers.get('location') ?? '/' }

  const { tree, context, queries, modules, linked, year } = prepared
  const { origin, language } = request
  const isPublic = context.statusCode === 200 && handlesOf(context).every(({ cacheable }) => cacheable)
  const facts: PageFacts = Object.assign({}, ...Object.values(context.loaderData))
  const page = inLanguage(language, () => renderToString(tree))
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
      inLanguage(language, () => headTags({ origin, html: page.slice(0, head), facts, queries, isPublic })),
      page.slice(head, body),
      ...stateBlock(state),
      page.slice(body),
    ],
    cacheable: isPublic && isComplete(queries),
  }
}

/** Matching a route costs a tenth of a page. The limits keep made-up addresses from filling the memory. */
const sharedPaths = new Map<string, boolean>()
const PATHS_MAX = 1000
const PATH_CHARS_MAX = 200

export const isShared: Renderer['isShared'] = (path) => {
  const cached = sharedPaths.get(path)
  if (cached !== undefined) return cached
  const isCacheable = (matchRoutes(english.dataRoutes, path) ?? []).every(
    ({ route }) => (route.handle as PageHandle | undefined)?.cacheable ?? true,
  )
  if (sharedPaths.size >= PATHS_MAX) sharedPaths.clear()
  if (path.length <= PATH_CHARS_MAX) sharedPaths.set(path, isCacheable)
  return isCacheable
}

const handlesOf = ({ matches }: StaticHandlerContext): PageHandle[] =>
  matches.flatMap(({ route }) => (route.handle as PageHandle | undefined) ?? [])

/** A page with a failed query is shown but not cached. */
const isComplete = (queries: QueryClient): boolean =>
  queries
    .getQueryCache()
    .getAll()
    .every(({ state }) => state.status !== 'error')

/** The text is needed only for failures, as the error's message. */
const sendInProcess =
  (request: ShopRequest): Transport =>
  async ({ path }) => {
    const { status, body } = await request(path)
    return { status, statusText: '', text: status < 400 ? '' : JSON.stringify(body), body }
  }

/** Only the status is sent to the browser: stacks and messages stay on the server. */
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

/** `<` is escaped, so no product text can close the block. */
const jsonOf = (value: unknown, replacer?: typeof replaceSrcSet): string =>
  JSON.stringify(value, replacer).replaceAll('<', '\\u003c')

/** Shortens `srcSet` to its widths: in full they would be half of a list's bytes. `Picture` reads both forms. */
function replaceSrcSet(this: unknown, name: string, value: unknown): unknown {
  if (name !== 'srcSet' || typeof value !== 'string') return value
  return cardSrcSet({ ...(this as { src: string }), srcSet: value })
}

const utf8 = new TextEncoder()
/** Cached answers are the same object on every page, so each is serialized once. */
const serializedAnswers = new WeakMap<object, Uint8Array>()

function serializeOnce(data: unknown): string | Uint8Array {
  if (typeof data !== 'object' || data === null) return jsonOf(data)
  const bytes = serializedAnswers.get(data) ?? utf8.encode(jsonOf(data, replaceSrcSet))
  serializedAnswers.set(data, bytes)
  return bytes
}

function stateBlock({ queries: { mutations, queries }, ...state }: PageState): (string | Uint8Array)[] {
  return [
    `<script type="application/json" id="${STATE_ID}">${jsonOf(state).slice(0, -1)},"queries":{"mutations":${jsonOf(mutations)},"queries":[`,
    ...queries.flatMap(({ state: { data, ...status }, ...query }, index) => [
      `${index > 0 ? ',' : ''}${jsonOf(query).slice(0, -1)},"state":${jsonOf(status).slice(0, -1)},"data":`,
      serializeOnce(data),
      '}}',
    ]),
    ']}}</script>',
  ]
}
