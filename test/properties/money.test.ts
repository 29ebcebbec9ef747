import { expect, test } from 'vitest'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { discountLines } from '#domain/codes/discount.ts'
import { quoteFor, type PricedLine, type Quote } from '#domain/checkout/quote.ts'
import { entriesOfSale } from '#domain/ledger/ledger.ts'
import type { CheckoutId, OrderNumber, ProductId, VariantId } from '#shared/ids.ts'
import { cents, formatUsd } from '#shared/money.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { summaryOf, paymentStartOf } from '#server/checkout/wire.ts'
import { toPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { orderBody } from '#server/providers/paypal/orders.ts'
import { draftBody } from '#server/providers/printful/client.ts'
import { intentFields } from '#server/providers/stripe/intents.ts'
import { seededRandom } from '#sandbox/kit/random.ts'

// The amounts shown, charged, booked and submitted to the printer agree to the cent. This test computes with whole numbers and
// text, and uses none of the shop's arithmetic.

const CARTS = 100_000
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_121)

/** Prices that have broken shops: around a dollar, around a hundred, around ten thousand; and any other. */
const criticalPrices = [1, 2, 99, 100, 101, 999, 1000, 1999, 9999, 10_000, 10_001, 99_999, 100_000, 1_000_000]
const SURCHARGED = ['BR', 'JP', 'AU', 'NZ']

type Random = () => number

const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))
const oneOf = <T>(random: Random, things: readonly T[]): T => {
  const thing = things[Math.floor(random() * things.length)]
  if (thing === undefined) throw new Error('nothing to choose from')
  return thing
}

function aLine(random: Random, position: number): PricedLine {
  const surcharge = random() < 0.3 ? whole(random, 1, 9999) : undefined
  return {
    productId: (position + 1) as ProductId,
    variantId: (4_900_000_000 + position) as VariantId,
    productName: `Thing ${position}`,
    variantName: random() < 0.5 ? 'Charcoal / M' : null,
    imageUrl: null,
    collection: 'rudy',
    unitPrice: cents(random() < 0.5 ? oneOf(random, criticalPrices) : whole(random, 1, 100_000)),
    quantity: whole(random, 1, 99),
    metadata:
      surcharge === undefined
        ? {}
        : {
            shippingSurcharge: {
              amount: cents(surcharge),
              regions: SURCHARGED,
              description: 'Travels alone.',
              enabled: random() < 0.8,
            },
          },
  }
}

/** `percent`: of a code, in basis points; 0 without one. */
type Cart = { country: string; lines: PricedLine[]; tax: number; vat: number; percent: number }

const aCart = (random: Random): Cart => ({
  country: oneOf(random, mainCountries),
  lines: Array.from({ length: whole(random, 1, 6) }, (_, position) => aLine(random, position)),
  tax: random() < 0.3 ? 0 : whole(random, 1, 500_000),
  vat: random() < 0.8 ? 0 : whole(random, 1, 50_000),
  percent: random() < 0.7 ? 0 : whole(random, 100, 9000),
})

/** What the cart costs, computed independently. */
function owed({ country, lines, tax, vat, percent }: Cart) {
  let subtotal = 0
  let surcharge = 0
  for (const { unitPrice, quantity, metadata } of lines) {
    subtotal += unitPrice * quantity
    const perPiece = metadata.shippingSurcharge
    if (perPiece?.enabled && SURCHARGED.includes(country)) surcharge += perPiece.amount * quantity
  }
  subtotal -= Math.min(Math.floor((subtotal * percent + 5000) / 10_000), Math.max(0, subtotal - 50))
  return { subtotal, surcharge, tax, vat, total: subtotal + surcharge + tax + vat }
}

/** `1234.50` in cents, without floating point. */
function centsOfText(text: unknown): number {
  const match = /^\$?([\d,]+)\.(\d\d)$/.exec(String(text))
  if (!match) throw new Error(`${String(text)} is no amount`)
  return Number((match[1] ?? '').replaceAll(',', '') + (match[2] ?? ''))
}

const address = { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' }

const everything = { products: [], types: [], collections: [], minimum: cents(0) }

function frozenFrom({ country, lines: cart, tax, vat, percent }: Cart): FrozenCheckout {
  const taxed = { amount: cents(tax), breakdown: [], calculationId: null, estimated: false }
  const benefit = { kind: 'percent' as const, basisPoints: percent }
  const rule = { ...everything, benefit, isFirstOrderOnly: false, combines: false }
  const { lines, discounts } = discountLines(cart, percent > 0 ? [{ id: 1, code: 'CODE', rule }] : [], new Map())
  const bare = quoteFor(country, lines, taxed, { discounts })
  // The printer's own consumption tax is requested separately from the pure part of the quote.
  const quote: Quote = { ...bare, vatProtection: cents(vat), total: cents(bare.total + vat) }
  return {
    customer: { email: 'ada@mail.example', name: 'Ada Byron', phone: null, taxNumber: null },
    shippingAddress: { ...address, country },
    billingAddress: null,
    lines,
    quote,
    taxCalculationId: null,
  }
}

const ids = { checkoutId: 'c' as CheckoutId, quoteHash: 'q', orderNumber: 'K7QM-4T2X' as OrderNumber }

/** The totals the browser shows, as numbers and as text. */
function shownTotals({ quote }: FrozenCheckout) {
  const start = paymentStartOf(quote, 'secret', 'pi_1')
  return [start.total_amount, start.summary.total, summaryOf(quote).total, centsOfText(formatUsd(quote.total))]
}

const charged = (frozen: FrozenCheckout) =>
  intentFields({
    ...ids,
    shopName: 'The Shop',
    amount: frozen.quote.total,
    order: { ...ids, ...frozen.customer, address: frozen.shippingAddress },
    idempotencyKey: 'k',
  }).amount

type Money = { value: string; currency_code: string }
type WalletBody = {
  purchase_units: {
    amount: Money & { breakdown: Record<string, Money> }
    items: { quantity: string; unit_amount: Money }[]
  }[]
}

/** The wallet's total, the sum of its breakdown, its item total, and the sum of its items. */
function chargedByWallet(frozen: FrozenCheckout) {
  const body = orderBody({
    ...ids,
    shopName: 'The Shop',
    attempt: 1,
    lines: frozen.lines,
    amounts: frozen.quote,
    customer: frozen.customer,
    address: frozen.shippingAddress,
    returnUrl: 'https://shop.example/',
    cancelUrl: 'https://shop.example/',
  }) as WalletBody
  const [unit] = body.purchase_units
  if (!unit) throw new Error('a wallet order without a purchase')
  const { amount, items } = unit
  const parts = Object.values(amount.breakdown).map(({ value }) => centsOfText(value))
  return {
    total: centsOfText(amount.value),
    parts: parts.reduce((sum, part) => sum + part, 0),
    itemTotal: centsOfText(amount.breakdown['item_total']?.value),
    items: items.reduce((sum, item) => sum + centsOfText(item.unit_amount.value) * Number(item.quantity), 0),
  }
}

type DraftBody = {
  /** Without a price when a piece is free. */
  items: { retail_price?: string; quantity: number }[]
  retail_costs: { shipping: string; tax: string }
}

/** The amounts on the customs papers. */
function sentToPartner({ lines, quote, customer, shippingAddress }: FrozenCheckout) {
  const order = {
    externalId: ids.orderNumber,
    customerName: customer.name,
    customerEmail: customer.email,
    customerPhone: customer.phone,
    texts: customer.texts ?? null,
    taxNumber: customer.taxNumber,
    shippingAddress,
    subtotalCents: quote.subtotal,
    shippingCents: quote.shipping,
    taxCents: quote.tax,
  }
  const orderLines = lines.map((line, position) => ({ ...line, position }))
  const body = draftBody(toPrinterOrder(order, orderLines)) as DraftBody
  const items = body.items.reduce((sum, item) => sum + centsOfText(item.retail_price ?? '0.00') * item.quantity, 0)
  return { items, shipping: centsOfText(body.retail_costs.shipping), tax: centsOfText(body.retail_costs.tax) }
}

function disagreement(cart: Cart): string | undefined {
  const due = owed(cart)
  const frozen = frozenFrom(cart)
  const { quote } = frozen
  const entries = entriesOfSale('stripe', quote)
  const booked = (account: string) =>
    entries.filter((entry) => entry.account === account).reduce((sum, { amount }) => sum + amount, 0)
  const wallet = chargedByWallet(frozen)
  const partner = sentToPartner(frozen)

  const pairs: [what: string, found: number, expected: number][] = [
    ...shownTotals(frozen).map((total, index): [string, number, number] => [`shown ${index}`, total, due.total]),
    ['subtotal', quote.subtotal, due.subtotal],
    ['shipping', quote.shipping, due.surcharge],
    ['charged by card', charged(frozen), due.total],
    ['charged by wallet', wallet.total, due.total],
    ['the wallet’s parts', wallet.parts, due.total],
    ['the wallet’s item total', wallet.itemTotal, due.subtotal],
    ['the wallet’s items', wallet.items, due.subtotal],
    ['booked at the provider', booked('provider:stripe'), due.total],
    ['booked as merchandise', -booked('revenue:merchandise'), due.subtotal],
    ['booked as shipping', -booked('revenue:shipping') - booked('revenue:surcharge'), due.surcharge],
    ['booked as tax', -booked('liability:tax'), due.tax],
    ['booked as consumption tax', -booked('liability:vat_protection'), due.vat],
    ['the posting', entries.reduce((sum, { amount }) => sum + amount, 0), 0],
    ['the partner’s items', partner.items, due.subtotal],
    ['the partner’s shipping', partner.shipping, due.surcharge],
    ['the partner’s tax', partner.tax, due.tax],
  ]
  const wrong = pairs.find(([, found, expected]) => found !== expected)
  return wrong && `${wrong[0]}: ${wrong[1]}, not ${wrong[2]}, for ${JSON.stringify(cart)}`
}

test(`${CARTS} random carts are shown, charged, booked and submitted with the same amounts, to the cent (seed ${SEED})`, () => {
  const random = seededRandom(SEED)
  for (let n = 0; n < CARTS; n += 1) {
    const wrong = disagreement(aCart(random))
    if (wrong) expect.fail(`cart ${n}: ${wrong}`)
  }
})

test.each(criticalPrices)('%i cents are the same amount in every format (S09)', (price) => {
  const line = { ...aLine(() => 0.5, 0), unitPrice: cents(price), quantity: 1, metadata: {} }
  expect(disagreement({ country: 'US', lines: [line], tax: 0, vat: 0, percent: 0 })).toBeUndefined()
})
