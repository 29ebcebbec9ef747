import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { inLanguage } from '#shared/language.ts'
import { askForDataLink, emailOfDataLink, erasePerson, exportOf, countPersonalData, formatErasure } from './privacy.ts'

const json = { type: 'application/json; charset=utf-8' }

export function privacyRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log'>): void {
  serve(app, 'adminPrivacy', {
    look: (_, { body }) => countPersonalData(shop.db, body.email),
    exportAll: async (_, { body }) => ({ ...json, name: 'their-data.json', bytes: await exportOf(shop, body.email) }),
    erase: async (context, { body: { email, repeated } }) => {
      if (repeated.toLowerCase() !== email.toLowerCase())
        throw new Refusal('invalid', {}, { repeated: 'The emails do not match' })
      return { done: formatErasure(await erasePerson(shop, email, await actorOf(context))) }
    },
  })
  serve(app, 'privacy', {
    ask: async (context, { body }) => {
      // With a session, the rate limit counts this browser's own requests.
      await context.ensureSession()
      await askForDataLink(shop, body.email, context.language)
      return { success: true as const }
    },
    look: async (_, { body }) => {
      const email = await emailOfDataLink(shop, body.token)
      return { email, ...(await countPersonalData(shop.db, email)) }
    },
    exportAll: async (_, { body }) => {
      const email = await emailOfDataLink(shop, body.token)
      return { ...json, name: 'my-data.json', bytes: await exportOf(shop, email) }
    },
    erase: async ({ language }, { body }) => {
      const erased = await erasePerson(shop, await emailOfDataLink(shop, body.token), null)
      return { done: inLanguage(language, () => formatErasure(erased)) }
    },
  })
}
