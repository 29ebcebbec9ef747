import { catalogueCalls } from '#contract/catalogue.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { listProducts, providerDetail } from './catalogue.ts'
import { findDefaultPicture } from './pictures.ts'
import { findCopiedPicture } from './store.ts'

export function catalogueRoutes(app: App, { db }: Needs<'db'>): void {
  serve(app, catalogueCalls, {
    products: () => listProducts(db),
    providerDetail: (_, { params }) => providerDetail(db, params.id),
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
}
