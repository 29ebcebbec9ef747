import { findCollection, defaultCollection } from '#brand/collections/collections.ts'
import type { AnswerOf } from '#contract/call.ts'
import { settlementCalls, type CollectionDisplay, type PaymentOutcome } from '#contract/settlement.ts'
import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { paymentKey } from '#kernel/ids.ts'
import { findByPayment, findVersion } from '#server/checkout/checkout.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { settle } from './settlement.ts'

const outcomes: Record<ProviderPayment['status'], PaymentOutcome> = {
  captured: 'paid',
  processing: 'processing',
  held: 'held',
  open: 'failed',
  cancelled: 'failed',
}

export const settlementRoutes = (app: App, shop: Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>) =>
  serve(app, settlementCalls, {
    complete: async (context, { body }): Promise<AnswerOf<typeof settlementCalls.complete>> => {
      const key = paymentKey('stripe', body.paymentIntentId)
      try {
        const { order } = await settle(shop, key)
        // An exception is the owner's to solve; the shopper's money did come. The number is for the session that paid:
        // whoever merely knows a payment's id learns that it came, no more.
        const isPayer = order !== undefined && (await context.session())?.id === order.sessionId
        return { success: true, status: 'paid', ...(isPayer && { orderId: order.orderNumber }) }
      } catch (error) {
        if (!(error instanceof Refused) || error.code !== 'payment_not_captured') throw error
        const status = outcomes[error.facts['status'] as ProviderPayment['status']]
        return { success: false, status, error: 'This payment has not been completed.' }
      }
    },
    result: async (_, { params }) => {
      const payment = await shop.payments.read(paymentKey('stripe', params.id))
      if (!payment?.checkoutId) throw new Refused('unknown_payment')
      const status = outcomes[payment.status]
      return { success: status === 'paid', status, collection: await collectionOf(shop, payment) }
    },
  })

/** The texts of the collection that was bought from; nothing that could tell who bought. */
async function collectionOf(
  { db }: Needs<'db'>,
  { id, provider, quoteHash }: ProviderPayment,
): Promise<CollectionDisplay> {
  const checkout = await findByPayment(db, provider, id)
  const version = checkout && quoteHash ? await findVersion(db, checkout.id, quoteHash) : undefined
  const theme = findCollection(version?.frozen.lines[0]?.collection ?? '') ?? defaultCollection
  const { primary, accent, background } = theme.colors
  return { ...theme, emailSubjectLine: theme.emailSubject, colors: { primary, accent, background } }
}
