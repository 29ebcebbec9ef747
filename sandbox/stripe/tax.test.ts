import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { mainCountries } from '#domain/checkout/countries.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { openBooks } from './books.ts'
import type { Needs } from './needs.ts'
import { consumptionTaxes, withoutTax } from './published-rates.ts'
import { findTaxedPlace, findTaxPlace } from './rates.ts'
import { calculateTax, recordTax, reverseTax } from './tax.ts'

const kit = openKit({ speed: 0 })
afterAll(() => kit.close())
const freshNeeds = (): Needs => ({
  kit,
  books: openBooks(),
  sendEvent: () => {},
  base: () => '',
  later: () => () => {},
})

const places = [
  { country: 'DE' },
  { country: 'US', state: 'MN', postal_code: '55401' },
  { country: 'US', state: 'NY', postal_code: '10118' },
  { country: 'US', state: 'IL', postal_code: '60601' },
  { country: 'CA', state: 'QC', postal_code: 'H2X 1Y4' },
  { country: 'CA', state: 'NS', postal_code: 'B3H 1A1' },
  { country: 'HK' },
]
const amounts = fc.array(fc.integer({ min: 0, max: 500_000 }), { minLength: 1, maxLength: 6 })

test('a calculation adds up: lines, breakdown and total agree to the cent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      amounts,
      fc.integer({ min: 0, max: 20_000 }),
      (address, lines, shipping) => {
        const calculation = calculateTax(freshNeeds(), {
          currency: 'usd',
          customer_details: { address, address_source: 'shipping' },
          line_items: lines.map((amount) => ({ amount })),
          shipping_cost: { amount: shipping },
        })
        const perLine = (calculation.line_items?.data ?? []).reduce((sum, line) => sum + line.amount_tax, 0)
        const rows = calculation.tax_breakdown.reduce((sum, row) => sum + row.amount, 0)
        const goods = lines.reduce((sum, amount) => sum + amount, shipping)
        expect(perLine + (calculation.shipping_cost?.amount_tax ?? 0)).toBe(calculation.tax_amount_exclusive)
        expect(rows).toBe(calculation.tax_amount_exclusive)
        expect(calculation.amount_total).toBe(goods + calculation.tax_amount_exclusive)
      },
    ),
    { numRuns: 60 },
  )
})

test('a flat reversal returns exactly its amount, however it is spread', () => {
  fc.assert(
    fc.property(amounts, fc.double({ min: 0.01, max: 1, noNaN: true }), (lines, share) => {
      const needs = freshNeeds()
      const calculation = calculateTax(needs, {
        currency: 'usd',
        customer_details: { address: { country: 'DE' }, address_source: 'shipping' },
        line_items: lines.map((amount) => ({ amount })),
      })
      const flat = Math.ceil(calculation.amount_total * share)
      fc.pre(flat > 0)
      const { id } = recordTax(needs, { calculation: calculation.id, reference: 'R1' })
      const reversal = reverseTax(needs, {
        mode: 'partial',
        original_transaction: id,
        reference: 'R1-1',
        flat_amount: -flat,
      })
      const given = (reversal.line_items?.data ?? []).reduce((sum, line) => sum + line.amount + line.amount_tax, 0)
      expect(given).toBe(-flat)
    }),
    { numRuns: 60 },
  )
})

test('Nova Scotia has one harmonized tax, Quebec two taxes', () => {
  expect(findTaxPlace({ country: 'CA', state: 'Nova Scotia', postal_code: 'B3H 1A1' })).toMatchObject({
    parts: [{ taxType: 'hst', rate: 0.14 }],
  })
  expect(findTaxPlace({ country: 'CA', state: 'QC', postal_code: 'H2X 1Y4' })).toMatchObject({
    parts: [{ taxType: 'gst' }, { taxType: 'qst' }],
  })
})

/** In percent, all parts together. */
const rateOf = (address: Parameters<typeof findTaxedPlace>[0]) => {
  const place = findTaxedPlace(address)
  return place.kind === 'taxed' ? Number((place.parts.reduce((sum, { rate }) => sum + rate, 0) * 100).toFixed(6)) : 0
}

test.each([
  ['New York City', { country: 'US', state: 'NY', postal_code: '10118' }, 8.875],
  ['Los Angeles', { country: 'US', state: 'CA', postal_code: '90012' }, 9.75],
  ['San Francisco', { country: 'US', state: 'CA', postal_code: '94105' }, 8.625],
  ['Chicago', { country: 'US', state: 'IL', postal_code: '60601' }, 10.25],
  ['Austin', { country: 'US', state: 'TX', postal_code: '78701' }, 8.25],
  ['Las Vegas', { country: 'US', state: 'NV', postal_code: '89109' }, 8.375],
  ['a village in Texas', { country: 'US', state: 'TX', postal_code: '79830' }, 6.25],
  ['Portland, Oregon', { country: 'US', state: 'OR', postal_code: '97201' }, 0],
  ['a ZIP code of another state', { country: 'US', state: 'NY', postal_code: '90012' }, 4],
  ['Toronto', { country: 'CA', state: 'ON', postal_code: 'M5V 2T6' }, 13],
  ['Montreal', { country: 'CA', state: 'QC', postal_code: 'H2X 1Y4' }, 14.975],
  ['Calgary', { country: 'CA', state: 'AB', postal_code: 'T2P 1J9' }, 5],
  ['Lisbon', { country: 'PT', postal_code: '1100-148' }, 23],
  ['the Azores', { country: 'PT', postal_code: '9500-150' }, 16],
  ['Tenerife', { country: 'ES', postal_code: '38001' }, 0],
  ['Helgoland', { country: 'DE', postal_code: '27498' }, 0],
  ['Longyearbyen', { country: 'NO', postal_code: '9170' }, 0],
  ['Jersey', { country: 'GB', postal_code: 'JE2 3AB' }, 0],
  ['Hong Kong', { country: 'HK' }, 0],
] as const)('%s has its own rate', (_, address, percent) => expect(rateOf(address)).toBe(percent))

test('every delivery country has a published rate, or is known to have none', () => {
  const known = [...Object.keys(consumptionTaxes), ...withoutTax, 'CA', 'US']
  expect(mainCountries.filter((country) => !known.includes(country))).toEqual([])
  for (const { source, rate } of Object.values(consumptionTaxes)) {
    expect(source.length).toBeGreaterThan(10)
    expect(rate).toBeGreaterThan(0)
  }
})

test.each(['BR', 'KR', 'MX'])('in %s the demo collects nothing, where Printful charges the tax instead', (country) => {
  const address = { country, state: 'XX', postal_code: '01310-100' }
  expect(findTaxPlace(address)).toMatchObject({ kind: 'untaxed' })
  expect(rateOf(address)).toBeGreaterThan(0)
})
