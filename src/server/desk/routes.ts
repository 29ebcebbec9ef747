import { deskCalls } from '#contract/desk.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { readLog } from './log.ts'

export const deskRoutes = (app: App, shop: Needs<'db'>) =>
  serve(app, deskCalls, {
    log: (_, { query }) => readLog(shop.db, query.older),
  })
