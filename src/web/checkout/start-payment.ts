import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import { ApiError, type Api } from '#web/api/client.ts'
import { refusedFields, wireCustomer, type CustomerForm, type FieldName } from './customer-form.ts'
import { isSummary, wireItems } from './summary.ts'

/** A sentence that stands beside its cause, and in a toast. */
export type Trouble = { title: string; sentence: string }

/** What came of asking for a payment. */
export type PaymentAnswer =
  | { kind: 'started'; start: PaymentStart }
  /** The shopper saw other amounts than would be charged: nothing was started, these are the right ones. */
  | { kind: 'changed'; summary: OrderSummary; sentence: string }
  | { kind: 'already_paid'; sentence: string }
  | { kind: 'refused'; trouble: Trouble; fields: ReadonlyMap<FieldName, string>; isAboutCart: boolean }
  | { kind: 'failed'; trouble: Trouble }

/** Codes that are cured in the cart, not in the form. */
const aboutCart: ReadonlySet<string> = new Set(['sold_out', 'unknown_variant', 'unknown_product', 'cart_empty'])

const SETUP_FAILED: Trouble = { title: 'Payment Setup Failed', sentence: 'Please try again or contact support.' }
const NOT_SENT: Trouble = { title: 'Error', sentence: 'Failed to process your request. Please try again.' }

/**
 * Freezes the checkout and gets its payment. An equal wish gets the same payment again, so asking twice is safe.
 * @param seen the amounts on the shopper's screen; they are compared, never charged
 * @param isWhole whether `seen` is the shop's own quote, tax and total included, or the preview before it
 */
export async function startPayment(
  api: Api,
  form: CustomerForm,
  lines: readonly CartLine[],
  seen: OrderSummary,
  isWhole: boolean,
): Promise<PaymentAnswer> {
  const { subtotal, shipping, tax, vatProtection, total } = seen
  try {
    const start = await api('POST /api/create-payment-intent', {
      body: {
        customerInfo: wireCustomer(form),
        cartItems: wireItems(lines),
        subtotal,
        shippingCost: shipping,
        ...(isWhole && { orderSummary: { subtotal, shipping, tax, vatProtection, total } }),
        termsAccepted: true,
      },
    })
    return { kind: 'started', start }
  } catch (error) {
    return answerOf(error)
  }
}

function answerOf(error: unknown): PaymentAnswer {
  if (!(error instanceof ApiError)) return { kind: 'failed', trouble: NOT_SENT }
  const { refusal, status } = error
  if (!refusal || refusal.code === 'bug') return { kind: 'failed', trouble: SETUP_FAILED }
  const { code, message: sentence } = refusal
  if (code === 'summary_changed' && isSummary(refusal.summary))
    return { kind: 'changed', summary: refusal.summary, sentence }
  if (code === 'already_paid') return { kind: 'already_paid', sentence }
  if (status >= 500)
    return { kind: 'failed', trouble: { ...SETUP_FAILED, sentence: `${SETUP_FAILED.sentence} ${sentence}` } }
  return {
    kind: 'refused',
    trouble: { title: code === 'provider_refused' ? SETUP_FAILED.title : 'Error', sentence },
    fields: refusedFields(refusal.fields),
    isAboutCart: aboutCart.has(code),
  }
}
