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

/** What the wallet's provider would say of a capture, as far as a page needs it (PayPal Orders v2). */
const CaptureData = z.object({
  id: z.string(),
  /** COMPLETED: the money came. PENDING: the provider reviews it. PROCESSING: it has not answered yet; ask `/api/process-paypal-order`. */
  status: z.enum(['COMPLETED', 'PENDING', 'PROCESSING']),
  purchase_units: z.array(
    z.object({
      payments: z.object({
        captures: z.array(
          z.object({
            id: z.string(),
            status: z.string(),
            status_details: z.optional(z.object({ reason: z.string() })),
            /** Decimal text: this part has the provider's own form. */
            amount: z.optional(z.object({ currency_code: z.string(), value: z.string() })),
          }),
        ),
      }),
    }),
  ),
})
export type CaptureData = z.output<typeof CaptureData>

const WalletOrderProcessing = z.object({
  success: z.boolean(),
  status: z.enum(['COMPLETED', 'PENDING_REVIEW', 'PROCESSING']),
  orderNumber: z.optional(z.string()),
  /** The partner's number, once it has accepted the order. */
  printfulOrderId: z.optional(z.string()),
  type: z.optional(z.string()),
  details: z.optional(z.string()),
  error: z.optional(z.string()),
})
export type WalletOrderProcessing = z.output<typeof WalletOrderProcessing>

const paymentId = z.string('Please name a payment').check(z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'Please name a payment'))

export const paymentCalls = {
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
    refusals: ['unknown_payment', 'outcome_unknown'],
  }),
  captureWallet: call({
    method: 'POST',
    path: '/paypal/order/:id/capture',
    access: 'anyone',
    summary:
      'Takes the money of the session’s approved wallet order, once, and makes the order. Safe to repeat: a second one answers like the first.',
    params: z.object({ id: paymentId }),
    answer: CaptureData,
    refusals: [
      'unknown_payment',
      'already_paid',
      'payment_held',
      'wallet_not_approved',
      'wallet_declined',
      'wallet_address',
      'provider_unavailable',
      'too_many',
    ],
  }),
  processWallet: call({
    method: 'POST',
    path: '/api/process-paypal-order',
    access: 'anyone',
    summary:
      'What became of a wallet order: asked at the provider, whatever the body says of it. Numbers, and why nothing was charged, are told to the session that paid.',
    body: z.object({
      paypalOrderId: paymentId,
      paypalOrderData: z.optional(z.unknown()),
      customerInfo: z.optional(z.unknown()),
      cartItems: z.optional(z.unknown()),
      amount: z.optional(z.unknown()),
    }),
    answer: WalletOrderProcessing,
    refusals: [
      'payment_not_captured',
      'unknown_payment',
      'already_paid',
      'wallet_declined',
      'wallet_not_approved',
      'wallet_address',
      'outcome_unknown',
      'too_many',
    ],
  }),
  result: call({
    method: 'GET',
    path: '/api/payment-success/:id',
    access: 'anyone',
    summary:
      'Whether the money of a payment came. A payment id alone shows a status and the collection’s texts, no personal data.',
    params: z.object({ id: paymentId }),
    answer: z.object({ success: z.boolean(), status: PaymentOutcome, collection: CollectionDisplay }),
    refusals: ['unknown_payment', 'outcome_unknown'],
  }),
}
