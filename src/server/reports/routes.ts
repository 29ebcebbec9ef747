import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { listLines } from './lines.ts'
import { summarizeOrigins } from './origins.ts'
import { summarize, summarizePastOrders, type ReportNeeds } from './reports.ts'
import { workbookOf } from './workbooks.ts'

export const reportRoutes = (app: App, shop: ReportNeeds) =>
  serve(app, 'reports', {
    summary: (_, { query }) => summarize(shop, query),
    pastOrders: (_, { query }) => summarizePastOrders(shop, query),
    origins: (_, { query }) => summarizeOrigins(shop, query),
    lines: (_, { query }) => listLines(shop, query),
    orders: (_, { query }) => workbookOf(shop, 'orders', query),
    stripeComplete: (_, { query }) => workbookOf(shop, 'stripe-complete', query),
    profit: (_, { query }) => workbookOf(shop, 'profit', query),
    recovery: (_, { query }) => workbookOf(shop, 'recovery', query),
  })
