import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { defaultSettings } from '#site/shop-rules.ts'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { parseListSort } from '#domain/catalog/list-sort.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { readChangedSettingsCached, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { providerDetail } from './catalog.ts'
import { merchantFeed, sitemap, sitemapPart } from './feeds.ts'
import { getProductWithRelated, listBestSellers, listProducts, readListing, showcaseOf } from './listing.ts'
import { findDefaultPicture } from './pictures.ts'
import { withFewPictures } from './product-view.ts'
import { facetChoiceIn, searchProducts, suggest } from './search.ts'

/** @param onMiss called with each search that found nothing */
export function catalogRoutes(
  app: App,
  { config, db }: Needs<'config' | 'db'>,
  onMiss: (query: string) => Promise<void>,
): void {
  serve(app, 'catalog', {
    products: async (context, { query: { after } }) => {
      const { products, next } = await listProducts(db, after)
      if (next !== null) context.header('link', `</api/products?after=${next}>; rel="next"`)
      return products.map(withFewPictures)
    },
    listing: (_, { query }) =>
      readListing(db, {
        ...query,
        chosen: facetChoiceIn(query),
        sort: parseListSort(query.sort),
        collection: query.collection,
        after: query.after,
        before: query.before,
      }),
    product: (_, { params }) => getProductWithRelated(db, params.id),
    bestSellers: () => listBestSellers(db),
    showcase: (_, { query: { piece, view } }) => showcaseOf(db, piece, view),
    providerDetail: (_, { params }) => providerDetail(db, params.id),
    search: async (context, { query }) => {
      const answer = await searchProducts(db, query)
      if (answer.query && answer.facets.type.length === 0 && query.collection.length === 0) {
        // Each is counted, so none is answered from the cache.
        context.header('cache-control', 'no-store')
        await onMiss(answer.query)
      }
      return answer
    },
    searchSuggestions: (_, { query: { q, language } }) => suggest(db, q, language),
  })

  const { http } = app
  const address = findDefaultPicture()
  http.get(DEFAULT_PICTURE, { schema: { hide: true } }, async (_, reply) => {
    if (!address) throw new Refusal('unknown_call')
    return reply.header('cache-control', 'public, max-age=3600').redirect(address, 302)
  })

  const originOf = ({ host }: { host: string }) => config.publicUrl ?? `http://${host}`
  const asXml = (reply: FastifyReply) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=600')
  http.get('/sitemap.xml', { schema: { hide: true } }, async (request, reply) =>
    asXml(reply).send(await sitemap(db, originOf(request))),
  )
  http.get<{ Params: { file: string } }>('/sitemap/:file', { schema: { hide: true } }, async (request, reply) =>
    asXml(reply).send(await sitemapPart(db, originOf(request), request.params.file.replace(/\.xml$/, ''))),
  )
  http.get('/feed.xml', { schema: { hide: true } }, async (request, reply) => {
    const changed = await readChangedSettingsCached(db)
    const isShippingFree = whoPaysShipping(config, changed) === 'free'
    const options = { origin: originOf(request), isShippingFree, site: { ...defaultSettings, ...changed } }
    // HEAD needs no body, so no feed is generated.
    return asXml(reply).send(request.method === 'HEAD' ? '' : Readable.from(await merchantFeed(db, options)))
  })
}
