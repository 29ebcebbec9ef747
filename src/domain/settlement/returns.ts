import type { PaymentStatus } from '#domain/orders/status.ts'
import { cents, minus, plus, spread, sum, times, ZERO, type Cents } from '#kernel/money.ts'

/** What an amount of an order is made of. `shipping` is without the surcharges, which stand apart. */
export type Parts = {
  merchandise: Cents
  shipping: Cents
  surcharge: Cents
  tax: Cents
  vatProtection: Cents
}

const names = ['merchandise', 'shipping', 'surcharge', 'tax', 'vatProtection'] as const
export const NOTHING: Parts = { merchandise: ZERO, shipping: ZERO, surcharge: ZERO, tax: ZERO, vatProtection: ZERO }

const each = (of: (name: (typeof names)[number]) => Cents): Parts =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Parts

export const totalOf = (parts: Parts): Cents => sum(names.map((name) => parts[name]))

/** What is left of an order after what went back already. */
export const restOf = (whole: Parts, returned: readonly Parts[]): Parts =>
  each((name) => minus(whole[name], sum(returned.map((parts) => parts[name]))))

/**
 * An amount in the proportions of what is left. The whole rest is thereby returned exactly as it is made up.
 * @param amount from 0 to all that is left
 */
export function partsOfAmount(rest: Parts, amount: Cents): Parts {
  const shares = spread(
    amount,
    names.map((name) => rest[name]),
  )
  return each((name) => shares[names.indexOf(name)] ?? ZERO)
}

/**
 * Pieces of lines, with the tax that was charged on them: tax in the proportion of their price to all that was taxed
 * (merchandise, shipping and surcharges).
 */
export function partsOfLines(
  whole: Parts,
  rest: Parts,
  pieces: readonly { unitPrice: Cents; quantity: number }[],
): Parts {
  const merchandise = sum(pieces.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))
  return { ...NOTHING, merchandise, ...taxesOn(whole, rest, merchandise) }
}

/**
 * What sending the order cost, surcharges included, with the tax that was charged on it; what of it went back already does not
 * go back again.
 */
export const partsOfShipping = (whole: Parts, rest: Parts): Parts => ({
  ...NOTHING,
  shipping: rest.shipping,
  surcharge: rest.surcharge,
  ...taxesOn(whole, rest, plus(rest.shipping, rest.surcharge)),
})

const taxedOf = ({ merchandise, shipping, surcharge }: Parts): Cents => sum([merchandise, shipping, surcharge])

/**
 * The part of the taxes that fell on an amount of all that was taxed; half a cent rounded up, never more than is left. With the
 * last of what was taxed goes all that is left, so that many small parts come to the whole.
 */
function taxesOn(whole: Parts, rest: Parts, amount: Cents): Pick<Parts, 'tax' | 'vatProtection'> {
  const all = taxedOf(whole)
  const isLast = amount > ZERO && amount >= taxedOf(rest)
  const share = (tax: Cents): Cents => (all === ZERO ? ZERO : cents(Math.floor((2 * tax * amount + all) / (2 * all))))
  const of = (tax: Cents, left: Cents): Cents => (isLast ? left : cents(Math.min(left, share(tax))))
  return { tax: of(whole.tax, rest.tax), vatProtection: of(whole.vatProtection, rest.vatProtection) }
}

/** What was reckoned of the whole as what is left of it allows: a part of which less is left is made up of the others. */
export const fitted = (rest: Parts, parts: Parts): Parts =>
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
export function withoutTwins({ refunds, disputes }: Returns, isBooked: (refundId: string) => boolean): Returns {
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
