import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import {
  deleteProductType,
  draftProductType,
  listForOwner,
  listProductTypeVersions,
  restoreProductType,
  saveProductType,
} from './product-type-editor.ts'

export function productTypeRoutes(app: App, shop: Needs<'db' | 'clock' | 'printful'>): void {
  serve(app, 'adminProductTypes', {
    list: async () => ({ types: await listForOwner(shop.db) }),
    save: async (context, { params, body }) => {
      await saveProductType(shop, params.key, body, await actorOf(context))
      return { done: `${body.content.name} is saved. Shoppers see it now.` }
    },
    history: async (_, { params }) => ({ versions: await listProductTypeVersions(shop.db, params.key) }),
    restore: async (context, { params, body }) => {
      await restoreProductType(shop, params.key, body, await actorOf(context))
      return { done: `Version ${body.restored} is restored. Shoppers see it now.` }
    },
    remove: async (context, { params }) => {
      const name = await deleteProductType(shop, params.key, await actorOf(context))
      return { done: `${name} is deleted.` }
    },
    fromBlank: (_, { params }) => draftProductType(shop, params.id),
  })
}
