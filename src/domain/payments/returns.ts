import type { PaymentStatus } from '#domain/orders/status.ts'
import { cents, minus, plus, spread, sum, times, ZERO, type Cents } from '#shared/money.ts'

/** The components of an order's amount. `shipping` excludes surcharges. */
export type RefundParts = {
  merchandise: Cents
  shipping: Cents
  surcharge: Cents
  tax: Cents
  vatProtection: Cents
}

const names = ['merchandise', 'shipping', 'surcharge', 'tax', 'vatProtection'] as const
export const NO_PARTS: RefundParts = {
  merchandise: ZERO,
  shipping: ZERO,
  surcharge: ZERO,
  tax: ZERO,
  vatProtection: ZERO,
}

const mapParts = (of: (name: (typeof names)[number]) => Cents): RefundParts =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as RefundParts

export const totalOf = (parts: RefundParts): Cents => sum(names.map((name) => parts[name]))

/** What remains of an order after earlier returns. */
export const remainingParts = (whole: RefundParts, returned: readonly RefundParts[]): RefundParts =>
  mapParts((name) => minus(whole[name], sum(returned.map((parts) => parts[name]))))

/**
 * Splits an amount in proportion to what remains. The whole remainder splits exactly.
 * @param amount from 0 to all that remains
 */
export function partsOfAmount(rest: RefundParts, amount: Cents): RefundParts {
  const shares = spread(
    amount,
    names.map((name) => rest[name]),
  )
  return mapParts((name) => shares[names.indexOf(name)] ?? ZERO)
}

/**
 * Splits a refund over what is left of each source of its money, in their order.
 * @returns a share for each source; less in all than `parts` if the sources do not have it
 */
export function splitOver(parts: RefundParts, lefts: readonly Cents[]): RefundParts[] {
  let rest = parts
  return lefts.map((left) => {
    const amount = cents(Math.max(0, Math.min(left, totalOf(rest))))
    const share = amount === ZERO ? NO_PARTS : partsOfAmount(rest, amount)
    rest = remainingParts(rest, [share])
    return share
  })
}

/**
 * Pieces of lines with their tax, in proportion to their price of everything taxed (merchandise, shipping and
 * surcharges).
 */
export function partsOfLines(
  whole: RefundParts,
  rest: RefundParts,
  pieces: readonly { unitPrice: Cents; quantity: number }[],
): RefundParts {
  const merchandise = sum(pieces.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))
  return { ...NO_PARTS, merchandise, ...taxesOn(whole, rest, merchandise) }
}

/** The order's shipping, with surcharges and their tax; without what was already returned. */
export const partsOfShipping = (whole: RefundParts, rest: RefundParts): RefundParts => ({
  ...NO_PARTS,
  shipping: rest.shipping,
  surcharge: rest.surcharge,
  ...taxesOn(whole, rest, plus(rest.shipping, rest.surcharge)),
})

const taxedOf = ({ merchandise, shipping, surcharge }: RefundParts): Cents => sum([merchandise, shipping, surcharge])

/**
 * The part of the tax on an amount; half a cent rounded up, never more than remains. The last of the taxed amount gets
 * all remaining tax, so small parts add up to the whole.
 */
function taxesOn(whole: RefundParts, rest: RefundParts, amount: Cents): Pick<RefundParts, 'tax' | 'vatProtection'> {
  const all = taxedOf(whole)
  const isLast = amount > ZERO && amount >= taxedOf(rest)
  const share = (tax: Cents): Cents => (all === ZERO ? ZERO : cents(Math.floor((2 * tax * amount + all) / (2 * all))))
  const of = (tax: Cents, left: Cents): Cents => (isLast ? left : cents(Math.min(left, share(tax))))
  return { tax: of(whole.tax, rest.tax), vatProtection: of(whole.vatProtection, rest.vatProtection) }
}

/** Limits computed parts to what remains; the other parts cover a shortfall. */
export const fitPartsToAmount = (rest: RefundParts, parts: RefundParts): RefundParts =>
  names.every((name) => parts[name] <= rest[name]) ? parts : partsOfAmount(rest, totalOf(parts))

/** Pieces of an order's lines; positions start at 0. */
export type Pieces = readonly { position: number; quantity: number }[]

/** How many of these pieces belong to a line. */
export const piecesOf = (position: number, pieces: Pieces): number =>
  pieces.reduce((count, one) => (one.position === position ? count + one.quantity : count), 0)

/** A refund's state at the provider. `requested`: not there yet. */
export type RefundStatus = 'requested' | 'pending' | 'succeeded' | 'failed'

/** inquiry: no money moved. open: the bank has withdrawn the amount for now. */
export type DisputeStatus = 'inquiry' | 'open' | 'won' | 'lost'

export type ProviderRefund = {
  id: string
  amount: Cents
  status: Exclude<RefundStatus, 'requested'>
  /** When the provider made it. */
  at: Date
  /** The part of its fee that the provider returned. */
  feeReturned: Cents
  /** Our own refund's number; null if it was made in the provider's dashboard. */
  ours: number | null
}

export type ProviderDispute = {
  id: string
  amount: Cents
  status: DisputeStatus
  /** When it was opened. */
  at: Date
  /** The provider's fee, minus what it returned. */
  fee: Cents
  /** Whether the amount left our account, even temporarily. */
  hasMoved: boolean
  /** Deadline for evidence; null without one. */
  respondBy: Date | null
  /** The provider's word for why, such as `product_not_received`. */
  reason: string | null
}

export type Returns = { refunds: ProviderRefund[]; disputes: ProviderDispute[] }

/**
 * PayPal also lists disputed money as a refund. A disputed payment takes no other refund, so a refund not made here,
 * of the disputed amount and not older than the dispute, is the same money.
 * @param isBooked whether a refund with that id is booked; the dispute then takes nothing more
 */
export function withoutDisputeDuplicates(
  { refunds, disputes }: Returns,
  isBooked: (refundId: string) => boolean,
): Returns {
  const twins = new Map<ProviderDispute, ProviderRefund>()
  for (const dispute of disputes.filter(({ hasMoved, status }) => hasMoved && status !== 'won')) {
    const taken = new Set(twins.values())
    const twin = refunds.find(
      (one) =>
        one.ours === null &&
        one.status !== 'failed' &&
        one.amount === dispute.amount &&
        one.at >= dispute.at &&
        !taken.has(one),
    )
    if (twin) twins.set(dispute, twin)
  }
  const dropped = new Set([...twins.values()].filter(({ id }) => !isBooked(id)))
  return {
    refunds: refunds.filter((one) => !dropped.has(one)),
    disputes: disputes.map((dispute) => {
      const twin = twins.get(dispute)
      return twin && !dropped.has(twin) ? { ...dispute, amount: ZERO, hasMoved: false } : dispute
    }),
  }
}

/**
 * An order's payment status.
 * @param returned refunded or being refunded
 * @param disputes of the order
 */
export function paymentStatusFor(
  total: Cents,
  returned: Cents,
  disputes: readonly { amount: Cents; status: DisputeStatus }[],
): PaymentStatus {
  if (disputes.some(({ status }) => status === 'open')) return 'disputed'
  const lost = sum(disputes.filter(({ status }) => status === 'lost').map(({ amount }) => amount))
  const gone = plus(returned, lost)
  if (gone === ZERO) return 'paid'
  return gone >= total ? 'refunded' : 'partially_refunded'
}
