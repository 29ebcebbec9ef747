import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { explainOrder, requirePartner, listEarnedOrders, readEarnings } from './earnings.ts'
import { statementFile } from './statement-files.ts'
import { readStatement } from './statement.ts'

export function earningsRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  const signedInPartner = async (context: Context) => {
    const user = (await context.session())?.user
    if (!user) throw new Refusal('not_signed_in')
    return requirePartner(shop, user.id)
  }
  serve(app, 'earnings', {
    earnings: async (context, { query }) => readEarnings(shop, await signedInPartner(context), query),
    orders: async (context, { query }) => listEarnedOrders(shop, await signedInPartner(context), query.older),
    why: async (context, { query }) => explainOrder(shop, await signedInPartner(context), query.order),
    statementFile: async (context, { query }) => statementFile(shop, await signedInPartner(context), query),
    statement: async (context, { params, query }) =>
      readStatement(shop, await signedInPartner(context), params.month, query.after),
  })
}
