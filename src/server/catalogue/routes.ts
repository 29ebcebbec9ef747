import { catalogueCalls } from '#contract/catalogue.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { listProducts, providerDetail } from './catalogue.ts'
import { merchantFeed, sitemap } from './feeds.ts'
import { findDefaultPicture } from './pictures.ts'
import { searchProducts, suggest } from './search.ts'
import { findCopiedPicture } from './store.ts'

export function catalogueRoutes(app: App, { config, db }: Needs<'config' | 'db'>): void {
  serve(app, catalogueCalls, {
    products: () => listProducts(db),
    providerDetail: (_, { params }) => providerDetail(db, params.id),
    search: (_, { query }) => searchProducts(db, query),
    searchSuggestions: async (_, { query }) => ({ suggestions: await suggest(db, query.q) }),
  })

  const { http } = app
  http.get<{ Params: { file: string } }>(
    '/pictures/copied/:file',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const picture = await findCopiedPicture(db, params.file)
      if (!picture) throw new Refused('unknown_call')
      return reply
        .type(picture.contentType)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(picture.body)
    },
  )

  const address = findDefaultPicture()
  http.get('/pictures/default.webp', { schema: { hide: true } }, async (_, reply) => {
    if (!address) throw new Refused('unknown_call')
    return reply.header('cache-control', 'public, max-age=3600').redirect(address, 302)
  })

  const originOf = ({ host }: { host: string }) => config.publicUrl ?? `http://${host}`
  for (const [path, write] of [
    ['/sitemap.xml', sitemap],
    ['/feed.xml', merchantFeed],
  ] as const)
    http.get(path, { schema: { hide: true } }, async (request, reply) =>
      reply
        .type('application/xml; charset=utf-8')
        .header('cache-control', 'public, max-age=600')
        .send(await write(db, originOf(request))),
    )
}
