import { piecesOf, type Pieces } from '#domain/payments/returns.ts'
import { cents, minus, share, spread, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'

/** Why what a line earns its partner has changed. */
export const commissionKinds = ['sale', 'refund', 'refund_failed', 'dispute', 'dispute_won', 'own_purchase'] as const
export type CommissionKind = (typeof commissionKinds)[number]

/** A line of an order that a partner brought. Prices are after discounts, without tax and shipping. */
export type CommissionLine = {
  position: number
  unitPrice: Cents
  quantity: number
  /** As it was when the order was paid. */
  basisPoints: number
}

/** What of an order's goods went back, by refund or by dispute: for pieces, or as an amount. */
export type ReturnedGoods = { merchandise: Cents; pieces: Pieces | null }

/** What was booked for a line, all entries together. */
export type BookedLine = { position: number; base: Cents; amount: Cents }

const goodsOf = ({ unitPrice, quantity }: CommissionLine): Cents => times(unitPrice, quantity)

/**
 * What is left of each line's goods. What went back for pieces is taken from their lines; everything else in the
 * proportions of what is then left, to the cent, largest remainders first. The order in which it went back does not matter.
 * @returns in the order of `lines`; together the goods less what went back
 */
export function remainingOfLines(lines: readonly CommissionLine[], gone: readonly ReturnedGoods[]): Cents[] {
  const forPieces: Pieces[number][] = []
  let amount: Cents = ZERO
  for (const one of gone) {
    const isForPieces = one.pieces !== null && fitPieces(lines, [...forPieces, ...one.pieces], one)
    if (isForPieces) forPieces.push(...(one.pieces ?? []))
    else amount = cents(amount + one.merchandise)
  }
  const left = lines.map((line) => minus(goodsOf(line), times(line.unitPrice, piecesOf(line.position, forPieces))))
  const taken = spread(cents(Math.min(amount, sum(left))), left)
  return left.map((of, at) => minus(of, taken[at] ?? ZERO))
}

/** Whether a return is exactly its pieces, and the lines still have them. */
function fitPieces(lines: readonly CommissionLine[], inAll: Pieces, { pieces, merchandise }: ReturnedGoods): boolean {
  const unitPriceOf = (position: number) => lines.find((line) => line.position === position)?.unitPrice ?? ZERO
  const worth = sum((pieces ?? []).map(({ position, quantity }) => times(unitPriceOf(position), quantity)))
  return worth === merchandise && lines.every((line) => piecesOf(line.position, inAll) <= line.quantity)
}

/**
 * What has to be booked so that each line has earned its rate of what is left of it, half a cent rounded up. Booked by
 * difference, so that it holds after every event whatever came before, and a line is never taken back below nothing.
 */
export function changesOfCommission(
  lines: readonly CommissionLine[],
  gone: readonly ReturnedGoods[],
  booked: readonly BookedLine[],
): BookedLine[] {
  const left = remainingOfLines(lines, gone)
  return lines.flatMap((line, at) => {
    const { position, basisPoints } = line
    const before = booked.filter((one) => one.position === position)
    const now = left[at] ?? ZERO
    const base = minus(now, sum(before.map((one) => one.base)))
    const amount = minus(share(now, basisPoints), sum(before.map((one) => one.amount)))
    return base === ZERO && amount === ZERO ? [] : [{ position, base, amount }]
  })
}

/**
 * What has to be booked when an order turns out to be its partner's own: what its lines have earned is taken back. Where they have
 * earned nothing yet, one entry says why.
 */
export function changesOfOwnPurchase(booked: readonly BookedLine[]): BookedLine[] {
  const [first] = booked
  if (!first) return [{ position: 0, base: ZERO, amount: ZERO }]
  const before = Map.groupBy(booked, ({ position }) => position)
  return [...before].map(([position, own]) => ({
    position,
    base: minus(ZERO, sum(own.map(({ base }) => base))),
    amount: minus(ZERO, sum(own.map(({ amount }) => amount))),
  }))
}

/**
 * From when what is booked now may be paid out: when the holding period of its sale is over. What is taken back later than
 * that counts at once.
 */
export function approvedFrom(paidAt: Date, bookedAt: Date, holdingDays: number): Date {
  const over = after(paidAt, holdingDays * DAY_MS)
  return over > bookedAt ? over : bookedAt
}
