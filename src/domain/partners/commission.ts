import { piecesOf, type Pieces } from '#domain/payments/returns.ts'
import { cents, minus, share, spread, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'

/** Why a line's commission changed. */
export const commissionKinds = [
  'sale',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'own_purchase',
  'change',
] as const
export type CommissionKind = (typeof commissionKinds)[number]

/** A line of a partner's order. Prices are after discounts, without tax and shipping. */
export type CommissionLine = {
  position: number
  unitPrice: Cents
  /** Before discounts, where commission is on that. */
  listPrice?: Cents
  quantity: number
  /** The rate when the order was paid. */
  basisPoints: number
}

/** A refund or dispute of an order's goods: by pieces, or an amount. */
export type ReturnedGoods = { merchandise: Cents; pieces: Pieces | null }

/** Total booked for a line. */
export type BookedLine = { position: number; base: Cents; amount: Cents }

const goodsOf = ({ unitPrice, quantity }: CommissionLine): Cents => times(unitPrice, quantity)

/**
 * What commission is on: each line's remaining goods. Returned pieces reduce their lines; every other return is spread over the
 * remaining amounts, to the cent, largest remainders first. The order of returns does not matter. Before discounts, what remains is
 * the list price of the remaining pieces in the proportion in which their paid price remains, half a cent rounded up.
 * @returns in the order of `lines`; without list prices, their sum is the goods minus all returns
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
  const remaining = left.map((of, at) => minus(of, taken[at] ?? ZERO))
  return lines.map(({ position, quantity, listPrice }, at) => {
    const [paid, now] = [left[at] ?? ZERO, remaining[at] ?? ZERO]
    if (listPrice === undefined) return now
    const listed = times(listPrice, quantity - piecesOf(position, forPieces))
    // A free piece has no amount of its own: it remains as the order does.
    return paid > 0 ? proportion(listed, now, paid) : proportion(listed, sum(remaining), sum(left))
  })
}

/** To the cent, half a cent rounded up. @returns 0 of nothing */
const proportion = (amount: Cents, part: Cents, whole: Cents): Cents =>
  spread(amount, [part, minus(whole, part)])[0] ?? ZERO

/** Whether a return matches its pieces exactly, and the lines still have them. */
function fitPieces(lines: readonly CommissionLine[], inAll: Pieces, { pieces, merchandise }: ReturnedGoods): boolean {
  const unitPriceOf = (position: number) => lines.find((line) => line.position === position)?.unitPrice ?? ZERO
  const worth = sum((pieces ?? []).map(({ position, quantity }) => times(unitPriceOf(position), quantity)))
  return worth === merchandise && lines.every((line) => piecesOf(line.position, inAll) <= line.quantity)
}

/**
 * The entries that bring each line's commission to its rate of what remains, half a cent rounded up. Booked as a
 * difference, so it is correct after any sequence of events; a line never goes below zero.
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
 * The entries when an order turns out to be the partner's own purchase: takes back what its lines have earned. If they
 * earned nothing yet, one entry records the reason.
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

/** When a commission becomes payable: after the sale's holding period. Later deductions count immediately. */
export function approvedFrom(paidAt: Date, bookedAt: Date, holdingDays: number): Date {
  const over = after(paidAt, holdingDays * DAY_MS)
  return over > bookedAt ? over : bookedAt
}
