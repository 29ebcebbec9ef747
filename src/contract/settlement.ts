import * as z from 'zod/mini'
import { call } from './call.ts'

/** What the payment pages may say: the money came; the provider is still working on it; it waits for a review; it did not come. */
export const PaymentOutcome = z.enum(['paid', 'processing', 'held', 'failed'])
export type PaymentOutcome = z.output<typeof PaymentOutcome>

/** Shown by the success pages (specification, section 3, 'Payment-success'). */
export const CollectionDisplay = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  petName: z.string(),
  channelName: z.string(),
  channelUrl: z.string(),
  description: z.string(),
  successMessage: z.string(),
  emailSubjectLine: z.string(),
  emailThankYouMessage: z.string(),
  colors: z.object({ primary: z.string(), accent: z.string(), background: z.string() }),
  heroTitle: z.string(),
  heroSubtitle: z.string(),
})
export type CollectionDisplay = z.output<typeof CollectionDisplay>

const paymentId = z.string('Please name a payment').check(z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'Please name a payment'))

export const settlementCalls = {
  complete: call({
    method: 'POST',
    path: '/api/process-completed-payment',
    access: 'anyone',
    summary:
      'Settles a card payment after the browser’s return; safe to repeat. `orderId` is the order number, told to the session that paid.',
    body: z.object({ paymentIntentId: paymentId }),
    answer: z.object({
      success: z.boolean(),
      status: PaymentOutcome,
      orderId: z.optional(z.string()),
      error: z.optional(z.string()),
    }),
    refusals: ['unknown_payment', 'provider_unavailable'],
  }),
  result: call({
    method: 'GET',
    path: '/api/payment-success/:id',
    access: 'anyone',
    summary:
      'Whether the money of a payment came. A payment id alone shows a status and the collection’s texts, no personal data.',
    params: z.object({ id: paymentId }),
    answer: z.object({ success: z.boolean(), status: PaymentOutcome, collection: CollectionDisplay }),
    refusals: ['unknown_payment', 'provider_unavailable'],
  }),
}
