import type { OrderKey } from '#contract/orders.ts'
import { canCorrectAddress, changedTaxRegion } from '#domain/orders/correction.ts'
import { ZERO } from '#shared/money.ts'
import { correctEmail } from '#server/fulfillment/order-corrections.ts'
import { authorizeOrderAccess } from '#server/orders/access.ts'
import { findAwaitingChange } from '#server/orders/changes.ts'
import { correctableOf } from '#server/orders/order-view.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { startChangePayment } from './change-payments.ts'
import { addressIn } from './change-plan.ts'
import { changeOrder, dropChange } from './order-changes.ts'

const SHOPPER = { kind: 'shopper' } as const
const ADVICE = 'Please write to us, and we’ll find a way.'

type RouteNeeds = Parameters<typeof changeOrder>[0]

/** Corrections by the customer. Knowing only number and email, or having an expired link, is not enough. */
export function correctionRoutes(app: App, shop: RouteNeeds): void {
  const correctable = async (context: Context, { token, session_id, order }: OrderKey) => {
    const seen = await authorizeOrderAccess(shop, context, { token, session_id, order })
    if (!seen.mayCorrect) throw new Refusal('order_not_shown')
    return seen.order
  }
  serve(app, 'corrections', {
    address: async (context, { body }) => {
      const order = await correctable(context, body)
      if (!canCorrectAddress(correctableOf(order), 'shopper')) throw new Refusal('correction_too_late')
      const part = changedTaxRegion(order.shippingAddress, addressIn(body))
      if (part)
        throw new Refusal(
          'correction_elsewhere',
          { part, advice: ADVICE },
          { [`shippingAddress.${part}`]: `The ${part} can’t be changed after payment` },
        )
      const { name, shippingAddress, tax_number } = body
      await changeOrder(shop, order, { recipient: { name, shippingAddress, tax_number } }, SHOPPER, { seen: ZERO })
      return { done: 'Thank you. We’ll ship your order to this address.' }
    },
    email: async (context, { body }) => {
      await correctEmail(shop, await correctable(context, body), body.email, SHOPPER)
      return { done: 'Thank you. Updates now go to this address. We’ve sent it a new link to your order.' }
    },
  })
  serve(app, 'changePayment', {
    show: async (context, { query }) => {
      const { order } = await authorizeOrderAccess(shop, context, query)
      const change = await findAwaitingChange(shop.db, order.id)
      if (!change?.plan || !change.expiresAt) return { toPay: null }
      return {
        toPay: {
          amount: change.amountCents,
          until: change.expiresAt.toISOString(),
          lines: change.plan.lines.map(({ productName, variantName, quantity }) => ({
            ...{ productName, variantName, quantity },
          })),
          total: change.plan.amounts.total,
        },
      }
    },
    start: async (context, { body }) => startChangePayment(shop, await correctable(context, body)),
    drop: async (context, { body }) => {
      if (!(await dropChange(shop, await correctable(context, body)))) throw new Refusal('no_change_to_pay')
      return { done: 'Nothing was changed. We make your order as it was.' }
    },
  })
}
