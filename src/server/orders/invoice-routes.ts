import { formatOrderNumber, readOrderNumber } from '#shared/ids.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { authorizeOrderCustomer } from './access.ts'
import { buyerOf, invoiceFile, invoiceFiles, listMonthsInvoices, showInvoices } from './invoice-view.ts'
import { issueInvoice } from './invoices.ts'
import { findOrderByNumber, type Order } from './orders.ts'

export function invoiceRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  const { db } = shop
  serve(app, 'invoices', {
    list: async (context, { query }) => showInvoices(db, (await authorizeOrderCustomer(shop, context, query)).order),
    issue: async (context, { body }) => {
      const { order } = await authorizeOrderCustomer(shop, context, body)
      await issueInvoice(shop, order.id, buyerOf(body))
      return showInvoices(db, order)
    },
    file: async (context, { params, query }) =>
      invoiceFile(db, params.id, (await authorizeOrderCustomer(shop, context, query)).order.id),
  })
  serve(app, 'adminInvoices', {
    list: (_, { query }) => listMonthsInvoices(shop, query.month),
    files: (_, { query }) => invoiceFiles(shop, query),
    ofOrder: async (_, { params }) => showInvoices(db, await getOrder(params.number)),
    issue: async (_, { params, body }) => {
      const order = await getOrder(params.number)
      const issued = await issueInvoice(shop, order.id, buyerOf(body))
      const { number } = issued.findLast(({ isWhole }) => isWhole) ?? { number: '' }
      return { done: `Invoice ${number} of order ${formatOrderNumber(order.orderNumber)} is issued.` }
    },
    file: (_, { params }) => invoiceFile(db, params.id),
  })

  async function getOrder(typed: string): Promise<Order> {
    const number = readOrderNumber(typed)
    const order = number && (await findOrderByNumber(db, number))
    if (!order) throw new Refusal('unknown_order')
    return order
  }
}
