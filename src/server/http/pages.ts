import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import serveFiles from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AskShop, RenderPage } from '#contract/page.ts'
import { facetNames } from '#domain/catalogue/facets.ts'
import { MINUTE_MS } from '#kernel/time.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'
import { bundleAssets, dist } from './bundle.ts'
import { readContent } from './content.ts'
import { createPageCache, type Cached } from './page-cache.ts'
import { publicConfigOf } from './public-config.ts'
import { Refused } from './refused.ts'

const pictures = new URL('../../../pictures/finished/', import.meta.url)

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const CACHE_MS = MINUTE_MS
const FACET_VALUES_MAX = 20
/** Query names that change what a page shows; others are not rendered apart, or a stranger could fill the cache. */
const knownQuery = [
  'q',
  'search',
  'variant',
  'said',
  'token',
  'session_id',
  'order',
  'about',
  'from',
  'to',
  'month',
  'after',
  'older',
]

/** A page narrowed by these is rendered for whoever asks: there are too many to keep. */
const isNarrowed = (url: string): boolean => facetNames.some((name) => new RegExp(`[?&]${name}=`).test(url))

/**
 * Serves pages, the bundle's files and the pictures. Cart and user load after hydration, so a page is the same for
 * everybody: rendered at most once a minute, kept as html, brotli and gzip.
 */
export async function pageRoutes(
  app: App,
  { config, db }: Needs<'config' | 'db'>,
  renderPage: RenderPage,
): Promise<void> {
  const { http } = app
  const assets = bundleAssets()
  const cache = createPageCache()
  http.addHook('onClose', async () => cache.close())

  await http.register(serveFiles, {
    root: fileURLToPath(new URL('client/assets/', dist)),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    decorateReply: false,
  })
  await http.register(serveFiles, {
    root: fileURLToPath(pictures),
    prefix: '/pictures/',
    immutable: true,
    maxAge: '1y',
    decorateReply: false,
    allowedPath: (path) => path.endsWith('.webp'),
  })
  const mark = readFileSync(fileURLToPath(new URL('../../../pictures/designs/mark.svg', import.meta.url)))
  http.get('/favicon.svg', { schema: { hide: true } }, (_, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(mark),
  )

  http.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const url = normalised(request.url)
    if (!url) throw new Refused('malformed_request')
    if (/^\/(?:api|webhooks|paypal|assets|pictures)(?:\/|$)/.test(url)) throw new Refused('unknown_call')

    const kept = cache.find(url)
    if (kept && kept.freshUntil > Date.now()) return sendPage(request, reply, kept, true)
    const origin = config.publicUrl ?? `http://${request.host}`
    const publicConfig = publicConfigOf(config, await readContent(db))
    const page = await renderPage({ url, origin, ask: askThrough(app, request), assets, config: publicConfig })
    if (page.kind === 'redirect') return reply.redirect(page.location, page.status)

    const html = Buffer.from(page.html)
    const made: Cached = {
      status: page.status,
      html,
      etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
      freshUntil: Date.now() + CACHE_MS,
    }
    const cacheable = page.cacheable && page.status === 200 && !isNarrowed(url)
    // What a stranger can vary without end is rendered, but not kept.
    if (cacheable && !url.includes('?')) cache.keep(url, made)
    return sendPage(request, reply, made, cacheable)
  })
}

/** The renderer of the last build. @throws Error with one sentence when there is none */
export async function loadRenderer(): Promise<RenderPage> {
  const file = fileURLToPath(new URL('server/render.js', dist))
  if (!existsSync(file)) throw new Error('The pages are not built. Run "node tools/build.ts" first.')
  const { renderPage } = (await import(pathToFileURL(file).href)) as { renderPage: RenderPage }
  return renderPage
}

/** The path and those query values that matter, in a fixed order. @returns undefined for an address that cannot be read */
function normalised(raw: string): string | undefined {
  try {
    const { pathname, searchParams } = new URL(`http://shop${raw.startsWith('//') ? '/' : raw}`)
    decodeURIComponent(pathname)
    // The desk's pages are nobody's but the owner's, and never kept.
    if (/^\/(?:desk|reports)(?:\/|$)/.test(pathname)) return `${pathname}?${searchParams.toString()}`
    const kept = new URLSearchParams()
    for (const name of knownQuery) {
      const value = searchParams.get(name)
      if (value !== null) kept.set(name, value.slice(0, 200))
    }
    for (const name of facetNames)
      for (const value of searchParams.getAll(name).slice(0, FACET_VALUES_MAX)) kept.append(name, value.slice(0, 60))
    return kept.size ? `${pathname}?${kept.toString()}` : pathname
  } catch {
    return undefined
  }
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Cached, cacheable: boolean) {
  reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('vary', 'accept-encoding')
    .header('cache-control', cacheable ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=600' : 'no-store')
  if (cacheable) {
    reply.header('etag', page.etag)
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
  }
  const accepted = request.headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) {
    page.br ??= await compressBrotli(page.html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    return reply.header('content-encoding', 'br').send(page.br)
  }
  if (/\bgzip\b/.test(accepted)) {
    page.gzip ??= await compressGzip(page.html)
    return reply.header('content-encoding', 'gzip').send(page.gzip)
  }
  return reply.send(page.html)
}

/** The renderer's way to the shop's own calls: the same routes, in process. The cookie goes along; pages that are cached ask for nothing personal. */
const askThrough =
  (app: App, request: FastifyRequest): AskShop =>
  async (path) => {
    const { cookie, host } = request.headers
    const answer = await app.http.inject({
      url: path,
      headers: { ...app.inProcess, ...(cookie && { cookie }), ...(host && { host }) },
    })
    return { status: answer.statusCode, body: answer.body ? (JSON.parse(answer.body) as unknown) : undefined }
  }
