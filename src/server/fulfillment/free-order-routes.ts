import { formatOrderNumber, readOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { estimateCost, estimateReplacement, orderWithoutPayment, replaceOrder } from './free-orders.ts'

export const freeOrderRoutes = (app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'printful'>) =>
  serve(app, 'freeOrders', {
    preview: async (_, { body }) => ({ cost: await estimateCost(shop, body) }),
    place: async (context, { body }) => placed(await orderWithoutPayment(shop, body, await actorOf(context))),
    previewReplacement: async (_, { params, body }) => ({
      cost: await estimateReplacement(shop, numberIn(params.number), body.pieces),
    }),
    replace: async (context, { params, body }) =>
      placed(await replaceOrder(shop, numberIn(params.number), { ...body, by: await actorOf(context) })),
  })

const placed = ({ orderNumber, kind }: Order) => ({
  orderNumber,
  done: `Ordered: ${kind} ${formatOrderNumber(orderNumber)}. The customer gets an email.`,
})

function numberIn(typed: string): OrderNumber {
  const number = readOrderNumber(typed)
  if (!number) throw new Refusal('unknown_order')
  return number
}
