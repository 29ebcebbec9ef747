import { marginOfSale, type PaymentFee } from '#domain/catalog/margin.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import { FREE_SHIPPING, isShippingFree, quoteFor, shippingTo, subtotalOf } from '#domain/checkout/quote.ts'
import type { PricedLine, ShippingRate, TaxShare } from '#domain/checkout/quote.ts'
import { discountLines, toCartLines, type UsableCode } from '#domain/codes/discount.ts'
import { changesOfCommission } from '#domain/partners/commission.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { average, minus, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'

// What sales of the past would have been under another rule, with the functions that the shop sells by. Demand is as it was.

/** @property basisPoints the partner's rate of the product, 0 without a partner */
export type SoldLine = PricedLine & { basisPoints: number }

/** A sale as it was made, or as it was offered and never paid. */
export type StoredSale = {
  country: string
  /** At the prices paid; their metadata has the surcharges that were charged. */
  lines: readonly SoldLine[]
  /** Those it was made with. */
  codes: readonly UsableCode[]
  /** Without surcharges. */
  shippingCharged: Cents
  surcharge: Cents
  tax: Cents
  /** As frozen with the sale. */
  taxShares: readonly Pick<TaxShare, 'amount'>[]
  vatProtection: Cents
  /** What the printer charges in all, its shipping and tax included; null if unknown. Our rules do not change it. */
  bill: Cents | null
  /** What shipping costs where the shopper pays for it. */
  shippingRate: Cents
  fee: PaymentFee
  partnerId: number | null
  /** Whether commission is on list prices, as agreed when it was offered. */
  isCommissionOnList: boolean
}

export type RehearsedChange =
  | { kind: 'price'; prices: ReadonlyMap<VariantId, Cents> }
  | { kind: 'code'; code: UsableCode }
  /** @property isFor the products that the rate is agreed for */
  | { kind: 'commission'; partnerId: number; basisPoints: number; isFor: (productId: ProductId) => boolean }
  | { kind: 'shipping'; paidBy: 'free' | 'partner' }
  | { kind: 'surcharge'; productId: ProductId; surcharge: ProductMetadata['shippingSurcharge'] }

/** @property profit before refunds; null where the printer's bill is unknown */
export type SaleFigures = { total: Cents; tax: Cents; commission: Cents; profit: Cents | null }

/** @property isChanged whether the rule concerns it at all */
export type Rehearsed = { before: SaleFigures; after: SaleFigures; isChanged: boolean }

/** What is paid for a sale. */
type Offer = { lines: readonly PricedLine[]; surcharge: Cents; shippingCharged: Cents; tax: Cents }

/**
 * A sale as it was, and under another rule. One that the rule does not concern stays exactly as it was.
 * @param types of the products, for codes
 */
export function rehearse(sale: StoredSale, change: RehearsedChange, types: ReadonlyMap<ProductId, string>): Rehearsed {
  const unchanged = asItWas(sale)
  const after = figuresAfter(sale, change, types)
  return after ? { ...unchanged, after, isChanged: true } : unchanged
}

/** A sale that the rule leaves as it was. */
export function asItWas(sale: StoredSale): Rehearsed {
  const before = figuresOf(sale, sale, ratesOf(sale.lines))
  return { before, after: before, isChanged: false }
}

function figuresAfter(
  sale: StoredSale,
  change: RehearsedChange,
  types: ReadonlyMap<ProductId, string>,
): SaleFigures | undefined {
  const { lines, codes, shippingCharged } = sale
  const rates = ratesOf(lines)
  const again = (other: Partial<Offered>) =>
    figuresOf(
      sale,
      offerOf(sale, { lines, isShippingFree: codes.some(isForShipping), shippingCharged, ...other }),
      rates,
    )
  switch (change.kind) {
    case 'price':
    case 'code': {
      const discounted = discountAgain(toCartLines(lines), codes, change, types)
      return discounted && again(discounted)
    }
    case 'commission': {
      const concerned = lines.filter(({ productId }) => change.isFor(productId))
      if (sale.partnerId !== change.partnerId || concerned.length === 0) return undefined
      const changed = concerned.map(({ productId }) => [productId, change.basisPoints] as const)
      return figuresOf(sale, sale, new Map([...rates, ...changed]))
    }
    case 'shipping':
      if (shippingCharged > ZERO === (change.paidBy === 'partner')) return undefined
      return again({ shippingCharged: change.paidBy === 'free' ? ZERO : sale.shippingRate })
    case 'surcharge': {
      const { productId, surcharge } = change
      if (!lines.some((line) => line.productId === productId)) return undefined
      const metadata = surcharge ? { shippingSurcharge: surcharge } : {}
      return again({ lines: lines.map((line) => (line.productId === productId ? { ...line, metadata } : line)) })
    }
  }
}

/** @param lines at list prices @returns undefined where the change does not concern them */
function discountAgain(
  lines: readonly PricedLine[],
  codes: readonly UsableCode[],
  change: Extract<RehearsedChange, { kind: 'price' | 'code' }>,
  types: ReadonlyMap<ProductId, string>,
): Pick<Offered, 'lines' | 'isShippingFree'> | undefined {
  if (change.kind === 'price') {
    const priced = lines.map((line) => ({ ...line, unitPrice: change.prices.get(line.variantId) ?? line.unitPrice }))
    if (priced.every(({ unitPrice }, at) => unitPrice === lines[at]?.unitPrice)) return undefined
    return { lines: discountLines(priced, codes, types).lines, isShippingFree: codes.some(isForShipping) }
  }
  const all = [...codes, change.code]
  if (all.length > 1 && !all.every(({ rule }) => rule.combines)) return undefined
  const { lines: paid, discounts } = discountLines(lines, all, types)
  const isTaken = discounts.some(({ id }) => id === change.code.id)
  return isTaken ? { lines: paid, isShippingFree: isShippingFree(discounts) } : undefined
}

/** What the goods of a cart cost, and would cost. @property lines at list prices */
export function rehearseCart(
  { lines, codes }: { lines: readonly PricedLine[]; codes: readonly UsableCode[] },
  change: RehearsedChange,
  types: ReadonlyMap<ProductId, string>,
): { before: Cents; after: Cents } {
  const before = subtotalOf(discountLines(lines, codes, types).lines)
  const isOfGoods = change.kind === 'price' || change.kind === 'code'
  const again = isOfGoods ? discountAgain(lines, codes, change, types) : undefined
  return { before, after: again ? subtotalOf(again.lines) : before }
}

const isForShipping = ({ rule }: UsableCode): boolean => rule.benefit.kind === 'shipping'

/** A partner's rates, by product. */
const ratesOf = (lines: readonly SoldLine[]): ReadonlyMap<ProductId, number> =>
  new Map(lines.map(({ productId, basisPoints }) => [productId, basisPoints]))

type Offered = { lines: readonly PricedLine[]; isShippingFree: boolean; shippingCharged: Cents }

/** Quoted as at a checkout, with the tax at the sale's own rate. */
function offerOf(sale: StoredSale, { lines, isShippingFree: isFree, shippingCharged }: Offered): Offer {
  const { country, vatProtection } = sale
  const rate: ShippingRate = isFree ? FREE_SHIPPING : { ...FREE_SHIPPING, cost: shippingCharged }
  const taxed = plus(subtotalOf(lines), shippingTo(country, lines, rate, isFree).cost)
  const { surcharge, shipping, tax } = quoteFor(
    country,
    lines,
    { amount: taxAlike(sale, taxed), breakdown: [], estimated: false },
    {
      ...{ rate, vatProtection: { amount: vatProtection, estimated: false } },
      discounts: isFree ? [{ id: 0, code: '', amount: ZERO, isShippingFree: true }] : [],
    },
  )
  return { lines, surcharge, shippingCharged: minus(shipping, surcharge), tax }
}

/** Each frozen share of the tax, in proportion to what is taxed. Orders without stored shares are taxed as a whole. */
function taxAlike({ lines, surcharge, shippingCharged, tax, taxShares }: StoredSale, taxed: Cents): Cents {
  const before = sum([subtotalOf(lines), surcharge, shippingCharged])
  if (before <= ZERO) return ZERO
  const shares = taxShares.map(({ amount }) => amount)
  return sum((sum(shares) === tax ? shares : [tax]).map((amount) => average(times(amount, taxed), before)))
}

function figuresOf(
  { vatProtection, bill, fee, isCommissionOnList }: StoredSale,
  { lines, surcharge, shippingCharged, tax }: Offer,
  rates: ReadonlyMap<ProductId, number>,
): SaleFigures {
  const price = subtotalOf(lines)
  const commission = commissionOf(lines, rates, isCommissionOnList)
  const charged = { price, surcharge, shippingCharged, vatProtection, tax }
  return {
    ...{ total: sum(Object.values(charged)), tax, commission },
    profit: bill === null ? null : marginOfSale({ ...charged, fee, printCost: bill, shippingPaid: ZERO, commission }),
  }
}

const commissionOf = (lines: readonly PricedLine[], rates: ReadonlyMap<ProductId, number>, isOnList: boolean): Cents =>
  sum(
    changesOfCommission(
      lines.map(({ productId, unitPrice, listPrice, quantity }, position) => ({
        ...{ position, unitPrice, quantity, basisPoints: rates.get(productId) ?? 0 },
        ...(isOnList && { listPrice: listPrice ?? unitPrice }),
      })),
      [],
      [],
    ).map(({ amount }) => amount),
  )

// ---- sums

/** @property unknown sales whose profit is unknown: they are in no sum of profits */
export type RehearsalSums = {
  sales: number
  changed: number
  unknown: number
  before: SumFigures
  after: SumFigures
}
type SumFigures = Record<'total' | 'tax' | 'commission' | 'profit', Cents> & {
  /** Sales that leave less than the owner's floor. */
  belowFloor: number
}

const NO_FIGURES: SumFigures = { total: ZERO, tax: ZERO, commission: ZERO, profit: ZERO, belowFloor: 0 }
export const NO_SALES_REHEARSED: RehearsalSums = {
  ...{ sales: 0, changed: 0, unknown: 0 },
  ...{ before: NO_FIGURES, after: NO_FIGURES },
}

const isBelow = ({ profit }: SaleFigures, floor: Cents): boolean => profit !== null && profit < floor

const addFigures = (sums: SumFigures, figures: SaleFigures, floor: Cents): SumFigures => ({
  total: plus(sums.total, figures.total),
  tax: plus(sums.tax, figures.tax),
  commission: plus(sums.commission, figures.commission),
  profit: plus(sums.profit, figures.profit ?? ZERO),
  belowFloor: sums.belowFloor + (isBelow(figures, floor) ? 1 : 0),
})

export const addRehearsed = (
  { sales, changed, unknown, ...sums }: RehearsalSums,
  { before, after, isChanged }: Rehearsed,
  floor: Cents,
): RehearsalSums => ({
  sales: sales + 1,
  changed: changed + (isChanged ? 1 : 0),
  unknown: unknown + (before.profit === null ? 1 : 0),
  before: addFigures(sums.before, before, floor),
  after: addFigures(sums.after, after, floor),
})
