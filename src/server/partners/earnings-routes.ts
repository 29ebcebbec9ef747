import { earningsCalls } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { WORKBOOK_TYPE } from '#server/files/workbook.ts'
import { requireAccess } from '#server/http/access.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { explainOrder, getPartner, listEarnedOrders, readEarnings } from './earnings.ts'
import { statementPdf, statementWorkbook } from './statement-files.ts'
import { readStatement, spanAsked } from './statement.ts'

type Asked = { Params: { kind: string }; Querystring: { month?: string } }

const FILES = { method: 'GET', path: `${paths.earnings}/statement` } as const

export function earningsRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  const asking = async (context: Context) => {
    await requireAccess('partner', context)
    return getPartner(shop, (await context.session())?.user?.id ?? 0)
  }
  app.http.get<Asked>(
    `${paths.earnings}/statement.:kind`,
    { schema: { hide: true }, config: { rateLimit: app.limitOf(FILES) } },
    async (request, reply) => {
      const partner = await asking(app.contextOf(request, reply))
      const { month = '' } = request.query
      const { kind } = request.params
      if (kind !== 'pdf' && kind !== 'xlsx') throw new Refused('unknown_statement')
      spanAsked(shop, month)
      return reply
        .type(kind === 'pdf' ? 'application/pdf' : WORKBOOK_TYPE)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="commission-${month}.${kind}"`)
        .send(await (kind === 'pdf' ? statementPdf : statementWorkbook)(shop, partner, month))
    },
  )
  serve(app, earningsCalls, {
    earnings: async (context, { query }) => readEarnings(shop, await asking(context), query),
    orders: async (context, { query }) => listEarnedOrders(shop, await asking(context), query.older),
    why: async (context, { query }) => explainOrder(shop, await asking(context), query.order),
    statement: async (context, { params, query }) =>
      readStatement(shop, await asking(context), params.month, query.after),
  })
}
