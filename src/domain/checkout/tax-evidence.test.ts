import { expect, test } from 'vitest'
import { cents, ZERO } from '#shared/money.ts'
import type { FrozenCheckout } from './checkout.ts'
import { quoteFor, type TaxAnswer } from './quote.ts'
import { taxBasisOf, taxEvidenceOf } from './tax-evidence.ts'

const berlin = {
  line1: 'Unter den Linden 77',
  line2: null,
  city: 'Berlin',
  state: null,
  postalCode: '10117',
  country: 'DE',
}
const rates = [{ jurisdiction: 'DE', type: 'vat', percentage: '19.0', amount: cents(190) }]
const taxed: TaxAnswer = {
  amount: cents(190),
  breakdown: rates,
  calculationId: 'taxcalc_1',
  estimated: false,
  reasons: ['standard_rated'],
}
const untaxed: TaxAnswer = { ...taxed, amount: ZERO, breakdown: [], reasons: ['not_collecting'] }

const frozen = (tax: TaxAnswer, vatProtection?: { amount: ReturnType<typeof cents>; estimated: boolean }) =>
  ({
    customer: { email: 'ada@mail.example', name: 'Ada', phone: null, taxNumber: null },
    shippingAddress: berlin,
    billingAddress: null,
    lines: [],
    quote: quoteFor('DE', [], tax, vatProtection && { vatProtection }),
    taxCalculationId: tax.calculationId,
    taxBasis: taxBasisOf(tax, vatProtection),
  }) satisfies FrozenCheckout
const noon = new Date('2026-11-21T12:00:00Z')

test('tax evidence has address, rates, source and time', () => {
  expect(taxEvidenceOf(frozen(taxed), noon)).toEqual({
    at: '2026-11-21T12:00:00.000Z',
    source: 'stripe_tax',
    calculationId: 'taxcalc_1',
    address: berlin,
    tax: 190,
    rates,
    reasons: ['standard_rated'],
    vatProtection: { source: 'not_asked', amount: 0 },
  })
})

test('tax evidence records an unavailable source', () => {
  const unavailable = { ...untaxed, calculationId: null, estimated: true, reasons: [] }
  expect(taxEvidenceOf(frozen(unavailable), noon)).toMatchObject({
    source: 'unavailable',
    calculationId: null,
    vatProtection: { source: 'not_asked' },
  })
})

test.each([
  [false, 'partner_estimate', 412],
  [true, 'unavailable', 0],
])('Printful’s consumption tax records its source, even if unavailable (%s)', (estimated, source, amount) => {
  const evidence = taxEvidenceOf(frozen(untaxed, { amount: cents(amount), estimated }), noon)
  expect(evidence).toMatchObject({ tax: 0, reasons: ['not_collecting'], vatProtection: { source, amount } })
})

test('an older checkout without a tax basis still has evidence', () => {
  const { taxBasis: _, ...old } = frozen(taxed)
  expect(taxEvidenceOf(old, noon)).toMatchObject({ source: 'stripe_tax', reasons: [] })
  expect(taxEvidenceOf({ ...old, taxCalculationId: null }, noon)).toMatchObject({ source: 'unavailable' })
})
