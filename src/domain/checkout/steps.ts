/** The two faces of the checkout (specification, section 2): one engine, other steps. */
export type CheckoutVariant = 'main' | 'alternate'

/** Where a shopper stands (specification, section 4). */
export type Step = 'customer_info' | 'review' | 'payment' | 'paid'

/**
 * `priced`: who, where and how much are known. `started`: the shopper agrees, and there is something to pay.
 * `went_back`: to what comes before. `money_came`: nothing is left to do here.
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

/** An event that a step does not know changes nothing: after the money came, a late answer opens no form again. */
export const stepAfter = (variant: CheckoutVariant, step: Step, event: StepEvent): Step =>
  tables[variant][step][event] ?? step

/** What a shopper has already reached; an address cannot lead further. */
export type StepProgress = { priced: boolean; started: boolean }

/**
 * The step that the page's address asks for, or the last one before it that still holds: after a reload, with a pasted
 * address, or when Forward leads to a payment whose address was changed meanwhile.
 * @param requested the address's own word; anything at all may stand there
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

/** The steps of a face in their order, as the list above the page shows them. */
export const stepsOf = (variant: CheckoutVariant): readonly Step[] => stepsByVariant[variant]

const isAhead = (variant: CheckoutVariant, step: Step, requested: string | null): boolean =>
  (stepsByVariant[variant] as readonly (string | null)[]).indexOf(requested) > stepsByVariant[variant].indexOf(step)

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

const NOTHING_TAKEN_CODES: ReadonlySet<string> = new Set([
  'wallet_declined',
  'wallet_not_approved',
  'payment_not_captured',
])

/**
 * The same of a wallet order whose money the shop was asked to take. The payer has agreed: where the shop was too busy, got no answer
 * or no longer knew the session, it may yet take it by itself.
 * @param code of the shop's refusal
 */
export const hasTakenNothing = (code: string): boolean => NOTHING_TAKEN_CODES.has(code)
