import { isAccepted } from '#contract/below-floor.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Shop } from '#server/shop.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { listPriceVersions } from '#server/catalog/variant-prices.ts'
import { beginBatch, draftContentOf, fillCopy } from './copies.ts'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft, toDraft } from './drafts.ts'
import { previewOf } from './preview.ts'
import { printFileRoute } from './print-files.ts'
import { marginFactsOfBlank } from './margin-basis.ts'
import {
  ignorePrinterProduct,
  listPrinterProducts,
  readPrinterPicture,
  showPrinterProduct,
  takeOver,
} from './printer-products.ts'
import { changePrices, showPrices } from './price-editor.ts'
import { publishDraft } from './publishing.ts'
import { listBatchRows } from './copies-store.ts'

/** The printer's products that the shop does not have. */
function printerProductRoutes(app: App, shop: Shop): void {
  serve(app, 'adminPrinterProducts', {
    printerProducts: (_, { query }) =>
      listPrinterProducts(shop, { page: query.page, isIgnored: query.ignored === '1' }),
    printerProduct: (_, { params }) => showPrinterProduct(shop.db, params.id),
    printerProductPicture: (_, { params, query }) => readPrinterPicture(shop, params.id, query.variant),
    takeOver: async (context, { params }) => toDraft(await takeOver(shop, params.id, await actorOf(context))),
    ignorePrinterProduct: async (context, { params }) => {
      await ignorePrinterProduct(shop, params.id, true, await actorOf(context))
      return { done: 'The product is no longer listed here.' }
    },
    bringBackPrinterProduct: async (context, { params }) => {
      await ignorePrinterProduct(shop, params.id, false, await actorOf(context))
      return { done: 'The product is listed again.' }
    },
  })
}

export function studioRoutes(app: App, shop: Shop): void {
  printFileRoute(app, shop)
  printerProductRoutes(app, shop)
  serve(app, 'adminPrices', {
    productPrices: async (_, { params }) => showPrices(shop, params.id),
    savePrices: async (context, { params, query, body }) => {
      await changePrices(shop, params.id, { ...body, accepted: isAccepted(query) }, await actorOf(context))
      return { done: body.changes.length ? 'The prices are saved.' : 'The prices are sent to the printer again.' }
    },
    priceHistory: async (_, { params }) => ({
      versions: (await listPriceVersions(shop.db, params.id)).map((one) => ({ ...one, at: one.at.toISOString() })),
    }),
  })
  serve(app, 'adminStudio', {
    drafts: async () => ({ drafts: await listDrafts(shop.db) }),
    createDraft: async (context, { body }) => toDraft(await createDraft(shop, body.content, await actorOf(context))),
    draft: async (_, { params }) => toDraft(await getDraft(shop.db, params.id)),
    saveDraft: async (context, { params, body }) =>
      toDraft(await saveDraft(shop, params.id, body, await actorOf(context))),
    deleteDraft: async (context, { params }) => {
      await deleteDraft(shop, params.id, await actorOf(context))
      return { done: 'The draft is deleted.' }
    },
    publishDraft: async (context, { params, query, body }) =>
      toDraft(await publishDraft(shop, params.id, { ...body, accepted: isAccepted(query) }, await actorOf(context))),
    previewDraft: async (_, { params }) => previewOf(shop, await getDraft(shop.db, params.id)),
    beginBatch: async (context, { params, body }) => ({
      drafts: (await beginBatch(shop, params.batch, body, await actorOf(context))).map(toDraft),
    }),
    fillCopy: async (_, { params, body }) => toDraft(await fillCopy(shop, params.batch, body.blankId)),
    draftBatch: async (_, { params }) => ({ drafts: (await listBatchRows(shop.db, params.batch)).map(toDraft) }),
    draftOfProduct: async (_, { params }) => ({ content: await draftContentOf(shop.db, params.id) }),
    draftChoices: async () => ({
      types: await readProductTypes(shop.db),
      collections: (await readCollections(shop.db))
        .filter(({ state }) => state !== 'retired')
        .map(({ id, name }) => ({ id, name })),
    }),
    marginFacts: async (_, { params }) => marginFactsOfBlank(shop, await showBlank(shop, params.blank)),
  })
}
