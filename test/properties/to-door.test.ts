import { expect, test } from 'vitest'
import { mainCountries } from '#domain/checkout/countries.ts'
import { FREE_SHIPPING, quoteFor, type PricedLine } from '#domain/checkout/quote.ts'
import { isTaxedByRegion, leftOut, quoteToDoor, type CountryTax } from '#domain/checkout/to-door.ts'
import { discountLines } from '#domain/codes/discount.ts'
import { seededRandom } from '#sandbox/kit/random.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'

// What is shown before an address is known is what the checkout freezes, to the cent, except for a tax that the text beside it names.
// This test adds up with whole numbers and uses none of the shop's arithmetic.

const CARTS = 100_000
const SURCHARGED = ['BR', 'JP', 'AU', 'NZ']
/** Percentages in basis points, as countries have them. */
const rates = [2700, 2550, 2500, 2100, 2000, 1900, 1500, 1000, 900, 810]

type Random = () => number
const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))

const aLine = (random: Random, at: number): PricedLine => ({
  productId: (at + 1) as ProductId,
  variantId: (at + 101) as VariantId,
  productName: `Thing ${at}`,
  variantName: null,
  imageUrl: null,
  collection: 'rudy',
  unitPrice: cents(whole(random, 1, 20_000)),
  quantity: whole(random, 1, 99),
  metadata:
    random() < 0.3
      ? {
          shippingSurcharge: {
            amount: cents(whole(random, 1, 9999)),
            regions: SURCHARGED,
            description: 'Travels alone.',
            enabled: true,
          },
        }
      : {},
})

/** Half a cent up, in whole numbers. */
const taxed = (amount: number, basisPoints: number) => Math.floor((amount * basisPoints * 2 + 10_000) / 20_000)

test(`${CARTS} random carts: what is shown for a country is what its checkout freezes, and an independent sum`, () => {
  const random = seededRandom(22)
  const everything = {
    products: [],
    types: [],
    collections: [],
    minimum: cents(0),
    isFirstOrderOnly: false,
    combines: true,
  }
  for (let cart = 0; cart < CARTS; cart += 1) {
    const country = mainCountries[whole(random, 0, mainCountries.length - 1)] ?? 'US'
    const listed = Array.from({ length: whole(random, 1, 6) }, (_, at) => aLine(random, at))
    const codes = [
      ...(random() < 0.3 ? [{ kind: 'percent' as const, basisPoints: whole(random, 1, 9000) }] : []),
      ...(random() < 0.1 ? [{ kind: 'shipping' as const }] : []),
    ].map((benefit, id) => ({ id, code: `CODE${id}`, rule: { ...everything, benefit } }))
    const { lines, discounts } = discountLines(listed, codes, new Map())
    const basisPoints = rates[whole(random, 0, rates.length - 1)] ?? 0
    const vat = random() < 0.5 ? 0 : whole(random, 2, 9999)
    const tax: CountryTax = isTaxedByRegion(country)
      ? { kind: 'by_region' }
      : random() < 0.7
        ? { kind: 'rates', rates: [{ jurisdiction: country, type: 'vat', percentage: (basisPoints / 100).toFixed(2) }] }
        : { kind: 'none' }
    const vatProtection = { amount: cents(tax.kind === 'none' ? vat : 0), estimated: false }

    const goods = lines.map(({ unitPrice, quantity }) => unitPrice * quantity)
    const isFree = codes.some(({ rule }) => rule.benefit.kind === 'shipping')
    const surcharge = isFree
      ? 0
      : listed.reduce((total, { metadata, quantity }) => {
          const perPiece = SURCHARGED.includes(country) ? (metadata.shippingSurcharge?.amount ?? 0) : 0
          return total + perPiece * quantity
        }, 0)
    const subtotal = goods.reduce((total, one) => total + one, 0)
    // Of the address, by the tax source; in the US and Canada the tax of its state comes on top.
    const due =
      tax.kind === 'none' ? 0 : [...goods, surcharge].reduce((total, one) => total + taxed(one, basisPoints), 0)

    const shown = quoteToDoor(country, lines, tax, { rate: FREE_SHIPPING, vatProtection, discounts })
    const left = leftOut(country, shown, tax)
    const frozen = quoteFor(
      country,
      lines,
      { amount: cents(due), breakdown: [], estimated: false },
      { vatProtection, discounts },
    )
    const notShown = tax.kind === 'by_region' ? due : 0
    const wrong =
      (shown.subtotal !== subtotal && 'the goods') ||
      (shown.shipping !== surcharge && 'the shipping') ||
      (shown.total !== subtotal + surcharge + shown.tax + vatProtection.amount && 'the sum') ||
      (shown.total + notShown !== frozen.total && 'the total') ||
      (shown.tax + notShown !== frozen.tax && 'the tax') ||
      ((left === undefined) !== (shown.tax + shown.vatProtection > 0 || (tax.kind === 'rates' && due === 0)) &&
        'the sentence about what is left')
    if (wrong) expect.fail(`${wrong}: ${JSON.stringify({ country, tax, lines, discounts, shown, frozen, left })}`)
  }
})
