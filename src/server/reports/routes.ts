import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { summarizeFunnel } from './funnel.ts'
import { listLines } from './lines.ts'
import { summarizeOrigins } from './origins.ts'
import { summarize, summarizePastOrders, type ReportNeeds } from './reports.ts'
import { listTaxLines, reportTax } from './tax.ts'
import { taxFile } from './tax-files.ts'
import { workbookOf } from './workbooks.ts'

export function reportRoutes(app: App, shop: ReportNeeds): void {
  serve(app, 'adminTax', {
    show: (_, { query }) => reportTax(shop, query.period),
    lines: (_, { query }) => listTaxLines(shop, query),
    file: (_, { query }) => taxFile(shop, query),
  })
  serve(app, 'reports', {
    summary: (_, { query }) => summarize(shop, query),
    pastOrders: (_, { query }) => summarizePastOrders(shop, query),
    origins: (_, { query }) => summarizeOrigins(shop, query),
    funnel: (_, { query }) => summarizeFunnel(shop, query),
    lines: (_, { query }) => listLines(shop, query),
    orders: (_, { query }) => workbookOf(shop, 'orders', query),
    stripeComplete: (_, { query }) => workbookOf(shop, 'stripe-complete', query),
    profit: (_, { query }) => workbookOf(shop, 'profit', query),
    recovery: (_, { query }) => workbookOf(shop, 'recovery', query),
  })
}
