import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { listLines } from './lines.ts'
import { summarise, type Reporting } from './reports.ts'
import { workbookOf } from './workbooks.ts'

export const reportRoutes = (app: App, shop: Reporting) =>
  serve(app, 'reports', {
    summary: (_, { query }) => summarise(shop, query),
    lines: (_, { query }) => listLines(shop, query),
    orders: (_, { query }) => workbookOf(shop, 'orders', query),
    stripeComplete: (_, { query }) => workbookOf(shop, 'stripe-complete', query),
    profit: (_, { query }) => workbookOf(shop, 'profit', query),
    recovery: (_, { query }) => workbookOf(shop, 'recovery', query),
  })
