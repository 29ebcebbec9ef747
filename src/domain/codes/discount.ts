import { LEAST_CHARGE } from '#domain/checkout/least-charge.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import type { ProductId, UserId } from '#shared/ids.ts'
import { cents, formatUsd, minus, plus, share, spread, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { CODES_MAX, type Benefit, type CodeRule } from './code.ts'

/** A code or automatic discount that may be used now. */
export type UsableCode = {
  id: number
  /** Of an automatic discount, its name. */
  code: string
  rule: CodeRule
  isAutomatic?: boolean
  partnerId?: UserId | null
}

/** One of several that are used together. */
export type CombinedDiscount = Pick<UsableCode, 'rule' | 'isAutomatic'>

/** What a code or automatic discount took off. */
export type Discount = {
  id: number
  code: string
  isAutomatic?: true
  /** Whose sale the code makes it. */
  partnerId?: UserId
  /** Off the goods. */
  amount: Cents
  isShippingFree: boolean
}

export type DiscountedLines = {
  /** At the prices to pay. A line whose share of the discount does not divide by its pieces becomes two, a cent apart. */
  lines: PricedLine[]
  discounts: Discount[]
  /** Codes that take nothing off these lines, with the reason. */
  objections: { code: string; reason: string }[]
}

/** Codes take effect in this order, each on what the ones before it left. */
const kindsInOrder: readonly Benefit['kind'][] = ['buy_get', 'tiers', 'percent', 'amount', 'shipping']

/** The goods of a line with the discounts so far. */
type OpenLine = { line: PricedLine; off: Cents }

const listTotal = ({ line: { unitPrice, quantity } }: OpenLine): Cents => times(unitPrice, quantity)
const left = (open: OpenLine): Cents => minus(listTotal(open), open.off)

/**
 * Takes codes off the lines of a cart. Each code's amount falls on the lines it is for, in proportion to what is left of them, to the
 * cent by the largest remainder. At least 50 cents are left to pay.
 * @param lines at list prices
 * @param types the type of each product
 */
export function discountLines(
  lines: readonly PricedLine[],
  codes: readonly UsableCode[],
  types: ReadonlyMap<ProductId, string>,
): DiscountedLines {
  const open: OpenLine[] = lines.map((line) => ({ line, off: ZERO }))
  const discounts: Discount[] = []
  const objections: DiscountedLines['objections'] = []
  for (const { id, code, rule, isAutomatic, partnerId } of inOrder(codes)) {
    const included = open.filter(({ line }) => isFor(rule, line, types.get(line.productId)))
    const reason = objectionTo(code, rule, included)
    if (reason !== undefined) {
      objections.push({ code, reason })
      continue
    }
    const most = minus(sum(open.map(left)), LEAST_CHARGE)
    const amount = cents(Math.max(0, Math.min(amountOff(rule.benefit, included), most)))
    const shares = spread(amount, included.map(left))
    for (const [index, one] of included.entries()) one.off = plus(one.off, shares[index] ?? ZERO)
    discounts.push({
      ...{ id, code, amount, isShippingFree: rule.benefit.kind === 'shipping' },
      ...(isAutomatic && { isAutomatic }),
      ...(partnerId && { partnerId }),
    })
  }
  return { lines: open.flatMap(toPaidLines), discounts, objections }
}

/**
 * The automatic discounts of a cart. Codes that were entered come first: an automatic discount is added to them only if all say that
 * they combine. Without one, those that combine are taken together, or a single other one that takes more off.
 * @param codes that were entered
 */
export function automaticFor(
  lines: readonly PricedLine[],
  codes: readonly UsableCode[],
  automatic: readonly UsableCode[],
  types: ReadonlyMap<ProductId, string>,
): UsableCode[] {
  const taken = (some: readonly UsableCode[]) => discountLines(lines, some, types)
  const fits = (one: UsableCode) => taken([one]).objections.length === 0
  const entered = codes.filter(fits)
  const fitting = automatic.filter(fits).toSorted((a, b) => a.id - b.id)
  const together = fitting.filter(({ rule }) => rule.combines)
  if (entered.length > 0) return entered.every(({ rule }) => rule.combines) ? together : []
  const offBy = (some: readonly UsableCode[]) => sum(taken(some).discounts.map(({ amount }) => amount))
  return fitting
    .filter(({ rule }) => !rule.combines)
    .reduce((best, one) => (best.length === 0 || offBy([one]) > offBy(best) ? [one] : best), together)
}

const inOrder = (codes: readonly UsableCode[]): UsableCode[] => {
  const rank = ({ rule }: UsableCode) => kindsInOrder.indexOf(rule.benefit.kind)
  return codes.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id)
}

type Piece = Pick<PricedLine, 'productId' | 'collection'>

const isFor = ({ products, types, collections }: CodeRule, line: Piece, type: string | undefined): boolean =>
  products.length + types.length + collections.length === 0 ||
  products.includes(line.productId) ||
  collections.includes(line.collection) ||
  (type !== undefined && types.includes(type))

/** Why a code takes nothing off. @param included the lines it is for */
function objectionTo(code: string, { benefit, minimum }: CodeRule, included: readonly OpenLine[]): string | undefined {
  if (included.length === 0) return `${code} is not for anything in your cart.`
  const missing = minus(minimum, sum(included.map(listTotal)))
  if (missing > ZERO) return `${code} needs ${formatUsd(minimum)} of the items it is for: ${formatUsd(missing)} more.`
  const lacking = leastPieces(benefit) - countOf(included)
  return lacking > 0
    ? `${code} needs ${lacking === 1 ? 'one more piece' : `${lacking} more pieces`} of what it is for.`
    : undefined
}

const countOf = (lines: readonly OpenLine[]): number => lines.reduce((count, { line }) => count + line.quantity, 0)

function leastPieces(benefit: Benefit): number {
  if (benefit.kind === 'buy_get') return benefit.buy + benefit.get
  return benefit.kind === 'tiers' ? Math.min(...benefit.tiers.map(({ pieces }) => pieces)) : 0
}

function amountOff(benefit: Benefit, included: readonly OpenLine[]): Cents {
  const goods = sum(included.map(left))
  if (benefit.kind === 'percent') return share(goods, benefit.basisPoints)
  if (benefit.kind === 'tiers') {
    const reached = benefit.tiers.filter(({ pieces }) => pieces <= countOf(included))
    return share(goods, Math.max(0, ...reached.map(({ basisPoints }) => basisPoints)))
  }
  if (benefit.kind === 'shipping') return ZERO
  return cents(Math.min(benefit.kind === 'amount' ? benefit.amount : priceOfCheapest(included, benefit), goods))
}

/** At list prices. */
function priceOfCheapest(included: readonly OpenLine[], { buy, get }: { buy: number; get: number }): Cents {
  const lines = included.map(({ line }) => line).toSorted((a, b) => a.unitPrice - b.unitPrice)
  let free = Math.floor(lines.reduce((count, { quantity }) => count + quantity, 0) / (buy + get)) * get
  return sum(
    lines.map(({ unitPrice, quantity }) => {
      const pieces = Math.min(free, quantity)
      free -= pieces
      return times(unitPrice, pieces)
    }),
  )
}

function toPaidLines({ line, off }: OpenLine): PricedLine[] {
  if (off === ZERO) return [line]
  const { unitPrice: listPrice, quantity } = line
  const cheaper = off % quantity
  const unitPrice = cents(listPrice - Math.floor(off / quantity))
  return [
    { ...line, unitPrice, listPrice, quantity: quantity - cheaper },
    ...(cheaper > 0 ? [{ ...line, unitPrice: cents(unitPrice - 1), listPrice, quantity: cheaper }] : []),
  ]
}

/** The lines as the cart has them: one for each variant, at its list price. */
export function toCartLines<Line extends Pick<PricedLine, 'variantId' | 'quantity' | 'unitPrice' | 'listPrice'>>(
  lines: readonly Line[],
): Line[] {
  const byVariant = new Map<PricedLine['variantId'], Line>()
  for (const { listPrice, ...line } of lines) {
    const before = byVariant.get(line.variantId)
    const quantity = line.quantity + (before?.quantity ?? 0)
    byVariant.set(line.variantId, { ...(line as Line), unitPrice: listPrice ?? line.unitPrice, quantity })
  }
  return [...byVariant.values()]
}

/** `$5.10 off, free shipping`. @param off the goods */
export const effectText = (off: Cents, isFree: boolean): string =>
  off > ZERO
    ? isFree
      ? say('{amount} off, free shipping', { amount: formatUsd(off) })
      : say('{amount} off', { amount: formatUsd(off) })
    : isFree
      ? say('free shipping')
      : say('nothing off')

/** `RUDY10: $5.10 off`. @param off what the codes take off the goods @returns undefined without codes */
export const savingText = (
  discounts: readonly Pick<Discount, 'code' | 'isShippingFree'>[],
  off: Cents,
): string | undefined =>
  discounts.length === 0
    ? undefined
    : `${discounts.map(({ code }) => code).join(', ')}: ${effectText(
        off,
        discounts.some(({ isShippingFree }) => isShippingFree),
      )}`

/** The same before the order is placed, as a notice of its quote. */
export const savingNotices = (discounts: readonly Discount[]): string[] => {
  const text = savingText(discounts, sum(discounts.map(({ amount }) => amount)))
  return text === undefined ? [] : [text]
}

/**
 * The most that a discount takes off one piece, when its minimum is just reached.
 * @param price of the piece
 */
export function mostOffPiece({ benefit, minimum }: CodeRule, price: Cents): Cents {
  if (benefit.kind === 'shipping') return ZERO
  if (benefit.kind === 'percent') return share(price, benefit.basisPoints)
  if (benefit.kind === 'tiers') return share(price, Math.max(...benefit.tiers.map(({ basisPoints }) => basisPoints)))
  if (benefit.kind === 'buy_get') return cents(Math.ceil((price * benefit.get) / (benefit.buy + benefit.get)))
  const off = minimum > price ? Math.ceil((benefit.amount * price) / minimum) : benefit.amount
  return cents(Math.min(off, Math.max(0, price - LEAST_CHARGE)))
}

/**
 * The most that a new discount takes off one piece when it is used together with others: all automatic ones, and the most generous codes
 * that a cart takes. At list prices each, which is a little more than they take off one after the other.
 * @param others that combine with it
 * @param price of the piece
 */
export function mostOffTogether(
  made: CombinedDiscount,
  others: readonly CombinedDiscount[],
  { price, type, ...piece }: Piece & { price: Cents; type: string },
): { off: Cents; isFreeOfShipping: boolean } {
  const offOf = ({ rule }: CombinedDiscount) => mostOffPiece(rule, price)
  const fitting = others.filter(({ rule }) => isFor(rule, piece, type))
  const codes = fitting.filter(({ isAutomatic }) => !isAutomatic).toSorted((a, b) => offOf(b) - offOf(a))
  const together = [
    made,
    ...codes.slice(0, made.isAutomatic ? CODES_MAX : CODES_MAX - 1),
    ...fitting.filter(({ isAutomatic }) => isAutomatic),
  ]
  return {
    off: cents(Math.min(sum(together.map(offOf)), Math.max(0, price - LEAST_CHARGE))),
    isFreeOfShipping: [made, ...fitting].some(({ rule }) => rule.benefit.kind === 'shipping'),
  }
}

/** One that there is already, by its name. */
export type NamedDiscount = CombinedDiscount & Pick<UsableCode, 'code'>

/** The most that discounts which there are take off one piece, alone or as they combine: without free shipping, and with it. */
export function mostOffOf(
  discounts: readonly NamedDiscount[],
  piece: Piece & { price: Cents; type: string },
): { name: string; off: Cents; isFreeOfShipping: boolean }[] {
  const most = new Map<boolean, { name: string; off: Cents; isFreeOfShipping: boolean }>()
  for (const one of discounts) {
    if (!isFor(one.rule, piece, piece.type)) continue
    const others = one.rule.combines ? discounts.filter((other) => other !== one && other.rule.combines) : []
    const taken = mostOffTogether(one, others, piece)
    const known = most.get(taken.isFreeOfShipping)
    if (!known || taken.off > known.off) most.set(taken.isFreeOfShipping, { name: one.code, ...taken })
  }
  return [...most.values()]
}

/** What codes took off these lines. */
export const offLines = (
  lines: readonly { unitPrice: Cents; listPrice?: Cents | null | undefined; quantity: number }[],
): Cents =>
  sum(lines.map(({ unitPrice, listPrice, quantity }) => times(minus(listPrice ?? unitPrice, unitPrice), quantity)))
