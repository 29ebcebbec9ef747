import type { PaymentIntentResult, StripeError } from '@stripe/stripe-js'
import { cardOutcome, hasChargedNothing, hasMoneyCome } from '#domain/checkout/steps.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { refusal, type PaymentDetails, type PaymentTable } from './payment-outcome.ts'
import { PAYMENT_FAILED, type FailureMessage, type PaymentAnswer } from './start-payment.ts'

/**
 * `retrying` and `checking` ask the shop whether its payment is still the one on the screen; `checking` then has Stripe check the
 * form. `contacting_bank` has Stripe confirm. `paid` opens the confirmation, `paid_before` the other payment's page.
 */
type CardStep = 'ready' | 'retrying' | 'checking' | 'contacting_bank' | 'paid' | 'paid_before' | 'undecided'

type CardEventKind =
  /** Pay, Apple Pay or Google Pay. */
  | 'pressed'
  /** The same before Stripe's form has loaded. */
  | 'not_ready'
  /** The button shown while cards do not work. */
  | 'retried'
  /** The shop still has this payment. */
  | 'offered'
  /** It has another one: Stripe's form is loaded again. */
  | 'renewed'
  /** Cards do not work now, or were declined too often: the form disappears. */
  | 'unavailable'
  | 'changed'
  | 'paid_before'
  /** By the shop, the form or the bank, or a script or the connection broke. */
  | 'refused'
  | 'processing'
  | 'paid'

export type CardEvent = { by: 'card'; kind: CardEventKind } & PaymentDetails
export type CardPayment = { by: 'card'; step: CardStep } & PaymentDetails

/** After a broken script a late answer may still say that the payment succeeded. */
const table: PaymentTable<CardStep, CardEventKind> = {
  ready: {
    ...{ pressed: 'checking', not_ready: 'ready', retried: 'retrying' },
    ...{ refused: 'ready', processing: 'undecided', paid: 'paid' },
  },
  retrying: {
    ...{ offered: 'ready', unavailable: 'ready', changed: 'ready', refused: 'ready' },
    ...{ paid_before: 'paid_before', paid: 'paid' },
  },
  checking: {
    ...{ offered: 'contacting_bank', renewed: 'ready', unavailable: 'ready', changed: 'ready', refused: 'ready' },
    ...{ paid_before: 'paid_before', processing: 'undecided', paid: 'paid' },
  },
  contacting_bank: { refused: 'ready', unavailable: 'ready', processing: 'undecided', paid: 'paid' },
  undecided: {},
  paid_before: {},
  paid: {},
}

export const CARD_READY: CardPayment = { by: 'card', step: 'ready' }

export function cardPayment(payment: CardPayment, { kind, ...details }: CardEvent): CardPayment {
  const step = table[payment.step][kind]
  return step === undefined ? payment : { ...details, step }
}

const NOT_READY = 'Payment system is not ready. Please refresh and try again.' satisfies Word
const INCOMPLETE = 'Please complete all payment fields.' satisfies Word
const UNEXPECTED = 'An unexpected error occurred. Please try again.' satisfies Word

const happened = (kind: CardEventKind, details: PaymentDetails = {}): CardEvent => ({ by: 'card', kind, ...details })
const refused = (...[failure, more]: Parameters<typeof refusal>): CardEvent =>
  happened('refused', refusal(failure, more))
const error = (sentence: string): FailureMessage => ({ title: 'Payment Error', sentence })

export const cardPressed = happened('pressed')
export const cardRetried = happened('retried')
export const cardNotReady = happened('not_ready', refusal(error(NOT_READY)))
/** The connection or a script broke. */
export const cardBroken = (failure: FailureMessage = error(UNEXPECTED)): CardEvent =>
  refused(failure, { isCharged: 'unknown' })
export const cardIncomplete = (stripes: Pick<StripeError, 'message'>): CardEvent =>
  refused(error(INCOMPLETE), { beside: stripes.message ?? INCOMPLETE })

/** @param isCurrent whether Stripe's form on the screen is of the payment that the shop names */
export function cardAnswered(answer: PaymentAnswer, isCurrent: (clientSecret: string) => boolean): CardEvent {
  switch (answer.kind) {
    case 'started':
      if (isCurrent(answer.start.client_secret)) return happened('offered')
      // The form is remounted, so only a toast can explain it.
      return happened('renewed', {
        toast: {
          title: say('Payment form refreshed'),
          description: say('Nothing was charged. Please enter your card again.'),
        },
      })
    case 'changed':
      return happened('changed', { outcome: { kind: 'changed', sentence: answer.sentence } })
    case 'already_paid':
    case 'held':
      return happened('paid_before', { outcome: answer })
    case 'card_unavailable':
      return happened('unavailable')
    case 'refused':
      return refused(answer.failure, { recovery: answer.recovery })
    case 'failed':
      return refused(answer.failure)
  }
}

/** What Stripe has said of a confirmation (specification, section 4, Card payment outcomes). */
export function cardConfirmed({ paymentIntent, error }: PaymentIntentResult): CardEvent {
  if (error)
    return hasMoneyCome(error)
      ? cardPaid(error.payment_intent?.id)
      : refused(failureOf(error), { isCharged: hasChargedNothing(error) ? 'no' : 'unknown' })
  switch (cardOutcome(paymentIntent.status)) {
    case 'paid':
      return cardPaid(paymentIntent.id)
    case 'authentication_required': {
      const failure = {
        title: say('Additional Authentication Required'),
        sentence: say('Please complete the additional authentication step.'),
      }
      const { outcome } = refusal(failure)
      return happened('refused', { ...(outcome && { outcome }), toast: toastOf(failure) })
    }
    case 'processing': {
      const failure = {
        title: say('Payment Processing'),
        sentence: say('Your bank is still processing this payment. You do not need to pay again.'),
      }
      return happened('processing', { outcome: { kind: 'undecided', failure }, toast: toastOf(failure) })
    }
  }
}

/** The bank has declined, and the shop now refuses cards: the page shows why, and a toast shows the bank's reason. */
export const cardsClosed = (stripes: StripeError): CardEvent =>
  happened('unavailable', { toast: { ...toastOf(failureOf(stripes)), destructive: true } })

const cardPaid = (payment_intent: string | undefined): CardEvent =>
  happened('paid', { confirmation: { payment_intent } })

const toastOf = ({ title, sentence }: FailureMessage) => ({ title, description: sentence })

const failureOf = ({ message, type }: StripeError): FailureMessage => ({
  title: type === 'validation_error' ? 'Payment Error' : PAYMENT_FAILED,
  sentence: message ?? (type === 'validation_error' ? INCOMPLETE : UNEXPECTED),
})
