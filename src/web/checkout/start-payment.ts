import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import type { CheckoutVariant } from '#domain/checkout/steps.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { ApiError, type Api } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { refusedFields, wireAddress, wireCustomer, type CustomerForm, type FieldName } from './customer-form.ts'
import { isSummary, wireItems } from './summary.ts'

/** Shown beside its cause and in a toast. */
export type FailureMessage = { title: string; sentence: string }

export type PaymentInput = {
  variant: CheckoutVariant
  form: CustomerForm
  /** Of the alternate checkout, or what a wallet has told; otherwise empty. */
  phone: string
  lines: readonly CartLine[]
  ageConfirmed: boolean
}

/** Already paid, or held by PayPal for review. `payment` is undefined when the shop does not know which one. */
export type PaidBefore = { kind: 'already_paid' | 'held'; sentence: string; payment: PaymentKey | undefined }

/** Why cards cannot be used: Stripe is down, or the shop has stopped cards after declines (`isClosed`). */
export type CardAbsence = { sentence: string; isClosed: boolean; canRetry: boolean }

type StartRefusal =
  /** The shopper saw other amounts than would be charged: nothing was started. */
  | { kind: 'changed'; summary: OrderSummary; sentence: string }
  | PaidBefore
  | {
      kind: 'refused'
      code: string
      failure: FailureMessage
      fields: ReadonlyMap<FieldName, string>
      recovery: RecoveryStep
    }
  | { kind: 'failed'; failure: FailureMessage }

/** Where the shopper can fix a refusal: the form, the cart, the age checkbox, or PayPal in the other checkout. */
export type RecoveryStep = 'form' | 'cart' | 'age' | 'wallet'

export type PaymentAnswer =
  | { kind: 'started'; start: PaymentStart }
  /** Cards do not work now or were declined too often. The wallet works, with these amounts. */
  | ({ kind: 'card_unavailable'; summary: OrderSummary } & CardAbsence)
  | StartRefusal

export type WalletAnswer = { kind: 'ordered'; id: string } | StartRefusal

const recoveryByCode: Readonly<Record<string, RecoveryStep>> = {
  sold_out: 'cart',
  unknown_variant: 'cart',
  unknown_product: 'cart',
  cart_empty: 'cart',
  age_unconfirmed: 'age',
}

/** @param code a refusal's */
export const recoveryOf = (code: string): RecoveryStep => recoveryByCode[code] ?? 'form'

/** The title of a declined payment (specification, section 8). */
export const PAYMENT_FAILED = 'Payment Failed' satisfies Word

const SETUP_FAILED = {
  title: 'Payment Setup Failed',
  sentence: 'Please try again or contact support.',
} as const satisfies Record<keyof FailureMessage, Word>
const NOT_SENT = {
  title: 'Error',
  sentence: 'Failed to process your request. Please try again.',
} as const satisfies Record<keyof FailureMessage, Word>

/**
 * Freezes the checkout and creates its card payment. Idempotent: equal input returns the same payment.
 * @param seen the amounts on the shopper's screen, which the server only compares
 * @param isWhole whether `seen` is the server's quote with tax and total, or the preview before it
 */
export async function startPayment(
  api: Api,
  input: PaymentInput,
  seen: OrderSummary,
  isWhole: boolean,
): Promise<PaymentAnswer> {
  const { subtotal, shipping, total } = seen
  try {
    const start = await api('POST /api/create-payment-intent', {
      body: {
        ...consentOf(input),
        customerInfo: customerOf(input),
        cartItems: wireItems(input.lines),
        ...(input.variant === 'main' ? { subtotal, shippingCost: shipping } : { amount: total }),
        ...((isWhole || input.variant === 'alternate') && { orderSummary: amountsOf(seen) }),
      },
    })
    return { kind: 'started', start }
  } catch (error) {
    return cardAbsenceIn(error) ?? refusalOf(error, input.variant)
  }
}

/**
 * Reports a decline; the server checks it with Stripe.
 * @returns the reason if it was one decline too many; undefined also when the call failed
 */
export async function reportDecline(api: Api, paymentIntentId: string): Promise<PaymentAnswer | undefined> {
  try {
    await api('POST /api/payment-declined', { body: { paymentIntentId } })
    return undefined
  } catch (error) {
    return cardAbsenceIn(error)
  }
}

const absences = new Set(['card_unavailable', 'card_closed', 'card_paused'])

function cardAbsenceIn(error: unknown): PaymentAnswer | undefined {
  const refusal = error instanceof ApiError ? error.refusal : undefined
  if (!refusal || !absences.has(refusal.code) || !isSummary(refusal.summary)) return undefined
  const { code, summary, message: sentence } = refusal
  return {
    kind: 'card_unavailable',
    summary,
    sentence,
    isClosed: code !== 'card_unavailable',
    canRetry: code !== 'card_closed',
  }
}

/**
 * Freezes the checkout and creates its wallet order.
 * @param seen the server's quote on the shopper's screen
 * @param expressOrder the order that was approved with an address of the payer's own, instead of a new one
 */
export async function startWalletOrder(
  api: Api,
  input: PaymentInput,
  seen: OrderSummary,
  expressOrder?: string,
): Promise<WalletAnswer> {
  try {
    const { id } = await api('POST /paypal/order', {
      body: {
        ...consentOf(input),
        amount: seen.total,
        currency: 'USD',
        intent: 'CAPTURE',
        customerInfo: { ...wireCustomer(input.form), ...(input.phone && { phone: input.phone.trim() }) },
        ...(expressOrder !== undefined && { expressOrder }),
        cartItems: wireItems(input.lines),
        shippingAddress: wireAddress(input.form.shippingAddress),
        orderSummary: amountsOf(seen),
      },
    })
    return { kind: 'ordered', id }
  } catch (error) {
    return refusalOf(error, input.variant)
  }
}

/** The pages start no payment before the shopper has agreed. */
const consentOf = ({ ageConfirmed }: PaymentInput) => ({ termsAccepted: true, ...(ageConfirmed && { ageConfirmed }) })

/** Each checkout has its own request shape (specification, section 3, Customer info). */
function customerOf({ variant, form, phone }: PaymentInput) {
  const { email, name, texts, shippingAddress, ...billing } = wireCustomer(form)
  return variant === 'main'
    ? { email, name, texts, shippingAddress, ...billing }
    : { email, name, phone: phone.trim(), texts, address: shippingAddress }
}

const amountsOf = ({ subtotal, shipping, tax, vatProtection, total }: OrderSummary) => ({
  subtotal,
  shipping,
  tax,
  vatProtection,
  total,
})

function refusalOf(error: unknown, variant: CheckoutVariant): StartRefusal {
  if (!(error instanceof ApiError)) return { kind: 'failed', failure: NOT_SENT }
  const { refusal, status } = error
  // A proxy has answered: each checkout has its own sentence for it (specification, section 8).
  if (!refusal) {
    const sentence = sentenceOf(error)
    const failure = variant === 'main' ? { title: 'Error', sentence } : withReason(SETUP_FAILED, sentence)
    return { kind: 'failed', failure }
  }
  if (refusal.code === 'bug') return { kind: 'failed', failure: SETUP_FAILED }
  const { code, message: sentence } = refusal
  if (code === 'summary_changed' && isSummary(refusal.summary))
    return { kind: 'changed', summary: refusal.summary, sentence }
  if (code === 'already_paid' || code === 'payment_held')
    return { kind: code === 'payment_held' ? 'held' : code, sentence, payment: refusal.payment }
  if (status >= 500) return { kind: 'failed', failure: withReason(SETUP_FAILED, sentence) }
  return {
    kind: 'refused',
    code,
    failure: { title: code === 'provider_refused' ? SETUP_FAILED.title : 'Error', sentence },
    fields: refusedFields(withMainFieldNames(refusal.fields)),
    recovery: recoveryOf(code),
  }
}

const withReason = ({ title, sentence }: FailureMessage, reason: string): FailureMessage => ({
  title,
  sentence: `${sayKnown(sentence)} ${reason}`,
})

/** The alternate checkout's only address uses the fields of the shipping address. */
const withMainFieldNames = (fields: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([path, sentence]) => [
      path.replace(/^customerInfo\.address\./, 'customerInfo.shippingAddress.'),
      sentence,
    ]),
  )
