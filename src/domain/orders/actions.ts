import { formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { canRestart, fulfillmentCanBecome, mayBeMade, type FulfillmentStatus, type PaymentStatus } from './status.ts'

/** What determines the available actions. */
export type OrderFacts = {
  payment: PaymentStatus
  fulfillment: FulfillmentStatus
  /** Held back by the shop. */
  isHeldHere: boolean
  /** Printful's last known status; null if it does not have the order. */
  printerStatus: string | null
  /** Cents still refundable. */
  left: Cents
}

export type OrderAction = 'refund' | 'hold' | 'release' | 'cancel' | 'resubmit'

/** What Printful still cancels (its orders documentation): anything before production. */
const cancellable: ReadonlySet<string> = new Set(['draft', 'pending', 'onhold', 'failed'])

/** Whether Printful cancels an order in this status. */
export const isCancelableAtPrinter = (status: string): boolean => cancellable.has(status)

/** What can be submitted again: not started, failed or canceled. */
const resubmittable: ReadonlySet<string> = new Set(['draft', 'failed', 'canceled'])

/** null: available now. A string: why not. Both the operations and the admin's buttons use this. */
export function allowedActions(order: OrderFacts): Record<OrderAction, string | null> {
  return {
    refund: whyNotRefund(order),
    hold: whyNotHold(order),
    release: order.fulfillment === 'on_hold' && order.isHeldHere ? null : 'It is not on hold here.',
    cancel: whyNotCancel(order),
    resubmit: whyNotResubmit(order),
  }
}

function whyNotRefund({ payment, left }: OrderFacts): string | null {
  if (payment === 'no_charge') return 'Nothing was paid for it, so there is nothing to refund.'
  return left > ZERO ? null : 'Nothing is left to refund.'
}

function whyNotHold({ fulfillment, printerStatus }: OrderFacts): string | null {
  const isOurs = fulfillment === 'waiting' || fulfillment === 'needs_attention'
  return isOurs && printerStatus === null ? null : 'The printer already has it, so it can’t be put on hold here.'
}

const REASONS_AGAINST_CANCELING: Partial<Record<FulfillmentStatus, string>> = {
  in_production: 'The printer is making it, so it can’t be canceled.',
  partially_shipped: 'Part of it has shipped, so it can’t be canceled.',
  shipped: 'It has shipped, so it can’t be canceled.',
  delivered: 'It was delivered, so it can’t be canceled.',
  returned: 'It was returned, so there is nothing to cancel.',
  cancelled: 'It is already canceled.',
}

function whyNotCancel({ fulfillment, printerStatus }: OrderFacts): string | null {
  const end = REASONS_AGAINST_CANCELING[fulfillment]
  if (end) return end
  // Printful reports it before our own status changes, for example when it makes fewer pieces.
  const isGone = printerStatus !== null && printerStatus !== 'canceled' && !isCancelableAtPrinter(printerStatus)
  return isGone || !fulfillmentCanBecome(fulfillment, 'cancelled')
    ? (REASONS_AGAINST_CANCELING.in_production ?? '')
    : null
}

function whyNotResubmit({ payment, fulfillment, isHeldHere, printerStatus, left }: OrderFacts): string | null {
  if (payment !== 'no_charge' && (left <= ZERO || !mayBeMade(payment)))
    return 'The payment was refunded or is disputed.'
  if (isHeldHere) return 'It is on hold here: release it first.'
  if (fulfillment !== 'waiting' && !canRestart(fulfillment)) return 'The printer has it.'
  return printerStatus === null || resubmittable.has(printerStatus) ? null : 'The printer has it.'
}

/** Whether the shop has something to do; never once all money is refunded. */
export const needsAttention = ({ payment }: Pick<OrderFacts, 'payment'>): boolean => payment !== 'refunded'

/**
 * Explains to the owner, before confirming a refund, what happens to the goods and who pays for them.
 * @param isAll whether nothing of the order remains
 * @param cost Printful's charge; null if unknown
 */
export function explainGoodsAfterRefund(order: OrderFacts, isAll: boolean, cost: Cents | null): string {
  const { fulfillment } = order
  const ours = cost === null ? 'We still pay the printer.' : `We still pay the printer’s ${formatUsd(cost)}.`
  if (fulfillment === 'cancelled') return 'The order is canceled: nothing will be made or shipped.'
  if (fulfillment === 'returned') return `It was returned to us. ${ours}`
  if (fulfillment === 'shipped' || fulfillment === 'delivered')
    return `It has shipped, and the customer keeps it. ${ours}`
  if (fulfillment === 'partially_shipped')
    return `Part of it has shipped; the rest will still be made and shipped. ${ours}`
  if (allowedActions(order).cancel !== null)
    return `The printer is making it and can’t stop, so it will still ship. ${ours}`
  if (isAll)
    return 'We ask the printer to stop, at no cost if it does. If it has already started, the items ship at our expense.'
  return `Production doesn’t stop: everything ordered will still be made and shipped. ${ours}`
}
