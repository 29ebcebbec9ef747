import type { PaymentStatus } from '#domain/orders/status.ts'
import { cents, minus, plus, spread, sum, times, ZERO, type Cents } from '#shared/money.ts'

/** What an amount of an order is made of. `shipping` is without the surcharges, which stand apart. */
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

/** What is left of an order after what went back already. */
export const remainingParts = (whole: RefundParts, returned: readonly RefundParts[]): RefundParts =>
  mapParts((name) => minus(whole[name], sum(returned.map((parts) => parts[name]))))

/**
 * An amount in the proportions of what is left. The whole rest is thereby returned exactly as it is made up.
 * @param amount from 0 to all that is left
 */
export function partsOfAmount(rest: RefundParts, amount: Cents): RefundParts {
  const shares = spread(
    amount,
    names.map((name) => rest[name]),
  )
  return mapParts((name) => shares[names.indexOf(name)] ?? ZERO)
}

/**
 * Pieces of lines, with the tax that was charged on them: tax in the proportion of their price to all that was taxed
 * (merchandise, shipping and surcharges).
 */
export function partsOfLines(
  whole: RefundParts,
  rest: RefundParts,
  pieces: readonly { unitPrice: Cents; quantity: number }[],
): RefundParts {
  const merchandise = sum(pieces.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))
  return { ...NO_PARTS, merchandise, ...taxesOn(whole, rest, merchandise) }
}

/**
 * What sending the order cost, surcharges included, with the tax that was charged on it; what of it went back already does not
 * go back again.
 */
export const partsOfShipping = (whole: RefundParts, rest: RefundParts): RefundParts => ({
  ...NO_PARTS,
  shipping: rest.shipping,
  surcharge: rest.surcharge,
  ...taxesOn(whole, rest, plus(rest.shipping, rest.surcharge)),
})

const taxedOf = ({ merchandise, shipping, surcharge }: RefundParts): Cents => sum([merchandise, shipping, surcharge])

/**
 * The part of the taxes that fell on an amount of all that was taxed; half a cent rounded up, never more than is left. With the
 * last of what was taxed goes all that is left, so that many small parts come to the whole.
 */
function taxesOn(whole: RefundParts, rest: RefundParts, amount: Cents): Pick<RefundParts, 'tax' | 'vatProtection'> {
  const all = taxedOf(whole)
  const isLast = amount > ZERO && amount >= taxedOf(rest)
  const share = (tax: Cents): Cents => (all === ZERO ? ZERO : cents(Math.floor((2 * tax * amount + all) / (2 * all))))
  const of = (tax: Cents, left: Cents): Cents => (isLast ? left : cents(Math.min(left, share(tax))))
  return { tax: of(whole.tax, rest.tax), vatProtection: of(whole.vatProtection, rest.vatProtection) }
}

/** What was reckoned of the whole as what is left of it allows: a part of which less is left is made up of the others. */
export const fitPartsToAmount = (rest: RefundParts, parts: RefundParts): RefundParts =>
  names.every((name) => parts[name] <= rest[name]) ? parts : partsOfAmount(rest, totalOf(parts))

/** Pieces of an order's lines; positions count from 0. */
export type Pieces = readonly { position: number; quantity: number }[]

/** How many pieces of a line are among these. */
export const piecesOf = (position: number, pieces: Pieces): number =>
  pieces.reduce((count, one) => (one.position === position ? count + one.quantity : count), 0)

/** A refund's course at the provider, in our words. `requested`: not there yet. */
export type RefundStatus = 'requested' | 'pending' | 'succeeded' | 'failed'

/** inquiry: a question, no money moved. open: the bank has taken the amount for now. */
export type DisputeStatus = 'inquiry' | 'open' | 'won' | 'lost'

/** A refund as the provider has it. */
export type ProviderRefund = {
  id: string
  amount: Cents
  status: Exclude<RefundStatus, 'requested'>
  /** When the provider made it. */
  at: Date
  /** What the provider gave back of the fee that it had kept. */
  feeReturned: Cents
  /** Our own refund's number, when it was made here; null when it was made at the provider's own pages. */
  ours: number | null
}

export type ProviderDispute = {
  id: string
  amount: Cents
  status: DisputeStatus
  /** When it was opened. */
  at: Date
  /** What the provider charges for it, less what it gave back of that. */
  fee: Cents
  /** The amount left our account, be it for a while. */
  hasMoved: boolean
  /** Until when evidence is taken; null where no date is named. */
  respondBy: Date | null
}

/** All that went back, or is asked back, of one payment. */
export type Returns = { refunds: ProviderRefund[]; disputes: ProviderDispute[] }

/**
 * PayPal lists money that a dispute took among the refunds as well. Once a payment is disputed it refuses every other refund, so one
 * that nobody made here, of the disputed amount and not older than the dispute, is the same money.
 * @param isBooked whether a refund of that id stands in the book; the dispute then takes nothing more
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
 * Where the money of an order stands.
 * @param returned went back, or is on its way
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
