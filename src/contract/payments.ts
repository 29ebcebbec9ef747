import * as z from 'zod/mini'
import { call } from './call.ts'

/** What the payment pages may show: paid, still processing, under review, or failed. */
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

/** PayPal's result of a capture, as far as pages need it (PayPal Orders v2). */
const CaptureData = z.object({
  id: z.string(),
  /** COMPLETED: paid. PENDING: PayPal is reviewing it. PROCESSING: no answer yet; poll `/api/process-paypal-order`. */
  status: z.enum(['COMPLETED', 'PENDING', 'PROCESSING']),
  purchase_units: z.array(
    z.object({
      payments: z.object({
        captures: z.array(
          z.object({
            id: z.string(),
            status: z.string(),
            status_details: z.optional(z.object({ reason: z.string() })),
            /** Decimal text, in PayPal's format. */
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
  /** The Printful order id, once accepted. */
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
      'Settles a card payment after the browser returns. Idempotent. `orderId` is the order number, only for the session that paid.',
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
    summary: 'Captures the session’s approved wallet order and creates the order. Idempotent.',
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
      'A wallet order’s outcome, verified at the provider. Numbers and decline reasons are only for the session that paid.',
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
      'A payment’s status. A payment id alone reveals the status and the collection’s texts, no personal data; of a drop that was missed, also its page.',
    params: z.object({ id: paymentId }),
    answer: z.object({
      success: z.boolean(),
      status: PaymentOutcome,
      collection: CollectionDisplay,
      /** Paid, but a drop had no piece for it: it makes no order, and the money goes back. */
      missed: z.optional(z.enum(['drop_taken', 'drop_limit'])),
      /** The page of that drop. */
      page: z.optional(z.string()),
    }),
    refusals: ['unknown_payment', 'outcome_unknown'],
  }),
}
