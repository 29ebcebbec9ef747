import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { listForOwner, listProductTypeVersions, saveProductType } from './product-types.ts'
import { listMisses, readSpellings, saveSpellings } from './search-words.ts'

export function productTypeRoutes(app: App, shop: Needs<'db' | 'clock'>): void {
  serve(app, 'adminProductTypes', {
    list: async () => ({ types: await listForOwner(shop.db) }),
    save: async (context, { params, body }) => {
      await saveProductType(shop, params.key, body, await actorOf(context))
      return { done: `${body.content.name} is saved. Shoppers see it now.` }
    },
    history: async (_, { params }) => ({ versions: await listProductTypeVersions(shop.db, params.key) }),
    search: async () => ({
      spellings: (await readSpellings(shop.db)).map((words) => [...words]),
      misses: await listMisses(shop.db, shop.clock.now()),
    }),
    setSpellings: async (context, { body }) => {
      await saveSpellings(shop, body.spellings, await actorOf(context))
      return { done: 'The spellings are saved. Search uses them now.' }
    },
  })
}
