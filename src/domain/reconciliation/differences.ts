import type { PostingKind } from '#domain/ledger/ledger.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'
import type { RefundStatus } from '#domain/payments/returns.ts'
import type { OrderId, OrderNumber, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import { cents, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Movement } from './movements.ts'

/** How the books of provider, shop and Printful can differ. */
export const differenceKinds = [
  'missing_order',
  'double_capture',
  'missing_payment',
  'amount',
  'currency',
  'fee',
  'missing_refund',
  'refund_unknown',
  'dispute_unknown',
  'payout',
  'adjustment',
  'partner_order_without_ours',
  'order_without_partner',
  'partner_cost',
  'partner_credit_not_passed_on',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export type Difference = {
  kind: DifferenceKind
  /**
   * `payment:stripe:pi_1`, `payout:stripe:po_1`, `line:paypal:9X`, `order:12` or `partner_order:77`: where a repair
   * starts.
   */
  about: string
  orderId: OrderId | null
  /** The value in the other book, and in ours. */
  theirs: Cents
  ours: Cents
  /** The money at stake; never negative. */
  amount: Cents
}

const CURRENCY = 'usd'
const difference = (
  kind: DifferenceKind,
  about: string,
  [theirs, ours]: readonly [Cents, Cents],
  orderId: OrderId | null,
  amount = cents(Math.abs(minus(theirs, ours))),
): Difference => ({ kind, about, orderId, theirs, ours, amount })

// ---- payments

/** Our book's entries for a payment, one line per posting. */
export type Booking = {
  kind: PostingKind
  /** On the provider's account. */
  amount: Cents
  /** On the fee accounts. */
  fee: Cents
}

/** One payment in the provider's book and in ours. */
export type PaymentInBothBooks = {
  key: PaymentKey
  movements: readonly Movement[]
  bookings: readonly Booking[]
  /** Null: unknown to the shop. */
  payment: { orderId: OrderId | null; isException: boolean } | null
  refunds: readonly { providerRefundId: string | null; amount: Cents; status: RefundStatus; isBooked: boolean }[]
  /** The checkout it names was paid by another payment. */
  isSecond: boolean
}

const movementsOfKind = (movements: readonly Movement[], kind: Movement['kind']) =>
  movements.filter((one) => one.kind === kind && one.currency === CURRENCY)
const amountOf = (movements: readonly Movement[]): Cents => sum(movements.map(({ amount }) => amount))

/** Made by another program with the same account; not in our book, and should not be. */
const isForeign = ({ movements, payment }: Pick<PaymentInBothBooks, 'movements' | 'payment'>): boolean =>
  payment === null && !movements.some(({ kind, checkoutId }) => kind === 'charge' && checkoutId !== null)

/** Differences about a payment; a cause is reported once, its consequences not at all. */
export function differencesOfPayment(sides: PaymentInBothBooks): Difference[] {
  const { key, movements, payment } = sides
  if (isForeign(sides)) return []
  const about = `payment:${key}`
  const charges = movements.filter(({ kind }) => kind === 'charge')
  if (payment === null) {
    const taken = amountOf(charges)
    // A payment refunded before we learned about it needs no order.
    if (taken <= ZERO || plus(taken, amountOf(movements.filter(({ kind }) => kind === 'refund'))) <= ZERO) return []
    return [difference(sides.isSecond ? 'double_capture' : 'missing_order', about, [taken, ZERO], null)]
  }
  const { orderId, isException } = payment
  const isOtherCurrency = charges.some(({ currency }) => currency !== CURRENCY)
  if (charges.length === 0 || isOtherCurrency) {
    // Money in another currency without an order is already waiting for the owner.
    if (isOtherCurrency && isException) return []
    const whole = [heldBy(movements), sum(sides.bookings.map(({ amount }) => amount))] as const
    const kind = isOtherCurrency ? 'currency' : 'missing_payment'
    return whole[0] === whole[1] ? [] : [difference(kind, about, whole, orderId)]
  }
  const taken = amountOf(movementsOfKind(movements, 'charge'))
  const sold = bookedAs(sides, ['sale', 'gift_card', 'exception', 'correction'])
  const returns = differencesOfReturns(sides, orderId)
  return [
    ...(taken === sold ? [] : [difference('amount', about, [taken, sold], orderId)]),
    ...returns,
    // A refund we missed comes with its fees.
    ...(returns.length > 0 ? [] : differencesOfFee(sides, orderId)),
  ]
}

/** The provider's total for us, in our currency. */
const heldBy = (movements: readonly Movement[]): Cents =>
  sum(movements.filter(({ currency }) => currency === CURRENCY).map(({ amount, fee }) => minus(amount, fee)))

const bookedAs = ({ bookings }: PaymentInBothBooks, kinds: readonly PostingKind[]): Cents =>
  sum(bookings.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount))

function differencesOfReturns(sides: PaymentInBothBooks, orderId: OrderId | null): Difference[] {
  const about = `payment:${sides.key}`
  const refunds = movementsOfKind(sides.movements, 'refund')
  const asked = [
    amountOf(movementsOfKind(sides.movements, 'dispute')),
    // A dispute is booked with its fee; its amount is the rest.
    sum(sides.bookings.filter(({ kind }) => kind === 'dispute').map(({ amount, fee }) => plus(amount, fee))),
  ] as const
  const waiting = sum(sides.refunds.filter(isUnderWay(refunds)).map(({ amount }) => amount))
  const returned = [amountOf(refunds), plus(bookedAs(sides, ['refund']), waiting)] as const
  const gap = minus(returned[0], returned[1])
  const askedGap = minus(asked[0], asked[1])
  // A provider may report disputed money as a refund: it is booked once, under either name.
  if (plus(gap, askedGap) === ZERO && (gap !== ZERO || askedGap !== ZERO)) return []

  const known = new Set(refunds.map(({ sourceId }) => sourceId))
  const unknown = sides.refunds.filter(
    ({ providerRefundId, isBooked, status }) => isBooked && status !== 'pending' && !known.has(providerRefundId),
  )
  const invented = negate(sum(unknown.map(({ amount }) => amount)))
  const found: Difference[] = []
  if (gap !== ZERO && unknown.length > 0) found.push(difference('refund_unknown', about, [ZERO, invented], orderId))
  // The rest, apart from our refunds that do not exist there, was made or has failed without our knowledge.
  const unheard = unknown.length > 0 ? plus(gap, invented) : gap
  if (unheard !== ZERO)
    found.push(difference('missing_refund', about, [returned[0], minus(returned[0], unheard)], orderId))
  if (askedGap !== ZERO) found.push(difference('dispute_unknown', about, asked, orderId))
  return found
}

/** Decided and booked, but not completed at the provider yet: it will report it. */
const isUnderWay =
  (movements: readonly Movement[]) =>
  ({ providerRefundId, status, isBooked }: PaymentInBothBooks['refunds'][number]): boolean =>
    status === 'pending' && isBooked && !movements.some(({ sourceId }) => sourceId === providerRefundId)

function differencesOfFee({ key, movements, bookings }: PaymentInBothBooks, orderId: OrderId | null): Difference[] {
  const kept = sum(movements.filter(({ currency }) => currency === CURRENCY).map(({ fee }) => fee))
  const booked = sum(bookings.map(({ fee }) => fee))
  return kept === booked ? [] : [difference('fee', `payment:${key}`, [kept, booked], orderId)]
}

/**
 * Differences about money that belongs to no payment.
 * @param booked on the provider's account, for this payout or this line
 */
export function differencesOfLine(
  { provider, id, kind, sourceId, amount, fee, currency }: Movement,
  booked: Cents,
): Difference[] {
  const theirs = minus(amount, fee)
  if (currency !== CURRENCY || theirs === booked) return []
  return kind === 'payout'
    ? [difference('payout', payoutName(provider, sourceId ?? id), [theirs, booked], null)]
    : [difference('adjustment', `line:${provider}:${id}`, [theirs, booked], null)]
}

export const payoutName = (provider: PaymentProvider, id: string): string => `payout:${provider}:${id}`

// ---- the print partner

export type PrinterOrderRow = {
  id: number
  externalId: string | null
  /** As Printful spells it. */
  status: string
  /** As computed by `chargeOf`: nothing if canceled before anything shipped. */
  cost: Cents | null
}

/** Our order and its Printful orders: a resubmission creates a second one. */
export type OrderInBothBooks = {
  order: {
    id: OrderId
    orderNumber: OrderNumber
    externalId: string
    fulfillmentStatus: FulfillmentStatus
    paymentStatus: PaymentStatus
    /** Printful has accepted it at least once; an order held by the owner before that is not there. */
    isTaken: boolean
    /** Its money, minus refunds. */
    unreturned: Cents
  }
  partnerOrders: readonly PrinterOrderRow[]
  /** Printful's charges in our book, minus credits. */
  bookedCost: Cents
}

/** Printful's charge for an order; undefined while unknown. */
export function printerChargeOf({ status, cost }: Pick<PrinterOrderRow, 'status' | 'cost'>): Cents | undefined {
  if (status === 'draft') return ZERO
  // Whether a failed order is charged depends on why it failed.
  if (status === 'failed' || cost === null) return undefined
  return cost
}

export function differencesOfOrder({ order, partnerOrders, bookedCost }: OrderInBothBooks): Difference[] {
  const { id, fulfillmentStatus } = order
  const about = `order:${id}`
  const current = partnerOrders.find(({ externalId }) => externalId === order.externalId)
  const found: Difference[] = []
  if (!current && order.isTaken && isWithPrinter(fulfillmentStatus))
    return [difference('order_without_partner', about, [ZERO, order.unreturned], id)]

  const isOver = fulfillmentStatus === 'cancelled' || fulfillmentStatus === 'needs_attention'
  const keepsMoney = order.unreturned > ZERO && order.paymentStatus !== 'disputed'
  if (current?.status === 'canceled' && isOver && keepsMoney)
    found.push(difference('partner_credit_not_passed_on', about, [ZERO, order.unreturned], id))

  const taken = partnerOrders.map(printerChargeOf)
  if (taken.some((one) => one === undefined)) return found
  const theirs = sum(taken.flatMap((one) => one ?? []))
  return theirs === bookedCost ? found : [...found, difference('partner_cost', about, [theirs, bookedCost], id)]
}

const isWithPrinter = (status: FulfillmentStatus): boolean =>
  status !== 'waiting' && status !== 'cancelled' && status !== 'needs_attention'

/** A Printful order without an order in the shop. @param bookedCost booked for it since */
export function differencesOfStray(stray: PrinterOrderRow, bookedCost: Cents): Difference[] {
  const taken = printerChargeOf(stray)
  if (taken === undefined || taken === bookedCost) return []
  return [difference('partner_order_without_ours', `partner_order:${stray.id}`, [taken, bookedCost], null)]
}
