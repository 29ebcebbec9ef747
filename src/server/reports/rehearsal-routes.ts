import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { rehearsalWorkbook } from './rehearsal-workbook.ts'
import { rehearseSales, type RehearsalNeeds } from './rehearsals.ts'

export const rehearsalRoutes = (app: App, shop: RehearsalNeeds) =>
  serve(app, 'rehearsals', {
    rehearse: (_, { body }) => rehearseSales(shop, body),
    workbook: (_, { body }) => rehearsalWorkbook(shop, body.change),
  })
