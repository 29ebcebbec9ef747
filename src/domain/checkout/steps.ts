/** The two checkouts (specification, section 2): one engine, different steps. */
export type CheckoutVariant = 'main' | 'alternate'

/** The shopper's current step (specification, section 4). */
export type Step = 'customer_info' | 'review' | 'payment' | 'paid'

/**
 * `priced`: buyer, address and total are known. `started`: the shopper agreed and a payment exists. `went_back`: to
 * the previous step. `money_came`: the payment succeeded.
 */
export type StepEvent = 'priced' | 'started' | 'went_back' | 'money_came'

type Table = Record<Step, Partial<Record<StepEvent, Step>>>

const tables: Record<CheckoutVariant, Table> = {
  main: {
    customer_info: { started: 'payment', money_came: 'paid' },
    review: {},
    payment: { started: 'payment', went_back: 'customer_info', money_came: 'paid' },
    paid: {},
  },
  alternate: {
    customer_info: { priced: 'review', money_came: 'paid' },
    review: { priced: 'review', started: 'payment', went_back: 'customer_info', money_came: 'paid' },
    payment: { started: 'payment', went_back: 'review', money_came: 'paid' },
    paid: {},
  },
}

/** Ignores events a step does not expect: a late answer never reopens the form after payment. */
export const stepAfter = (variant: CheckoutVariant, step: Step, event: StepEvent): Step =>
  tables[variant][step][event] ?? step

/** How far the shopper has come; a URL cannot skip ahead. */
export type StepProgress = { priced: boolean; started: boolean }

/**
 * The step in the page's URL, or the last valid one before it: after a reload, with a pasted URL, or going Forward to
 * a payment whose address has changed.
 * @param requested from the URL; may be anything
 */
export function reachableStep(variant: CheckoutVariant, requested: string | null, earned: StepProgress): Step {
  let step: Step = 'customer_info'
  for (const event of ['priced', 'started'] as const) {
    if (!isAhead(variant, step, requested)) return step
    if (earned[event]) step = stepAfter(variant, step, event)
  }
  return step
}

const stepsByVariant: Record<CheckoutVariant, readonly Step[]> = {
  main: ['customer_info', 'payment'],
  alternate: ['customer_info', 'review', 'payment'],
}

/** A checkout's steps in order, as shown above the form. */
export const stepsOf = (variant: CheckoutVariant): readonly Step[] => stepsByVariant[variant]

const isAhead = (variant: CheckoutVariant, step: Step, requested: string | null): boolean =>
  stepsByVariant[variant].findIndex((known) => known === requested) > stepsByVariant[variant].indexOf(step)

/** What the page does after Stripe's script returns (specification, section 4, Card payment outcomes). */
export type CardOutcome = 'paid' | 'authentication_required' | 'processing'

/** @param status of the payment intent */
export function cardOutcome(status: string): CardOutcome {
  if (status === 'succeeded') return 'paid'
  return status === 'requires_action' ? 'authentication_required' : 'processing'
}

/** Whether a refused confirmation reports a payment that has already succeeded, as after a double click. */
export const hasMoneyCome = (error: { payment_intent?: { status: string } | undefined }): boolean =>
  error.payment_intent?.status === 'succeeded'

/**
 * Whether a failed confirmation has certainly charged nothing. After a lost connection it is unknown, and the page
 * must not promise it.
 */
export const hasChargedNothing = (error: { type: string; payment_intent?: { status: string } | undefined }): boolean =>
  error.type === 'card_error' ||
  error.type === 'validation_error' ||
  error.payment_intent?.status === 'requires_payment_method'

const NOTHING_TAKEN_CODES: ReadonlySet<string> = new Set([
  'wallet_declined',
  'wallet_not_approved',
  'payment_not_captured',
])

/**
 * Whether a failed capture has certainly charged nothing. If the shop was overloaded, got no answer or lost the
 * session, it may still capture later.
 * @param code of the shop's refusal
 */
export const hasTakenNothing = (code: string): boolean => NOTHING_TAKEN_CODES.has(code)
