import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import type { CheckoutVariant } from '#domain/checkout/steps.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { ApiError, type Api } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { refusedFields, wireAddress, wireCustomer, type CustomerForm, type FieldName } from './customer-form.ts'
import { isSummary, wireItems } from './summary.ts'

/** A sentence that stands beside its cause, and in a toast. */
export type FailureMessage = { title: string; sentence: string }

/** What a payment is asked for: who buys what, and what they agreed to. */
export type PaymentInput = {
  variant: CheckoutVariant
  form: CustomerForm
  /** Only the alternate checkout asks for it. */
  phone: string
  lines: readonly CartLine[]
  ageConfirmed: boolean
}

/** The money came, or the wallet has it and reviews it: `payment` is the one, where the shop knows which. */
export type PaidBefore = { kind: 'already_paid' | 'held'; sentence: string; payment: PaymentKey | undefined }

/** Why no card can be used: the provider is away, or the shop has closed them (`isClosed`). `canRetry`: asking again may help. */
export type CardAbsence = { sentence: string; isClosed: boolean; canRetry: boolean }

/** Why there is no payment. */
type StartRefusal =
  /** The shopper saw other amounts than would be charged: nothing was started, these are the right ones. */
  | { kind: 'changed'; summary: OrderSummary; sentence: string }
  | PaidBefore
  | {
      kind: 'refused'
      code: string
      trouble: FailureMessage
      fields: ReadonlyMap<FieldName, string>
      cure: RecoveryStep
    }
  | { kind: 'failed'; trouble: FailureMessage }

/** Where a refusal can be mended: among the fields, in the cart, by saying one's age, with the wallet of the other checkout. */
export type RecoveryStep = 'form' | 'cart' | 'age' | 'wallet'

/** What came of asking for a card payment. */
export type PaymentAnswer =
  | { kind: 'started'; start: PaymentStart }
  /** Cards do not work just now, or were declined too often; the wallet does: these amounts hold for it. */
  | ({ kind: 'card_unavailable'; summary: OrderSummary } & CardAbsence)
  | StartRefusal

/** What came of asking for a wallet order. */
export type WalletAnswer = { kind: 'ordered'; id: string } | StartRefusal

const recoveryByCode: Readonly<Record<string, RecoveryStep>> = {
  sold_out: 'cart',
  unknown_variant: 'cart',
  unknown_product: 'cart',
  cart_empty: 'cart',
  age_unconfirmed: 'age',
}

const SETUP_FAILED: FailureMessage = { title: 'Payment Setup Failed', sentence: 'Please try again or contact support.' }
const NOT_SENT: FailureMessage = { title: 'Error', sentence: 'Failed to process your request. Please try again.' }

/**
 * Freezes the checkout and gets its card payment. An equal wish gets the same payment again, so asking twice is safe.
 * @param seen the amounts on the shopper's screen; they are compared, never charged
 * @param isWhole whether `seen` is the shop's own quote, tax and total included, or the preview before it
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
 * Tells the shop that the bank has declined a card; it asks the provider itself.
 * @returns the reason when that was one decline too many; nothing is said of a call that failed
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
 * The same for the wallet: freezes the checkout and gets its wallet order.
 * @param seen the shop's own quote on the shopper's screen
 */
export async function startWalletOrder(api: Api, input: PaymentInput, seen: OrderSummary): Promise<WalletAnswer> {
  try {
    const { id } = await api('POST /paypal/order', {
      body: {
        ...consentOf(input),
        amount: seen.total,
        currency: 'USD',
        intent: 'CAPTURE',
        customerInfo: wireCustomer(input.form),
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

/** The page does not come this far without the shopper's agreement. */
const consentOf = ({ ageConfirmed }: PaymentInput) => ({ termsAccepted: true, ...(ageConfirmed && { ageConfirmed }) })

/** The customer in the form of each face (specification, section 3, Customer info). */
function customerOf({ variant, form, phone }: PaymentInput) {
  const { email, name, shippingAddress, ...billing } = wireCustomer(form)
  return variant === 'main'
    ? { email, name, shippingAddress, ...billing }
    : { email, name, phone: phone.trim(), address: shippingAddress }
}

const amountsOf = ({ subtotal, shipping, tax, vatProtection, total }: OrderSummary) => ({
  subtotal,
  shipping,
  tax,
  vatProtection,
  total,
})

function refusalOf(error: unknown, variant: CheckoutVariant): StartRefusal {
  if (!(error instanceof ApiError)) return { kind: 'failed', trouble: NOT_SENT }
  const { refusal, status } = error
  // Something before the shop has answered: each checkout has its own words for it (specification, section 8).
  if (!refusal) {
    const sentence = sentenceOf(error)
    const trouble = variant === 'main' ? { title: 'Error', sentence } : withReason(SETUP_FAILED, sentence)
    return { kind: 'failed', trouble }
  }
  if (refusal.code === 'bug') return { kind: 'failed', trouble: SETUP_FAILED }
  const { code, message: sentence } = refusal
  if (code === 'summary_changed' && isSummary(refusal.summary))
    return { kind: 'changed', summary: refusal.summary, sentence }
  if (code === 'already_paid' || code === 'payment_held')
    return { kind: code === 'payment_held' ? 'held' : code, sentence, payment: refusal.payment }
  if (status >= 500) return { kind: 'failed', trouble: withReason(SETUP_FAILED, sentence) }
  return {
    kind: 'refused',
    code,
    trouble: { title: code === 'provider_refused' ? SETUP_FAILED.title : 'Error', sentence },
    fields: refusedFields(inMainNames(refusal.fields)),
    cure: recoveryByCode[code] ?? 'form',
  }
}

const withReason = ({ title, sentence }: FailureMessage, reason: string): FailureMessage => ({
  title,
  sentence: `${sentence} ${reason}`,
})

/** The alternate checkout's one address stands in the fields of the shipping address. */
const inMainNames = (fields: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([path, sentence]) => [
      path.replace(/^customerInfo\.address\./, 'customerInfo.shippingAddress.'),
      sentence,
    ]),
  )
