import type { WalletOrderProcessing } from '#contract/payments.ts'
import { hasTakenNothing } from '#domain/checkout/steps.ts'
import { paymentKey } from '#shared/ids.ts'
import { ApiError } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { refusal, type PaymentDetails, type PaymentTable } from './payment-outcome.ts'
import { PAYMENT_FAILED, type WalletAnswer } from './start-payment.ts'

/**
 * `in_wallet`: PayPal's own window is open. `looking_up` asks the shop whether an earlier attempt has paid: its answer was lost, or
 * the shop captured an approval itself. `capturing` and `polling` take the approved payment. `held` and `paid_before` close the
 * checkout, `paid` opens the confirmation.
 */
type WalletStep = 'ready' | 'in_wallet' | 'looking_up' | 'capturing' | 'polling' | 'paid' | 'paid_before' | 'held'

type WalletEventKind =
  | 'pressed'
  | 'canceled'
  /** PayPal's script or the order failed. */
  | 'broke'
  | 'approved'
  /** 30 seconds after the approval. */
  | 'late'
  /** PayPal has not decided after half a minute. */
  | 'undecided'
  | 'changed'
  | 'refused'
  | 'paid_before'
  /** PayPal reviews the payment. */
  | 'held'
  | 'paid'

/** `order`: the approved PayPal order. `scriptError`: the message of PayPal's script. */
type WalletDetails = PaymentDetails & { order?: string; scriptError?: string }
export type WalletEvent = { by: 'wallet'; kind: WalletEventKind } & WalletDetails
export type WalletPayment = { by: 'wallet'; step: WalletStep } & WalletDetails

const table: PaymentTable<WalletStep, WalletEventKind> = {
  ready: { pressed: 'in_wallet', approved: 'capturing', broke: 'looking_up', paid: 'paid' },
  in_wallet: { approved: 'capturing', canceled: 'ready', broke: 'looking_up' },
  looking_up: { changed: 'ready', refused: 'ready', paid_before: 'paid_before', paid: 'paid' },
  capturing: {
    ...{ late: 'capturing', undecided: 'polling', refused: 'ready' },
    ...{ paid_before: 'paid_before', held: 'held', paid: 'paid' },
  },
  polling: { refused: 'ready', paid_before: 'paid_before', held: 'held', paid: 'paid' },
  held: {},
  paid_before: {},
  paid: {},
}

export const WALLET_READY: WalletPayment = { by: 'wallet', step: 'ready' }

export function walletPayment(payment: WalletPayment, { kind, ...details }: WalletEvent): WalletPayment {
  const step = table[payment.step][kind]
  if (step === undefined) return payment
  return { ...(payment.order !== undefined && { order: payment.order }), ...details, step }
}

/** Specification, section 8, Wallet payment. */
const ON_HOLD =
  'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared.' satisfies Word
const CHECK_ADDRESS = 'Please verify your shipping address and try again.' satisfies Word
const failed = (message: string) => say('Payment processing failed: {message}', { message })

const happened = (kind: WalletEventKind, details: WalletDetails = {}): WalletEvent => ({
  by: 'wallet',
  kind,
  ...details,
})
const refused = (sentence: string, more?: Parameters<typeof refusal>[1]): WalletEvent =>
  happened('refused', refusal({ title: PAYMENT_FAILED, sentence }, more))

export const walletPressed = happened('pressed')
export const walletCanceled = happened('canceled', { outcome: { kind: 'canceled' } })
export const walletBroke = ({ message }: Error): WalletEvent => happened('broke', { scriptError: message })
export const walletApproved = (order: string): WalletEvent => happened('approved', { order })
export const walletLate = (order: string): WalletEvent =>
  happened('late', { outcome: { kind: 'late', payment: paymentKey('paypal', order) } })
export const walletUndecided = happened('undecided', {
  outcome: {
    kind: 'undecided',
    failure: {
      title: 'Payment Processing',
      sentence: 'PayPal is still working on this payment. You do not need to pay again.',
    } as const satisfies Record<string, Word>,
  },
})
export const walletScriptFailed = (message: string): WalletEvent => refused(failed(message))

export type OrderRefusal = Exclude<WalletAnswer, { kind: 'ordered' }>

/** Why the shop made no PayPal order. */
export function walletOrderRefused(answer: OrderRefusal): WalletEvent {
  switch (answer.kind) {
    case 'changed':
      return happened('changed', { outcome: { kind: 'changed', sentence: answer.sentence } })
    case 'already_paid':
    case 'held':
      return happened('paid_before', { outcome: answer })
    case 'failed':
      return refused(failed(answer.failure.sentence))
    case 'refused':
      return answer.code === 'wallet_address'
        ? refused(answer.failure.sentence, { alert: CHECK_ADDRESS })
        : refused(failed(answer.failure.sentence), { recovery: answer.recovery })
  }
}

/** The confirmation page finds the missing numbers out. */
export const walletPaid = (
  order: string,
  { orderNumber, printfulOrderId }: Partial<WalletOrderProcessing> = {},
): WalletEvent =>
  happened('paid', { confirmation: { paymentMethod: 'paypal', orderNumber, paypal_order_id: order, printfulOrderId } })

/** The shop has decided about an approved order. */
export function walletProcessed(order: string, processed: WalletOrderProcessing): WalletEvent {
  const { success, status, type = '', details = '', error } = processed
  if (status === 'PENDING_REVIEW')
    return happened('held', { outcome: { kind: 'held', sentence: ON_HOLD, payment: paymentKey('paypal', order) } })
  if (success) return walletPaid(order, processed)
  return /address/i.test(type)
    ? refused(say('Address validation error: {details}', { details }), { alert: CHECK_ADDRESS })
    : refused(failed(error ?? details), { isCharged: 'unknown' })
}

/** The capture or its processing was refused, or its answer was lost. */
export function walletNotCaptured(error: unknown): WalletEvent {
  if (!(error instanceof ApiError) || !error.refusal)
    return refused(failed(sentenceOf(error)), { isCharged: 'unknown' })
  const { code, message, payment } = error.refusal
  if (code === 'wallet_address') return refused(message, { alert: CHECK_ADDRESS })
  if (code === 'already_paid' || code === 'payment_held')
    return happened('paid_before', {
      outcome: { kind: code === 'payment_held' ? 'held' : code, sentence: message, payment },
    })
  return refused(failed(message), { isCharged: hasTakenNothing(code) ? 'no' : 'unknown' })
}
