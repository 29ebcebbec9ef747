import { formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { canRestart, fulfillmentCanBecome, type FulfillmentStatus, type PaymentStatus } from './status.ts'

/** What decides what can be done with an order now. */
export type OrderFacts = {
  payment: PaymentStatus
  fulfillment: FulfillmentStatus
  /** The shop itself holds it back. */
  isHeldHere: boolean
  /** The printer's last known word for it, in its own terms; null where it does not have it. */
  printerStatus: string | null
  /** What could still go back to the shopper. */
  left: Cents
}

export type OrderAction = 'refund' | 'hold' | 'release' | 'cancel' | 'resubmit'

/** What the printer still lets go (its orders documentation): before it is being made. */
const cancellable: ReadonlySet<string> = new Set(['draft', 'pending', 'onhold', 'failed'])

/** Whether the printer cancels an order that stands there so. @param status its own word */
export const printerLetsGo = (status: string): boolean => cancellable.has(status)

/** What the printer takes once more: what it has not begun, could not make, or has canceled. */
const resubmittable: ReadonlySet<string> = new Set(['draft', 'failed', 'canceled'])

/** null: it can be done now. A sentence: why it cannot. The operations and the admin's buttons both ask here. */
export function allowedActions(order: OrderFacts): Record<OrderAction, string | null> {
  return {
    refund: order.left > ZERO ? null : 'Nothing is left that could go back.',
    hold: whyNotHold(order),
    release: order.fulfillment === 'on_hold' && order.isHeldHere ? null : 'It is not held here.',
    cancel: whyNotCancel(order),
    resubmit: whyNotResubmit(order),
  }
}

function whyNotHold({ fulfillment, printerStatus }: OrderFacts): string | null {
  const isOurs = fulfillment === 'waiting' || fulfillment === 'needs_attention'
  return isOurs && printerStatus === null ? null : 'Only what the printer does not have can be held here.'
}

const UNCANCELLABLE_REASONS: Partial<Record<FulfillmentStatus, string>> = {
  in_production: 'The printer is making it, so it cannot be canceled any more.',
  partially_shipped: 'Part of it has been sent, so it cannot be canceled any more.',
  shipped: 'It has been sent, so it cannot be canceled any more.',
  delivered: 'It has arrived, so it cannot be canceled any more.',
  returned: 'It came back, so there is nothing to cancel.',
  cancelled: 'It is canceled.',
}

function whyNotCancel({ fulfillment, printerStatus }: OrderFacts): string | null {
  const end = UNCANCELLABLE_REASONS[fulfillment]
  if (end) return end
  // Told by the printer, and not yet by our own state: an order of which it makes fewer pieces, for one.
  const isGone = printerStatus !== null && printerStatus !== 'canceled' && !printerLetsGo(printerStatus)
  return isGone || !fulfillmentCanBecome(fulfillment, 'cancelled') ? (UNCANCELLABLE_REASONS.in_production ?? '') : null
}

function whyNotResubmit({ payment, fulfillment, isHeldHere, printerStatus, left }: OrderFacts): string | null {
  if (left <= ZERO || (payment !== 'paid' && payment !== 'partially_refunded'))
    return 'Its money went back, or is disputed.'
  if (isHeldHere) return 'It is held here: release it.'
  if (fulfillment !== 'waiting' && !canRestart(fulfillment)) return 'The printer has it.'
  return printerStatus === null || resubmittable.has(printerStatus) ? null : 'The printer has it.'
}

/** Whether somebody of the shop has something to do about it: with all the money back nobody has, whatever the reason was. */
export const needsAttention = ({ payment }: Pick<OrderFacts, 'payment'>): boolean => payment !== 'refunded'

/**
 * What becomes of the goods when money goes back, and who pays for them, as the owner reads it before the yes.
 * @param isAll nothing would be left of the order
 * @param cost what the printer takes for it; null while it has not said
 */
export function goodsAfterRefund(order: OrderFacts, isAll: boolean, cost: Cents | null): string {
  const { fulfillment } = order
  const ours =
    cost === null ? 'The printer’s cost stays with us.' : `The printer’s cost of ${formatUsd(cost)} stays with us.`
  if (fulfillment === 'cancelled') return 'It is canceled: nothing is made or sent.'
  if (fulfillment === 'returned') return `It came back. ${ours}`
  if (fulfillment === 'shipped' || fulfillment === 'delivered') return `It was sent, and is not asked back. ${ours}`
  if (fulfillment === 'partially_shipped') return `Part of it was sent; the rest is still made and sent. ${ours}`
  if (allowedActions(order).cancel !== null)
    return `The printer is making it and cannot stop: it is still made and sent. ${ours}`
  if (isAll)
    return 'The printer is told to stop, and takes nothing for it if it does. If it has begun by then, the goods are made and sent at our cost.'
  return `Nothing is stopped: everything that was ordered is still made and sent. ${ours}`
}
