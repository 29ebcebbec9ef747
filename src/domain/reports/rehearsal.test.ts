import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paymentFees } from '#domain/catalog/margin.ts'
import type { Benefit, CodeRule } from '#domain/codes/code.ts'
import type { UsableCode } from '#domain/codes/discount.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import {
  addRehearsed,
  NO_SALES_REHEARSED,
  rehearse,
  rehearseCart,
  type RehearsedChange,
  type SoldLine,
  type StoredSale,
} from './rehearsal.ts'

const MUG = 1 as ProductId
const CAP = 2 as ProductId
const variantOf = (product: ProductId) => (product * 10) as VariantId

const lineOf = (productId: ProductId, unitPrice: number, quantity = 1, more: Partial<SoldLine> = {}): SoldLine => ({
  ...{ productId, variantId: variantOf(productId), productName: `Product ${productId}`, variantName: null },
  ...{ imageUrl: null, collection: 'rudy', unitPrice: cents(unitPrice), quantity, metadata: {}, basisPoints: 0 },
  ...more,
})

/** A mug of $20.00 to New York by card, taxed at 8.875 %; the printer takes $12.00. */
const saleOf = (more: Partial<StoredSale> = {}): StoredSale => ({
  ...{ country: 'US', lines: [lineOf(MUG, 2000)], codes: [], shippingCharged: ZERO, surcharge: ZERO },
  ...{ tax: cents(178), taxShares: [{ amount: cents(80) }, { amount: cents(98) }], vatProtection: ZERO },
  ...{
    bill: cents(1200),
    shippingRate: cents(475),
    fee: paymentFees.stripe,
    partnerId: null,
    isCommissionOnList: false,
  },
  ...more,
})
const withPartner = (basisPoints: number, sale = saleOf()): StoredSale => ({
  ...sale,
  partnerId: 7,
  lines: sale.lines.map((line) => ({ ...line, basisPoints })),
})

const codeOf = (benefit: Benefit, more: Partial<CodeRule> = {}, id = 1): UsableCode => ({
  ...{ id, code: `CODE${id}` },
  rule: {
    ...{ benefit, products: [], types: [], collections: [], minimum: ZERO, isFirstOrderOnly: false, combines: false },
    ...more,
  },
})
const priceOf = (product: ProductId, to: number): RehearsedChange => ({
  kind: 'price',
  prices: new Map([[variantOf(product), cents(to)]]),
})
const percentOff = (basisPoints: number, more: Partial<CodeRule> = {}, id = 9): RehearsedChange => ({
  kind: 'code',
  code: codeOf({ kind: 'percent', basisPoints }, more, id),
})
const freeShippingCode: RehearsedChange = { kind: 'code', code: codeOf({ kind: 'shipping' }, {}, 9) }
const shareOf = (basisPoints: number, product?: ProductId): RehearsedChange => ({
  ...{ kind: 'commission', partnerId: 7, basisPoints },
  isFor: (id) => product === undefined || id === product,
})
const surchargeOf = (amount: number | null, regions = ['US']): RehearsedChange => ({
  ...{ kind: 'surcharge', productId: MUG },
  surcharge: amount === null ? undefined : { amount: cents(amount), regions, description: '', enabled: true },
})
const shippingBy = (paidBy: 'free' | 'partner'): RehearsedChange => ({ kind: 'shipping', paidBy })

const after = (sale: StoredSale, change: RehearsedChange) => rehearse(sale, change, new Map()).after

test('a sale as it was: paid less tax, the printer’s bill, the fee and commission', () => {
  // 2.9 % of 21.78 is 0.63, and 0.30.
  expect(rehearse(saleOf(), priceOf(CAP, 1), new Map()).before).toEqual({
    ...{ total: 2178, tax: 178, commission: 0, profit: 2000 - 1200 - 93 },
  })
})

describe('a sale would have been, to the cent:', () => {
  test.each<[string, StoredSale, RehearsedChange, ReturnType<typeof after>]>([
    // 0.80 and 0.98 of 20.00 are 0.72 and 0.88 of 18.00; 2.9 % of 19.60 is 0.57.
    ['at a lower price', saleOf(), priceOf(MUG, 1800), figures(1960, 160, 0, 1800 - 1200 - 87)],
    ['with 10 % off', saleOf(), percentOff(1000), figures(1960, 160, 0, 1800 - 1200 - 87)],
    ['with another share', withPartner(1200), shareOf(1500), figures(2178, 178, 300, 2000 - 1200 - 93 - 300)],
    // The shopper pays 4.75: 0.80 and 0.98 become 0.99 and 1.21; 2.9 % of 26.95 is 0.78.
    ['with paid shipping', saleOf(), shippingBy('partner'), figures(2695, 220, 0, 2475 - 1200 - 108)],
    ['with a surcharge', saleOf(), surchargeOf(475), figures(2695, 220, 0, 2475 - 1200 - 108)],
    [
      'with free shipping that was paid for',
      saleOf({ shippingCharged: cents(475), tax: cents(220), taxShares: [] }),
      shippingBy('free'),
      figures(2178, 178, 0, 2000 - 1200 - 93),
    ],
    [
      'with a code for free shipping',
      saleOf({ shippingCharged: cents(475), tax: cents(220), taxShares: [] }),
      freeShippingCode,
      figures(2178, 178, 0, 2000 - 1200 - 93),
    ],
    // 10 % of the new price come off: 16.20, taxed like 20.00; the partner's 12 % are 1.94; 2.9 % of 17.64 is 0.51.
    [
      'at a lower price with the code it was made with',
      withPartner(
        1200,
        saleOf({
          lines: [lineOf(MUG, 1800, 1, { listPrice: cents(2000) })],
          ...{ codes: [codeOf({ kind: 'percent', basisPoints: 1000 })], tax: cents(160), taxShares: [] },
        }),
      ),
      priceOf(MUG, 1800),
      figures(1764, 144, 194, 1620 - 1200 - 81 - 194),
    ],
    [
      'untaxed, if it was',
      saleOf({ tax: ZERO, taxShares: [] }),
      priceOf(MUG, 1800),
      figures(1800, 0, 0, 1800 - 1200 - 82),
    ],
    [
      'without a known profit, if it has none',
      saleOf({ bill: null }),
      priceOf(MUG, 1800),
      { ...figures(1960, 160, 0, 0), profit: null },
    ],
  ])('%s', (_, sale, change, expected) => {
    expect(after(sale, change)).toEqual(expected)
  })
})

function figures(total: number, tax: number, commission: number, profit: number) {
  return { total: cents(total), tax: cents(tax), commission: cents(commission), profit: cents(profit) }
}

describe('a rule does not concern', () => {
  const coded = saleOf({ codes: [codeOf({ kind: 'percent', basisPoints: 1000 })] })
  test.each<[string, StoredSale, RehearsedChange]>([
    ['other products', saleOf(), priceOf(CAP, 1)],
    ['the price there was', saleOf(), priceOf(MUG, 2000)],
    ['sales with a code that stands alone', coded, percentOff(1000)],
    ['goods that a code is not for', saleOf(), percentOff(1000, { products: [CAP] })],
    ['carts below the minimum', saleOf(), percentOff(1000, { minimum: cents(2001) })],
    ['other partners', saleOf(), shareOf(1500)],
    ['a product with its own rate', withPartner(1200), shareOf(1500, CAP)],
    ['shipping that was free already', saleOf(), shippingBy('free')],
  ])('%s', (_, sale, change) => {
    const { before, after: then, isChanged } = rehearse(sale, change, new Map())
    expect([isChanged, then]).toEqual([false, before])
  })
})

const amount = (most: number) => fc.integer({ min: 0, max: most }).map(cents)
const sales = fc
  .record({
    prices: fc.array(fc.tuple(fc.integer({ min: 50, max: 20_000 }), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 4,
    }),
    tax: amount(3000),
    shippingCharged: amount(2000),
    bill: amount(20_000),
    basisPoints: fc.integer({ min: 0, max: 1500 }),
  })
  .map(({ prices, basisPoints, ...facts }) =>
    saleOf({
      ...facts,
      ...{ taxShares: [], partnerId: 7 },
      lines: prices.map(([price, quantity], at) => lineOf((at + 1) as ProductId, price, quantity, { basisPoints })),
    }),
  )

test('a share moves profit alone, cent by cent; a discount raises neither what is paid nor its tax', () => {
  fc.assert(
    fc.property(sales, fc.integer({ min: 1, max: 1500 }), fc.integer({ min: 100, max: 10_000 }), (sale, rate, off) => {
      const { before, after: shared } = rehearse(sale, shareOf(rate), new Map())
      expect(shared).toMatchObject({ total: before.total, tax: before.tax })
      expect((shared.profit ?? 0) + shared.commission).toBe((before.profit ?? 0) + before.commission)
      const cheaper = rehearse(sale, percentOff(off), new Map()).after
      expect(cheaper.total).toBeLessThanOrEqual(before.total)
      expect(cheaper.tax).toBeLessThanOrEqual(before.tax)
    }),
  )
})

test('commission that was agreed on list prices stays on them', () => {
  const sale = { ...withPartner(1000), isCommissionOnList: true }
  expect(after(sale, percentOff(1000)).commission).toBe(200)
  expect(after({ ...sale, isCommissionOnList: false }, percentOff(1000)).commission).toBe(180)
})

test('sums count sales below the floor, and leave unknown profits out', () => {
  const floor = cents(700)
  const sums = [saleOf(), saleOf({ bill: null })]
    .map((sale) => rehearse(sale, priceOf(MUG, 1800), new Map()))
    .reduce((before, rehearsed) => addRehearsed(before, rehearsed, floor), NO_SALES_REHEARSED)
  expect(sums).toEqual({
    ...{ sales: 2, changed: 2, unknown: 1 },
    before: { total: 4356, tax: 356, commission: 0, profit: 707, belowFloor: 0 },
    after: { total: 3920, tax: 320, commission: 0, profit: 513, belowFloor: 1 },
  })
})

test('a cart has goods alone', () => {
  const cart = { lines: [lineOf(MUG, 2000, 2)], codes: [] }
  const worth = (change: RehearsedChange) => rehearseCart(cart, change, new Map())
  expect(worth(priceOf(MUG, 1800))).toEqual({ before: 4000, after: 3600 })
  expect(worth(percentOff(1000))).toEqual({ before: 4000, after: 3600 })
  expect(worth(shippingBy('partner'))).toEqual({ before: 4000, after: 4000 })
})
