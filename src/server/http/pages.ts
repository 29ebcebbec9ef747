import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import type { ShopRequest, RenderedPage, Renderer } from '#contract/page.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { encodePath } from '#domain/catalog/redirects.ts'
import { facetNames } from '#domain/catalog/facets.ts'
import { addressIn } from '#shared/language.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'
import { bundleAssets, bundleFonts, dist } from './bundle.ts'
import { keepChosenLanguage, languageOfPage, otherAddress } from './language.ts'
import { sendAnswer, type Answer } from './page-cache.ts'
import { Refusal } from './refusal.ts'

const HTML = 'text/html; charset=utf-8'
const FACET_VALUES_MAX = 20
/** Query parameters that change a page. Others share its cache entry, or anybody could fill the cache. */
const knownQuery = [
  'q',
  'past',
  'search',
  'variant',
  'said',
  'token',
  'saved',
  'session_id',
  'express',
  'order',
  'about',
  'from',
  'to',
  'month',
  'after',
  'sort',
  'version',
  'before',
  'page',
  'older',
]

/** Pages with these filters are rendered per request: there are too many combinations to cache. */
const isNarrowed = (url: string): boolean => facetNames.some((name) => new RegExp(`[?&]${name}=`).test(url))

/**
 * Serves pages, the bundle's files and the pictures. Cart and user load after hydration, so a page is the same for
 * everybody: rendered at most once a minute, cached as HTML, brotli and gzip.
 * @param findRedirect where an address without a page leads
 */
export async function pageRoutes(
  app: App,
  { config, clock }: Needs<'config' | 'clock'>,
  renderer: Renderer,
  readPublicConfig: () => Promise<PublicConfig>,
  findRedirect: (path: string) => Promise<string | undefined>,
): Promise<void> {
  const { http, pageCache } = app
  const assets = bundleAssets()

  await http.register(serveFiles, {
    root: fileURLToPath(new URL('client/assets/', dist)),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    decorateReply: false,
  })

  // At addresses that outlive a release, as the emails that load them do.
  for (const { name, bytes } of bundleFonts())
    http.get(`/fonts/${name}.woff2`, { schema: { hide: true } }, (_, reply) =>
      reply
        .type('font/woff2')
        .header('cache-control', 'public, max-age=86400')
        .header('access-control-allow-origin', '*')
        .send(bytes),
    )

  http.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const url = normalized(request.url)
    if (!url) throw new Refusal('malformed_request')
    if (/^\/(?:api|webhooks|paypal|assets|pictures)(?:\/|$)/.test(url)) throw new Refusal('unknown_call')

    const origin = config.publicUrl ?? `http://${request.host}`
    const other = otherAddress(request, origin)
    if (other !== undefined)
      return reply
        .header('cache-control', 'no-store')
        .header('vary', 'accept-language, cookie, sec-fetch-site, referer')
        .redirect(other, 302)
    const language = languageOfPage(request)
    const send = (answer: Answer) => {
      const hasCookie = keepChosenLanguage(request, reply, origin)
      return sendAnswer(request, reply, hasCookie || isNarrowed(url) ? { ...answer, isShared: false } : answer)
    }
    const key = origin + addressIn(language, url)
    const fresh = pageCache.fresh(key)
    if (fresh) return send(fresh)
    const isShared = renderer.isShared(url.split('?', 1)[0] ?? url)
    const make = async () => {
      const publicConfig = await readPublicConfig()
      const ask = askThrough(app, isShared ? { host: request.host } : request.headers)
      const answer = toAnswer(
        await renderer.render({
          url,
          language,
          origin,
          ask,
          assets,
          config: publicConfig,
          year: clock.now().getFullYear(),
        }),
      )
      const movedTo = answer.status === 404 ? await findRedirect(url.split('?', 1)[0] ?? url) : undefined
      if (movedTo !== undefined) return { ...answer, status: 301, isShared: false, location: encodePath(movedTo) }
      // A page rendered without its data is served but not cached.
      return { ...answer, isShared: answer.isShared && publicConfig.shipping !== null }
    }
    // Addresses with unlimited variations are rendered but not cached.
    const answer = isShared && !url.includes('?') ? await pageCache.answer(key, make) : await make()
    if (answer.location !== undefined) return reply.redirect(answer.location, answer.status)
    return send(answer)
  })
}

const EMPTY_BUFFER = Buffer.alloc(0)

const sizeOf = (piece: string | Uint8Array): number =>
  typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength

/** Writes each piece into one buffer: joining separate buffers would take twice the memory, half a megabyte each time. */
function concatPieces(pieces: readonly (string | Uint8Array)[]): Buffer {
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + sizeOf(piece), 0))
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') at += whole.write(piece, at)
    else {
      whole.set(piece, at)
      at += piece.byteLength
    }
  }
  return whole
}

const toAnswer = (page: RenderedPage): Answer =>
  page.kind === 'redirect'
    ? { status: page.status, type: HTML, body: EMPTY_BUFFER, isShared: false, location: page.location }
    : { status: page.status, type: HTML, body: concatPieces(page.html), isShared: page.cacheable }

/** The renderer of the last build. @throws Error with one sentence if nothing was built */
export async function loadRenderer(): Promise<Renderer> {
  const file = fileURLToPath(new URL('server/render.js', dist))
  if (!existsSync(file)) throw new Error('The pages are not built. Run "node tools/build.ts" first.')
  return (await import(pathToFileURL(file).href)) as Renderer
}

/** The path and its relevant query parameters, in a fixed order. @returns undefined for an invalid address */
function normalized(raw: string): string | undefined {
  try {
    const { pathname, searchParams } = new URL(`http://shop${raw.startsWith('//') ? '/' : raw}`)
    decodeURIComponent(pathname)
    // Admin pages belong to the owner and are never cached.
    if (/^\/(?:admin|reports)(?:\/|$)/.test(pathname)) return `${pathname}?${searchParams.toString()}`
    const allowed = new URLSearchParams()
    for (const name of knownQuery) {
      const value = searchParams.get(name)
      if (value !== null) allowed.set(name, value.slice(0, 200))
    }
    for (const name of facetNames)
      for (const value of searchParams.getAll(name).slice(0, FACET_VALUES_MAX)) allowed.append(name, value.slice(0, 60))
    return allowed.size ? `${pathname}?${allowed.toString()}` : pathname
  } catch {
    return undefined
  }
}

/**
 * Calls of the renderer to the shop's own API: from the cache, or through the same routes in process. The cookie is passed on, except for
 * pages that are the same for everybody.
 */
const askThrough =
  (
    { http, inProcess, pageCache }: App,
    { cookie, host }: Pick<FastifyRequest['headers'], 'cookie' | 'host'>,
  ): ShopRequest =>
  async (path) => {
    const known = pageCache.fresh(path)
    if (known?.value !== undefined) return { status: known.status, body: known.value }
    const answer = await http.inject({
      url: path,
      headers: { ...inProcess, ...(cookie && { cookie }), ...(host && { host }) },
    })
    return { status: answer.statusCode, body: answer.body ? (JSON.parse(answer.body) as unknown) : undefined }
  }
