import { describe, expect, test } from 'vitest'
import type { PricedLine } from '#domain/checkout/quote.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import { codeCanBecome, normalizeCode, type Benefit, type CodeRule } from './code.ts'
import { automaticFor, discountLines, mostOffPiece, mostOffTogether, type UsableCode } from './discount.ts'

const lineOf = (productId: number, unitPrice: number, quantity = 1): PricedLine => ({
  productId: productId as ProductId,
  variantId: (productId * 10) as VariantId,
  productName: `Product ${productId}`,
  variantName: null,
  imageUrl: null,
  collection: productId % 2 === 0 ? 'rudy' : 'sherlock',
  unitPrice: cents(unitPrice),
  quantity,
  metadata: {},
})

const everything: Omit<CodeRule, 'benefit'> = {
  products: [],
  types: [],
  collections: [],
  minimum: ZERO,
  isFirstOrderOnly: false,
  combines: true,
}

const codeOf = (benefit: Benefit, more: Partial<CodeRule> = {}, id = 1): UsableCode => ({
  id,
  code: `CODE${id}`,
  rule: { ...everything, benefit, ...more },
})
const percent = (basisPoints: number): Benefit => ({ kind: 'percent', basisPoints })
const amount = (off: number): Benefit => ({ kind: 'amount', amount: cents(off) })

const types = new Map([[1 as ProductId, 'mug']])
const pricesAfter = (lines: readonly PricedLine[], ...codes: UsableCode[]) =>
  discountLines(lines, codes, types).lines.map(({ unitPrice, quantity }) => [unitPrice, quantity])
const offBy = (lines: readonly PricedLine[], ...codes: UsableCode[]) =>
  discountLines(lines, codes, types).discounts.map((discount) => discount.amount)

test.each([
  ['10 % of a mug of $16.95 is $1.70', [lineOf(1, 1695)], percent(1000), [[1525, 1]]],
  ['half a cent goes to the shopper', [lineOf(1, 1001)], percent(5000), [[500, 1]]],
  [
    '$10 off falls on two lines in proportion',
    [lineOf(1, 3000), lineOf(2, 1000)],
    amount(1000),
    [
      [2250, 1],
      [750, 1],
    ],
  ],
  [
    'one cent that does not divide makes one of three pieces cheaper',
    [lineOf(1, 1000, 3)],
    amount(100),
    [
      [967, 2],
      [966, 1],
    ],
  ],
  [
    'of three the cheapest is free',
    [lineOf(1, 1000, 2), lineOf(2, 700)],
    { kind: 'buy_get', buy: 2, get: 1 },
    [
      [741, 1],
      [740, 1],
      [519, 1],
    ],
  ],
  ['free shipping leaves the prices alone', [lineOf(1, 1000)], { kind: 'shipping' }, [[1000, 1]]],
] as [string, PricedLine[], Benefit, number[][]][])('%s', (_, lines, benefit, prices) => {
  expect(pricesAfter(lines, codeOf(benefit))).toEqual(prices)
})

test('a discount above the total leaves 50 cents to pay, and nothing is ever negative', () => {
  expect(pricesAfter([lineOf(1, 1000)], codeOf(amount(5000)))).toEqual([[50, 1]])
  expect(pricesAfter([lineOf(1, 1000)], codeOf(percent(10_000)))).toEqual([[50, 1]])
  expect(pricesAfter([lineOf(1, 30)], codeOf(amount(5000)))).toEqual([[30, 1]])
})

test('a code for a product, type or collection takes nothing off anything else', () => {
  const lines = [lineOf(1, 1000), lineOf(2, 1000), lineOf(3, 1000)]
  const priced = (more: Partial<CodeRule>) => pricesAfter(lines, codeOf(percent(1000), more)).map(([price]) => price)
  expect(priced({ products: [3 as ProductId] })).toEqual([1000, 1000, 900])
  expect(priced({ types: ['mug'] })).toEqual([900, 1000, 1000])
  expect(priced({ collections: ['rudy'] })).toEqual([1000, 900, 1000])
  expect(priced({ types: ['mug'], collections: ['rudy'] })).toEqual([900, 900, 1000])
})

test('a code that fits nothing in the cart says why', () => {
  const reasonOf = (code: UsableCode) => discountLines([lineOf(1, 1000)], [code], types).objections[0]?.reason
  expect(reasonOf(codeOf(percent(1000), { products: [9 as ProductId] }))).toBe(
    'CODE1 is not for anything in your cart.',
  )
  expect(reasonOf(codeOf(percent(1000), { minimum: cents(2500) }))).toBe(
    'CODE1 needs $25.00 of the items it is for: $15.00 more.',
  )
  expect(reasonOf(codeOf({ kind: 'buy_get', buy: 2, get: 1 }))).toBe('CODE1 needs 2 more pieces of what it is for.')
})

test('several codes take effect one after the other, in whatever order they were entered', () => {
  const codes = [codeOf(amount(500), {}, 1), codeOf(percent(5000), {}, 2)]
  expect(offBy([lineOf(1, 2000)], ...codes)).toEqual([1000, 500])
  expect(offBy([lineOf(1, 2000)], ...codes.toReversed())).toEqual([1000, 500])
})

const tiers = (...steps: [pieces: number, basisPoints: number][]): Benefit => ({
  kind: 'tiers',
  tiers: steps.map(([pieces, basisPoints]) => ({ pieces, basisPoints })),
})

test.each([
  [2, []],
  [3, [300]],
  [5, [500]],
  [6, [900]],
])('of %i pieces at $10.00, tiers of 10%% from 3 and 15%% from 6 take off %j', (quantity, off) => {
  expect(offBy([lineOf(1, 1000, quantity)], codeOf(tiers([6, 1500], [3, 1000])))).toEqual(off)
})

describe('automatic discounts', () => {
  const three = (id: number, more: Partial<CodeRule> = {}) => ({
    ...codeOf(tiers([3, 1000]), more, id),
    isAutomatic: true,
  })
  const idsFor = (quantity: number, entered: UsableCode[], automatic: UsableCode[]) =>
    automaticFor([lineOf(1, 1000, quantity)], entered, automatic, types).map(({ id }) => id)
  const alone = { combines: false }

  test.each([
    ['that do not fit are left out', 2, [], [three(1)], []],
    ['that combine are taken together', 3, [], [three(2), three(1)], [1, 2]],
    [
      'one that takes more off than the others together is taken alone',
      3,
      [],
      [three(1), { ...three(2, alone), rule: { ...everything, benefit: percent(2000), combines: false } }],
      [2],
    ],
    ['of two that are equal, the older one is taken', 3, [], [three(2, alone), three(1, alone)], [1]],
    ['join an entered code that combines', 3, [codeOf(percent(500), {}, 9)], [three(1), three(2, alone)], [1]],
    ['give way to an entered code that does not combine', 3, [codeOf(percent(500), alone, 9)], [three(1)], []],
    [
      'do not give way to a code that takes nothing off',
      3,
      [codeOf(percent(500), { ...alone, minimum: cents(9000) }, 9)],
      [three(1)],
      [1],
    ],
  ] as [string, number, UsableCode[], UsableCode[], number[]][])('%s', (_, quantity, entered, automatic, ids) => {
    expect(idsFor(quantity, entered, automatic)).toEqual(ids)
  })
})

test.each([
  [percent(6000), 0, 1017],
  [tiers([3, 1000], [6, 2000]), 0, 339],
  [amount(500), 0, 500],
  [amount(5000), 0, 1645],
  [amount(500), 3390, 250],
  [{ kind: 'buy_get', buy: 2, get: 1 }, 0, 565],
  [{ kind: 'shipping' }, 0, 0],
] as [Benefit, number, number][])(
  '%j from %i cents takes at most %i off one piece of $16.95',
  (benefit, minimum, off) => {
    expect(mostOffPiece({ ...everything, benefit, minimum: cents(minimum) }, cents(1695))).toBe(off)
  },
)

describe('one piece of $20.00, taken off with discounts that combine', () => {
  const piece = { price: cents(2000), productId: 1 as ProductId, collection: 'rudy', type: 'mug' }
  const off = (made: UsableCode, ...others: UsableCode[]) => mostOffTogether(made, others, piece)
  const automatic = (benefit: Benefit) => ({ ...codeOf(benefit), isAutomatic: true })

  test.each([
    ['alone', [], 200, false],
    ['adds what another takes off', [codeOf(amount(300))], 500, false],
    ['leaves out what is not for it', [codeOf(amount(300), { types: ['tote'] })], 200, false],
    ['adds every automatic discount', [automatic(amount(100)), automatic(percent(500))], 400, false],
    [
      'adds the most generous of more codes than a cart takes',
      [percent(100), percent(200), percent(300), percent(400), percent(500)].map((one) => codeOf(one)),
      480,
      false,
    ],
    ['is free of shipping by any of them', [codeOf({ kind: 'shipping' })], 200, true],
    ['leaves 50 cents', [codeOf(amount(5000))], 1950, false],
  ] as [string, UsableCode[], number, boolean][])('%s', (_, others, expected, isFreeOfShipping) => {
    expect(off(codeOf(percent(1000)), ...others)).toEqual({ off: expected, isFreeOfShipping })
  })

  test('is never less than what a cart takes off', () => {
    const codes = [codeOf(percent(1000), {}, 1), codeOf(amount(300), {}, 2), codeOf(percent(1500), {}, 3)]
    const [first, ...others] = codes
    if (!first) throw new Error('no code')
    const taken = discountLines([lineOf(1, 2000)], codes, types).discounts.reduce((sum, one) => sum + one.amount, 0)
    expect(off(first, ...others).off).toBeGreaterThanOrEqual(taken)
  })
})

test('an ended code never comes back', () => {
  expect([codeCanBecome('active', 'ended'), codeCanBecome('ended', 'active')]).toEqual([true, false])
})

test('a code is the same in small letters and with spaces', () => {
  expect(normalizeCode(' rudy 10 ')).toBe('RUDY10')
})
