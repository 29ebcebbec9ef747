import { correspondenceCalls } from '#contract/correspondence.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { takeMessage } from './contact.ts'

export const correspondenceRoutes = (app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>) =>
  serve(app, correspondenceCalls, {
    contact: async (context, { body }) => {
      // With a session the next messages of this browser are counted as its own.
      await context.ensureSession()
      await takeMessage(shop, body)
      return { success: true as const }
    },
  })
