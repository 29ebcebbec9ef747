import type { OrderKey } from '#contract/orders.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { authorizeOrderAccess } from '#server/orders/access.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { cancelByShopper, makeNow } from './shopper-changes.ts'

/** Changes by the customer. Knowing only number and email, or having an expired link, is not enough. */
export function shopperChangeRoutes(
  app: App,
  shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful' | 'payments'>,
): void {
  const changeable = async (context: Context, key: OrderKey) => {
    const { order, mayCorrect } = await authorizeOrderAccess(shop, context, key)
    if (!mayCorrect) throw new Refusal('order_not_shown')
    return order
  }
  serve(app, 'shopperChanges', {
    cancel: async (context, { body }) => {
      const { refund } = await cancelByShopper(shop, await changeable(context, body))
      const returned = refund > ZERO ? ` ${formatUsd(refund)} is on its way back to you.` : ''
      return { done: `Your order is canceled. Nothing will be made.${returned}` }
    },
    makeNow: async (context, { body }) => {
      await makeNow(shop, await changeable(context, body))
      return { done: 'Thank you. Your order is on its way to our printer.' }
    },
  })
}
