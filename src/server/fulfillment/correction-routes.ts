import type { OrderKey } from '#contract/orders.ts'
import { authorizeOrderAccess } from '#server/orders/access.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { correctAddress, correctEmail } from './order-corrections.ts'

const SHOPPER = { kind: 'shopper' } as const

/** Corrections by the customer. Knowing only number and email, or having an expired link, is not enough. */
export function correctionRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful'>): void {
  const correctable = async (context: Context, { token, session_id, order }: OrderKey) => {
    const seen = await authorizeOrderAccess(shop, context, { token, session_id, order })
    if (!seen.mayCorrect) throw new Refusal('order_not_shown')
    return seen.order
  }
  serve(app, 'corrections', {
    address: async (context, { body }) => {
      await correctAddress(shop, await correctable(context, body), body, SHOPPER)
      return { done: 'Thank you. We’ll ship your order to this address.' }
    },
    email: async (context, { body }) => {
      await correctEmail(shop, await correctable(context, body), body.email, SHOPPER)
      return { done: 'Thank you. Updates now go to this address. We’ve sent it a new link to your order.' }
    },
  })
}
