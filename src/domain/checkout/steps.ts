/** Where a shopper stands in the main checkout (specification, section 4, Main checkout). */
export type MainStep = 'customer_info' | 'payment' | 'paid'

/** `started`: the terms are ticked and the payment exists. `edited`: back to what was typed. `money_came`: nothing is left to do here. */
export type MainEvent = 'started' | 'edited' | 'money_came'

const mainSteps: Record<MainStep, Partial<Record<MainEvent, MainStep>>> = {
  customer_info: { started: 'payment', money_came: 'paid' },
  payment: { started: 'payment', edited: 'customer_info', money_came: 'paid' },
  paid: {},
}

/** An event that a step does not know changes nothing: after the money came, a late answer opens no form again. */
export const stepAfter = (step: MainStep, event: MainEvent): MainStep => mainSteps[step][event] ?? step

/** What the page does after the provider's script answered (specification, section 4, Card payment outcomes). */
export type CardOutcome = 'paid' | 'authentication_required' | 'processing'

/** @param status the payment intent's, in the provider's words */
export function cardOutcome(status: string): CardOutcome {
  if (status === 'succeeded') return 'paid'
  return status === 'requires_action' ? 'authentication_required' : 'processing'
}

/** What a refused confirmation says of the payment itself: a second click may meet money that has already come. */
export const hasMoneyCome = (error: { payment_intent?: { status: string } | undefined }): boolean =>
  error.payment_intent?.status === 'succeeded'

/**
 * Whether a failed confirmation has certainly charged nothing. After a lost connection nobody knows: the page then must not
 * promise it.
 */
export const hasChargedNothing = (error: { type: string; payment_intent?: { status: string } | undefined }): boolean =>
  error.type === 'card_error' ||
  error.type === 'validation_error' ||
  error.payment_intent?.status === 'requires_payment_method'
