import { expect, test } from 'vitest'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { discountLines } from '#domain/codes/discount.ts'
import { quoteFor, type PricedLine, type Quote } from '#domain/checkout/quote.ts'
import { payableBy, toPayOf } from '#domain/gift-cards/gift-card.ts'
import { entriesOfRefund, entriesOfRefundToGiftCard, entriesOfSale, type Entry } from '#domain/ledger/ledger.ts'
import { partsOfAmounts } from '#domain/orders/change.ts'
import { partsOfAmount, remainingParts, splitOver, totalOf } from '#domain/payments/returns.ts'
import type { CheckoutId, OrderNumber, ProductId, VariantId } from '#shared/ids.ts'
import { cents, formatUsd, type Cents } from '#shared/money.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { summaryOf, paymentStartOf } from '#server/checkout/wire.ts'
import { toWireQuote } from '#server/checkout/wire-quote.ts'
import { toPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { orderBody } from '#server/providers/paypal/orders.ts'
import { draftBody } from '#server/providers/printful/client.ts'
import { intentFields } from '#server/providers/stripe/intents.ts'
import { seededRandom } from '#sandbox/kit/random.ts'

// The amounts shown, charged, booked, refunded and submitted to the printer agree to the cent. This test computes with whole numbers and
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

/** `percent`: of a code, in basis points; `balance`: of a gift card; 0 without one. `returned`: the thousandths refunded first. */
type Cart = {
  country: string
  lines: PricedLine[]
  tax: number
  vat: number
  percent: number
  balance: number
  returned: number
}

const aCart = (random: Random): Cart => ({
  country: oneOf(random, mainCountries),
  lines: Array.from({ length: whole(random, 1, 6) }, (_, position) => aLine(random, position)),
  tax: random() < 0.3 ? 0 : whole(random, 1, 500_000),
  vat: random() < 0.8 ? 0 : whole(random, 1, 50_000),
  percent: random() < 0.7 ? 0 : whole(random, 100, 9000),
  balance: random() < 0.6 ? 0 : random() < 0.3 ? oneOf(random, criticalPrices) : whole(random, 1, 500_000),
  returned: random() < 0.5 ? 0 : whole(random, 1, 1000),
})

/** What the cart costs, computed independently. */
function owed({ country, lines, tax, vat, percent, balance, returned }: Cart) {
  let subtotal = 0
  let surcharge = 0
  for (const { unitPrice, quantity, metadata } of lines) {
    subtotal += unitPrice * quantity
    const perPiece = metadata.shippingSurcharge
    if (perPiece?.enabled && SURCHARGED.includes(country)) surcharge += perPiece.amount * quantity
  }
  subtotal -= Math.min(Math.floor((subtotal * percent + 5000) / 10_000), Math.max(0, subtotal - 50))
  const total = subtotal + surcharge + tax + vat
  // A card or wallet is charged 50 cents or more.
  const byGiftCard = Math.max(0, Math.min(balance, total - 50))
  const toPay = total - byGiftCard
  const first = Math.floor((total * returned) / 1000)
  // The payment gives back what it has before the gift card does.
  const firstToPayment = Math.min(first, toPay)
  return { subtotal, surcharge, tax, vat, total, byGiftCard, toPay, first, firstToPayment }
}

/** `1234.50` in cents, without floating point. */
function centsOfText(text: unknown): number {
  const match = /^\$?([\d,]+)\.(\d\d)$/.exec(String(text))
  if (!match) throw new Error(`${String(text)} is no amount`)
  return Number((match[1] ?? '').replaceAll(',', '') + (match[2] ?? ''))
}

const arrival = { from: 20_790, to: 20_794 }
type WindowedQuote = Quote & { arrival: typeof arrival }

const address = { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' }

const everything = { products: [], types: [], collections: [], minimum: cents(0) }

function frozenFrom({
  country,
  lines: cart,
  tax,
  vat,
  percent,
  balance,
}: Cart): FrozenCheckout & { quote: WindowedQuote } {
  const taxed = { amount: cents(tax), breakdown: [], calculationId: null, estimated: false }
  const benefit = { kind: 'percent' as const, basisPoints: percent }
  const rule = { ...everything, benefit, isFirstOrderOnly: false, combines: false }
  const { lines, discounts } = discountLines(cart, percent > 0 ? [{ id: 1, code: 'CODE', rule }] : [], new Map())
  const vatProtection = { amount: cents(vat), estimated: false }
  const bare = { ...quoteFor(country, lines, taxed, { discounts, vatProtection }), arrival }
  const quote = { ...bare, ...withShare({ id: 1, lastFour: '8T2N', balance: cents(balance) }, bare.total) }
  return {
    customer: { email: 'ada@mail.example', name: 'Ada Byron', phone: null, taxNumber: null },
    shippingAddress: { ...address, country },
    billingAddress: null,
    lines,
    quote,
    taxCalculationId: null,
  }
}

/** As the checkout takes it, where the card pays something. */
const withShare = ({ balance, ...card }: { id: number; lastFour: string; balance: Cents }, total: Cents) => {
  const amount = payableBy(balance, total)
  return amount > 0 ? { giftCard: { ...card, amount } } : {}
}

const ids = { checkoutId: 'c' as CheckoutId, quoteHash: 'q', orderNumber: 'K7QM-4T2X' as OrderNumber }

/** The totals the browser shows, as numbers and as text. */
function shown({ quote, shippingAddress: { country } }: ReturnType<typeof frozenFrom>) {
  const wire = toWireQuote(quote, country)
  const start = paymentStartOf(quote, wire, 'secret', 'pi_1')
  return {
    toPay: [start.total_amount, start.summary.total, summaryOf(quote).total, centsOfText(formatUsd(toPayOf(quote)))],
    total: [quote.total, start.quote.total],
    parts: wire.goods - wire.discount + wire.shipping + wire.tax + wire.vatProtection,
    byGiftCard: [wire.giftCard?.amount ?? 0, start.summary.giftCard?.amount ?? 0],
  }
}

const charged = (frozen: FrozenCheckout) =>
  intentFields({
    ...ids,
    shopName: 'The Shop',
    amount: toPayOf(frozen.quote),
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
    invoice: ids.orderNumber,
    shopName: 'The Shop',
    attempt: 1,
    lines: frozen.lines,
    amounts: frozen.quote,
    delivery: { customer: frozen.customer, address: frozen.shippingAddress },
    returnUrl: 'https://shop.example/',
    cancelUrl: 'https://shop.example/',
  }) as WalletBody
  const [unit] = body.purchase_units
  if (!unit) throw new Error('a wallet order without a purchase')
  const { amount, items } = unit
  const { discount, ...added } = amount.breakdown
  const parts = Object.values(added).map(({ value }) => centsOfText(value))
  return {
    total: centsOfText(amount.value),
    parts: parts.reduce((sum, part) => sum + part, 0) - (discount ? centsOfText(discount.value) : 0),
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

/** Some of it, then the rest: what goes back to the payment and to the gift card, and all their entries. */
function refunded({ quote }: FrozenCheckout, first: number) {
  const whole = partsOfAmounts(quote)
  const left = [toPayOf(quote), quote.giftCard?.amount ?? cents(0)]
  const begun = splitOver(partsOfAmount(whole, cents(first)), left)
  const gone = begun.map(totalOf)
  const ended = splitOver(
    remainingParts(whole, begun),
    left.map((had, source) => cents(had - (gone[source] ?? 0))),
  )
  const entries = [begun, ended].flatMap(([toPayment, toCard]) => [
    ...(toPayment ? entriesOfRefund('stripe', toPayment) : []),
    ...(toCard ? entriesOfRefundToGiftCard(toCard) : []),
  ])
  return { firstToPayment: gone[0] ?? 0, firstToCard: gone[1] ?? 0, entries }
}

const sumOn = (entries: Entry[], account: string): number =>
  entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0)

/** Everything goes back to where it came from, and nothing stays booked. */
const afterRefunds = (
  sold: Entry[],
  back: ReturnType<typeof refunded>,
  due: ReturnType<typeof owed>,
): [what: string, found: number, expected: number][] => [
  ['first refunded to the payment', back.firstToPayment, due.firstToPayment],
  ['first refunded to the gift card', back.firstToCard, due.first - due.firstToPayment],
  ['refunded to the payment', -sumOn(back.entries, 'provider:stripe'), due.toPay],
  ['refunded to the gift card', -sumOn(back.entries, 'liability:gift_cards'), due.byGiftCard],
  ['left booked', sold.filter(({ account, amount }) => amount + sumOn(back.entries, account) !== 0).length, 0],
]

function disagreement(cart: Cart): string | undefined {
  const due = owed(cart)
  const frozen = frozenFrom(cart)
  const { quote } = frozen
  const entries = entriesOfSale('stripe', quote, quote.giftCard?.amount)
  const booked = (account: string) => sumOn(entries, account)
  const { toPay, total, parts, byGiftCard } = shown(frozen)
  const back = cart.returned > 0 ? refunded(frozen, due.first) : undefined
  const wallet = chargedByWallet(frozen)
  const partner = sentToPartner(frozen)

  const pairs: [what: string, found: number, expected: number][] = [
    ...toPay.map((amount, index): [string, number, number] => [`shown to pay ${index}`, amount, due.toPay]),
    ...total.map((amount, index): [string, number, number] => [`shown ${index}`, amount, due.total]),
    ...byGiftCard.map((amount, index): [string, number, number] => [`the gift card ${index}`, amount, due.byGiftCard]),
    ['the quote’s parts', parts, due.total],
    ['subtotal', quote.subtotal, due.subtotal],
    ['shipping', quote.shipping, due.surcharge],
    ['charged by card', charged(frozen), due.toPay],
    ['charged by wallet', wallet.total, due.toPay],
    ['the wallet’s parts', wallet.parts, due.toPay],
    ['the wallet’s item total', wallet.itemTotal, due.subtotal],
    ['the wallet’s items', wallet.items, due.subtotal],
    ['booked at the provider', booked('provider:stripe'), due.toPay],
    ['booked as used from gift cards', booked('liability:gift_cards'), due.byGiftCard],
    ['booked as merchandise', -booked('revenue:merchandise'), due.subtotal],
    ['booked as shipping', -booked('revenue:shipping') - booked('revenue:surcharge'), due.surcharge],
    ['booked as tax', -booked('liability:tax'), due.tax],
    ['booked as consumption tax', -booked('liability:vat_protection'), due.vat],
    ['the posting', entries.reduce((sum, { amount }) => sum + amount, 0), 0],
    ...(back ? afterRefunds(entries, back, due) : []),
    ['the partner’s items', partner.items, due.subtotal],
    ['the partner’s shipping', partner.shipping, due.surcharge],
    ['the partner’s tax', partner.tax, due.tax],
  ]
  const wrong = pairs.find(([, found, expected]) => found !== expected)
  return wrong && `${wrong[0]}: ${wrong[1]}, not ${wrong[2]}, for ${JSON.stringify(cart)}`
}

test(`${CARTS} random carts are shown, charged, booked, refunded and submitted with the same amounts, to the cent (seed ${SEED})`, () => {
  const random = seededRandom(SEED)
  for (let n = 0; n < CARTS; n += 1) {
    const wrong = disagreement(aCart(random))
    if (wrong) expect.fail(`cart ${n}: ${wrong}`)
  }
})

test.each(criticalPrices)('%i cents are the same amount in every format (S09)', (price) => {
  const line = { ...aLine(() => 0.5, 0), unitPrice: cents(price), quantity: 1, metadata: {} }
  expect(
    disagreement({ country: 'US', lines: [line], tax: 0, vat: 0, percent: 0, balance: 0, returned: 500 }),
  ).toBeUndefined()
})
