import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Shop } from '#server/shop.ts'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft, toDraft } from './drafts.ts'

export function studioRoutes(app: App, shop: Shop): void {
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
  })
}
