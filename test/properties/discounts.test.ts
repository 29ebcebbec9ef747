import { expect, test } from 'vitest'
import type { Benefit } from '#domain/codes/code.ts'
import { discountLines, toCartLines, type UsableCode } from '#domain/codes/discount.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import { seededRandom } from '#sandbox/kit/random.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'

type Random = () => number
const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))

const lineOf = (random: Random, at: number): PricedLine => ({
  productId: (at + 1) as ProductId,
  variantId: (at + 101) as VariantId,
  productName: `Product ${at}`,
  variantName: null,
  imageUrl: null,
  collection: 'rudy',
  unitPrice: cents(whole(random, 1, 9999)),
  quantity: whole(random, 1, 99),
  metadata: {},
})

const benefits: ((random: Random) => Benefit)[] = [
  (random) => ({ kind: 'percent', basisPoints: whole(random, 1, 10_000) }),
  (random) => ({ kind: 'amount', amount: cents(whole(random, 1, 20_000)) }),
  (random) => ({ kind: 'buy_get', buy: whole(random, 1, 3), get: whole(random, 1, 2) }),
  () => ({ kind: 'shipping' }),
]

function codeOf(random: Random, at: number): UsableCode {
  const benefit = benefits[whole(random, 0, 3)]?.(random) ?? { kind: 'shipping' }
  const products = random() < 0.3 ? [whole(random, 1, 6) as ProductId] : []
  const limits = { types: [], collections: [], minimum: ZERO, isFirstOrderOnly: false, combines: true }
  return { id: at, code: `CODE${at}`, rule: { benefit, products, ...limits } }
}

const goodsOf = (lines: readonly PricedLine[]) =>
  lines.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0)

test('what codes take off 20,000 random carts is on their lines to the cent; 50 cents stay, and nothing is negative', () => {
  const random = seededRandom(22)
  for (let cart = 0; cart < 20_000; cart += 1) {
    const lines = Array.from({ length: whole(random, 1, 6) }, (_, at) => lineOf(random, at))
    const codes = Array.from({ length: whole(random, 1, 3) }, (_, at) => codeOf(random, at))
    const after = discountLines(lines, codes, new Map())
    const off = after.discounts.reduce((total, { amount }) => total + amount, 0)
    const isFor = ({ productId }: PricedLine) =>
      codes.some(({ rule: { products } }) => products.length === 0 || products.includes(productId))
    const others = JSON.stringify(lines.filter((line) => !isFor(line)))
    const wrong =
      (goodsOf(lines) - goodsOf(after.lines) !== off && `${off} is not what the lines lost`) ||
      (goodsOf(after.lines) < Math.min(50, goodsOf(lines)) && 'too little is left to pay') ||
      (after.lines.some(({ unitPrice, quantity }) => unitPrice < 0 || quantity < 1) && 'a line is negative or empty') ||
      (JSON.stringify(toCartLines(after.lines)) !== JSON.stringify(lines) && 'the cart is another one') ||
      (JSON.stringify(after.lines.filter((line) => !isFor(line))) !== others && 'a line changed that no code is for')
    if (wrong) expect.fail(`${wrong}: ${JSON.stringify({ lines, codes, after })}`)
  }
})
