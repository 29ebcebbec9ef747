import { actorOf } from '#server/actions/actions.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { askForDataLink, emailBehind, erase, exportOf, lookAt, toldErased } from './privacy.ts'

export function privacyRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log'>): void {
  serve(app, 'privacyDesk', {
    look: (_, { body }) => lookAt(shop.db, body.email),
    exportAll: (_, { body }) => exportOf(shop, body.email),
    erase: async (context, { body: { email, repeated } }) => {
      if (repeated.toLowerCase() !== email.toLowerCase())
        throw new Refused('invalid', {}, { repeated: 'This is not the same email' })
      return { done: toldErased(await erase(shop, email, await actorOf(context))) }
    },
  })
  serve(app, 'privacy', {
    ask: async (context, { body }) => {
      // With a session the next wishes of this browser are counted as its own.
      await context.ensureSession()
      await askForDataLink(shop, body.email)
      return { success: true as const }
    },
    look: async (_, { body }) => {
      const email = await emailBehind(shop, body.token)
      return { email, ...(await lookAt(shop.db, email)) }
    },
    exportAll: async (_, { body }) => exportOf(shop, await emailBehind(shop, body.token)),
    erase: async (_, { body }) => ({ done: toldErased(await erase(shop, await emailBehind(shop, body.token), null)) }),
  })
}
