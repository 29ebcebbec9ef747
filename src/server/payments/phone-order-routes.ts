import { actorOf } from '#server/audit-log/audit-log.ts'
import { startCardPayment } from '#server/checkout/card.ts'
import { payerAt } from '#server/checkout/declines.ts'
import {
  cancelPhoneOrder,
  customerInfoOf,
  listPhoneOrders,
  openPhoneOrder,
  previewPhoneOrder,
  requirePayable,
  sendPhoneOrder,
  showPhoneOrder,
  stopIfCanceled,
  takePhoneOrder,
  visitorOf,
} from '#server/checkout/phone-orders.ts'
import { startWalletPayment } from '#server/checkout/wallet.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { captureWallet, processWallet } from './wallet.ts'

type PhoneOrderRouteNeeds = Needs<
  'db' | 'clock' | 'config' | 'jobs' | 'log' | 'payments' | 'paypal' | 'printful' | 'stripe'
>

/** Orders taken by phone; see `phone-orders.ts` of checkout. */
export function phoneOrderRoutes(app: App, shop: PhoneOrderRouteNeeds): void {
  const payable = async (token: string) => {
    const order = await openPhoneOrder(shop, token)
    await requirePayable(shop, order)
    return order
  }
  serve(app, 'phoneOrders', {
    show: ({ language }, { query }) => showPhoneOrder(shop, query.token, language),
    payByCard: async (context, { body: { token, total, ageConfirmed } }) => {
      const order = await payable(token)
      const wanted = { customerInfo: customerInfoOf(order), orderSummary: { total }, termsAccepted: true, ageConfirmed }
      const start = await startCardPayment(shop, order.sessionId, wanted, visitorOf(order), payerAt(context.ip))
      await stopIfCanceled(shop, order)
      return { clientSecret: start.client_secret, intentId: start.payment_intent, amount: start.total_amount }
    },
    payByWallet: async (context, { body: { token, total, ageConfirmed } }) => {
      const order = await payable(token)
      const wanted = { customerInfo: customerInfoOf(order), orderSummary: { total }, termsAccepted: true, ageConfirmed }
      const started = await startWalletPayment(shop, order.sessionId, wanted, visitorOf(order), payerAt(context.ip))
      await stopIfCanceled(shop, order)
      return started
    },
    capture: async (_, { params: { id }, body: { token } }) => {
      const order = await openPhoneOrder(shop, token)
      await stopIfCanceled(shop, order)
      try {
        await captureWallet(shop, order.sessionId, id)
        const { kind: status } = await processWallet(shop, order.sessionId, id)
        return { status }
      } catch (error) {
        throw error instanceof ProviderUnavailable ? new Refusal('outcome_unknown') : error
      }
    },
  })
  serve(app, 'adminPhoneOrders', {
    preview: (_, { body }) => previewPhoneOrder(shop, body),
    take: async (context, { body }) => {
      const { isNew } = await takePhoneOrder(shop, body, await actorOf(context))
      return {
        done: isNew
          ? `The payment link is on its way to ${body.customer.email}.`
          : 'This order was taken a moment ago, and its link is on its way.',
      }
    },
    list: async () => ({ orders: await listPhoneOrders(shop) }),
    send: async (context, { params }) => {
      await sendPhoneOrder(shop, params.id, await actorOf(context))
      return { done: 'The link is on its way again.' }
    },
    cancel: async (context, { params }) => {
      const { isStopped } = await cancelPhoneOrder(shop, params.id, await actorOf(context))
      return {
        done: isStopped
          ? 'Canceled. The link can no longer be paid.'
          : 'The link is closed, but a payment was already under way. If it arrives, it becomes an order, which you can refund.',
      }
    },
  })
}
