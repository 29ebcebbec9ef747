import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openKit } from '#sandbox/kit/kit.ts'
import { openBooks } from './books.ts'
import type { Needs } from './needs.ts'
import { findTaxPlace } from './rates.ts'
import { calculateTax, recordTax, reverseTax } from './tax.ts'

const kit = openKit({ speed: 0 })
afterAll(() => kit.close())
const freshNeeds = (): Needs => ({ kit, books: openBooks(), tell: () => {}, later: () => () => {} })

const places = [
  { country: 'DE' },
  { country: 'US', state: 'MN', postal_code: '55401' },
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

test('a flat reversal gives back exactly what it says, however it is spread', () => {
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

test('Nova Scotia has one harmonised tax, Quebec two of its own', () => {
  expect(findTaxPlace({ country: 'CA', state: 'Nova Scotia', postal_code: 'B3H 1A1' })).toMatchObject({
    parts: [{ taxType: 'hst', rate: 0.14 }],
  })
  expect(findTaxPlace({ country: 'CA', state: 'QC', postal_code: 'H2X 1Y4' })).toMatchObject({
    parts: [{ taxType: 'gst' }, { taxType: 'qst' }],
  })
})
