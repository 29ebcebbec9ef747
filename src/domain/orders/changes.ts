import type { FulfillmentStatus, PaymentStatus } from './status.ts'

/** What a shopper or the owner changed of a paid order; `made_now`: gave up the time for changes. */
export const changeKinds = ['canceled', 'made_now', 'lines', 'address', 'email', 'phone'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** `awaiting_payment`: counts once its difference is paid; `lapsed`: it was not. */
export const changeStates = ['done', 'awaiting_payment', 'lapsed'] as const
export type ChangeState = (typeof changeStates)[number]

export type ChangeableOrder = {
  fulfillment: FulfillmentStatus
  payment: PaymentStatus
  isErased: boolean
  /** The end of the time for changes. */
  until: Date
}

/** Why a shopper can't change or cancel an order now. */
export const changeObjections = ['over', 'disputed', 'closed'] as const
export type ChangeObjection = (typeof changeObjections)[number]

const OPEN_STATUSES: ReadonlySet<FulfillmentStatus> = new Set(['waiting', 'on_hold', 'needs_attention'])

/** Whether a shopper can still change or cancel a paid order, which goes to the printer only after `until`. */
export function objectionToChange(order: ChangeableOrder, now: Date): ChangeObjection | null {
  const { fulfillment, payment, isErased, until } = order
  if (fulfillment === 'cancelled' || payment === 'refunded' || isErased) return 'closed'
  if (until <= now || !OPEN_STATUSES.has(fulfillment)) return 'over'
  return payment === 'disputed' ? 'disputed' : null
}
