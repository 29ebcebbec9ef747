import type { CheckoutState } from './status.ts'

/** How long the emailed link of an order taken by phone can be paid; sending it again starts the time over. */
export const PHONE_ORDER_DAYS = 7

export const phoneOrderStates = ['awaiting_payment', 'held', 'paid', 'canceled', 'expired'] as const

/** `held`: PayPal reviews the payment. `paid`: it is an order like any other. */
export type PhoneOrderState = (typeof phoneOrderStates)[number]

/** The states of a checkout whose money came in. */
export const paidCheckoutStates = ['paid', 'exception'] as const satisfies readonly CheckoutState[]

/** @param checkouts the states of its checkouts: what was paid stays paid, also when the payment came after the cancellation */
export function phoneOrderState(
  { canceledAt, expiresAt }: { canceledAt: Date | null; expiresAt: Date },
  checkouts: readonly CheckoutState[],
  now: Date,
): PhoneOrderState {
  if (checkouts.some((state) => paidCheckoutStates.some((paid) => paid === state))) return 'paid'
  if (checkouts.includes('held')) return 'held'
  if (canceledAt) return 'canceled'
  return now >= expiresAt ? 'expired' : 'awaiting_payment'
}
