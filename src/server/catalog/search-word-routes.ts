import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { listProductTypes } from './product-types.ts'
import { dismissMiss, listMisses, readSpellings, saveSpellings } from './search-words.ts'
import { addSynonym } from './synonyms.ts'

export function searchWordRoutes(app: App, shop: Needs<'db' | 'clock'>): void {
  serve(app, 'adminSearch', {
    search: async () => ({
      spellings: (await readSpellings(shop.db)).map((words) => [...words]),
      misses: await listMisses(shop.db, shop.clock.now()),
      types: (await listProductTypes(shop.db)).map(({ key, name, synonyms }) => ({ key, name, synonyms })),
    }),
    setSpellings: async (context, { body: { before, spellings } }) => {
      await saveSpellings(shop, spellings, await actorOf(context), before)
      return { done: 'The spellings are saved. Search uses them now.' }
    },
    addSynonym: async (context, { body: { words, of } }) => {
      const name = await addSynonym(shop, words, of, await actorOf(context))
      return { done: `“${words}” finds what “${name}” finds now.` }
    },
    dismissMiss: async (_, { body: { words } }) => {
      await dismissMiss(shop.db, words)
      return { done: `“${words}” is off the list.` }
    },
  })
}
