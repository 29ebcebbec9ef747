import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { negateTax, taxOfRefund, type TaxAmounts } from '#domain/tax/bookings.ts'
import { cents, share, sum, ZERO } from '#shared/money.ts'
import {
  asDocument,
  euroTaxOf,
  invoiceNumber,
  linesFor,
  linesOfOrder,
  linesOfRefund,
  netOfLines,
  restOfDocuments,
  totalOfAmounts,
  type InvoiceContent,
  type InvoiceLine,
} from './invoice.ts'
import { vatTreatmentOf } from './vat.ts'

const mug = { productName: 'Mug', variantName: null, quantity: 1, unitPrice: cents(1450) }
const hat = { productName: 'Hat', variantName: 'Black / L', quantity: 3, unitPrice: cents(2999) }

test('numbers count by year', () => {
  expect(invoiceNumber('', 2026, 1)).toBe('2026-000001')
  expect(invoiceNumber('R', 2027, 1_234_567)).toBe('R-2027-1234567')
})

describe('lines', () => {
  test('of an order: goods, shipping and surcharges, without what costs nothing', () => {
    const sending = {
      shipping: cents(1299),
      shippingMethod: 'Standard',
      surcharges: [{ productName: 'Mug', amount: cents(300) }],
    }
    expect(linesOfOrder([hat, mug], sending).map((line) => [line.name, line.detail, netOfLines([line])])).toEqual([
      ['Hat', 'Black / L', 8997],
      ['Mug', null, 1450],
      ['Shipping', 'Standard', 999],
      ['Shipping surcharge', 'Mug', 300],
    ])
    expect(linesOfOrder([mug], { shipping: ZERO, shippingMethod: 'Free', surcharges: [] })).toHaveLength(1)
  })

  test('of a refund name its pieces only if it is for exactly these', () => {
    const parts = { shipping: cents(250), surcharge: ZERO }
    expect(linesOfRefund([mug], { ...parts, merchandise: cents(1450) }).map(({ name }) => name)).toEqual([
      ...['Mug', 'Refund for shipping'],
    ])
    expect(linesOfRefund([mug], { ...parts, merchandise: cents(1000) }).map(({ name }) => name)).toEqual([
      ...['Refund for goods', 'Refund for shipping'],
    ])
  })

  test('always sum to what was booked', () => {
    expect(
      linesFor(cents(1450), linesOfOrder([mug], { shipping: ZERO, shippingMethod: '', surcharges: [] }), 'Rest'),
    ).toHaveLength(1)
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), (net) => {
        const lines = linesFor(cents(net), [{ name: 'Mug', detail: null, quantity: 1, unitPrice: cents(1450) }], 'Rest')
        expect(netOfLines(lines)).toBe(net)
        expect(lines.every(({ unitPrice }) => unitPrice >= 0)).toBe(true)
      }),
    )
  })
})

test('what is left of an order by its documents is what its bookings leave, to the cent and by rate', () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 1_000_000 }),
      fc.constantFrom('7', '19', '25.5'),
      cuts,
      (net, rate, parts) => {
        const tax = share(cents(net), Number(rate) * 100)
        const sale: TaxAmounts = {
          ...{ net: cents(net), tax, vatProtection: ZERO },
          parts: [{ type: 'vat', percentage: rate, taxable: cents(net), tax }],
        }
        const line = (amount: number): InvoiceLine[] => [
          { name: 'Goods', detail: null, quantity: 1, unitPrice: cents(amount) },
        ]
        const documents: Pick<InvoiceContent, 'kind' | 'lines' | 'amounts'>[] = [
          { kind: 'invoice', lines: line(net), amounts: sale },
        ]
        for (const cut of parts) {
          const { amounts: rest } = restOfDocuments(documents)
          const refunded = {
            net: cents(Math.floor(rest.net * cut)),
            tax: cents(Math.floor(rest.tax * cut)),
            vatProtection: ZERO,
          }
          const { kind, amounts } = asDocument(negateTax(taxOfRefund(rest, refunded)))
          if (totalOfAmounts(amounts) === ZERO) continue
          expect(kind).toBe('credit_note')
          documents.push({ kind, amounts, lines: linesFor(amounts.net, [], 'Refund') })
        }
        const { lines, amounts } = restOfDocuments(documents)
        const signed = documents.map(({ kind, amounts: of }) => (kind === 'invoice' ? 1 : -1) * totalOfAmounts(of))
        expect(totalOfAmounts(amounts)).toBe(signed.reduce((all, one) => all + one, 0))
        expect(netOfLines(lines)).toBe(amounts.net)
        expect(sum(amounts.parts.map((part) => part.tax))).toBe(amounts.tax)
      },
    ),
  )
})

describe('tax in euros', () => {
  const rates = [
    { day: '2026-10-01', perEuro: 1.1 },
    { day: '2026-11-20', perEuro: 1.25 },
    { day: '2026-11-25', perEuro: 2 },
  ]
  test.each<[string, string, string | undefined]>([
    ['the newest rate until the day of payment', '2026-11-24', '10.00'],
    ['on that day', '2026-11-20', '10.00'],
    ['an older one within a month', '2026-11-01', '11.36'],
    ['nothing older', '2026-11-02', undefined],
    ['nothing before the first', '2026-09-30', undefined],
  ])('%s', (_, day, amount) => {
    expect(euroTaxOf(cents(1250), day, rates)?.amount).toBe(amount)
  })
})

describe('tax in the structured form', () => {
  const net = cents(10_000)
  const seller = { country: 'DE', vatId: 'DE136695976', taxNumber: '', register: 'HRB 1' }
  const outside = { isExport: false, exemption: '' }
  const part = (type: string, percentage: string, taxable: number, tax: number) => ({
    ...{ type, percentage, taxable: cents(taxable), tax: cents(tax) },
  })
  const amounts = (parts: TaxAmounts['parts'], vatProtection = ZERO): TaxAmounts => ({
    ...{ net, tax: sum(parts.map(({ tax }) => tax)), vatProtection, parts },
  })

  test.each<[string, TaxAmounts, Partial<typeof seller>, Partial<typeof outside>, string, string]>([
    ['VAT', amounts([part('vat', '19', 10_000, 1900)]), {}, {}, 'DE', 'S'],
    [
      'VAT by a seller without its number',
      amounts([part('vat', '19', 10_000, 1900)]),
      { vatId: '' },
      {},
      'DE',
      'VAT number',
    ],
    ['sales tax', amounts([part('sales_tax', '8.875', 10_000, 888)]), {}, {}, 'US', 'VAT alone'],
    ['two rates', amounts([part('vat', '19', 6000, 1140), part('vat', '7', 4000, 280)]), {}, {}, 'DE', 'VAT alone'],
    ['VAT on a part of it', amounts([part('vat', '19', 6000, 1140)]), {}, {}, 'DE', 'VAT alone'],
    ['VAT beside the printer’s tax', amounts([part('vat', '19', 10_000, 1900)], cents(5)), {}, {}, 'DE', 'VAT alone'],
    ['a rate that was not stored', amounts([part('not_stored', '', 10_000, 1900)]), {}, {}, 'DE', 'not known'],
    ['a tax that was not calculated', amounts([part('not_calculated', '', 10_000, 0)]), {}, {}, 'DE', 'not known'],
    ['without tax, abroad', amounts([]), {}, {}, 'CH', 'O'],
    ['an export', amounts([]), {}, { isExport: true }, 'CH', 'G'],
    ['no export within the European Union', amounts([]), {}, { isExport: true }, 'FR', 'O'],
    ['no export by a seller elsewhere', amounts([]), { country: 'US', vatId: '' }, { isExport: true }, 'CH', 'O'],
    ['a small business', amounts([]), {}, { exemption: 'Small' }, 'DE', 'E'],
    ['whose reason says nothing about sales abroad', amounts([]), {}, { exemption: 'Small' }, 'CH', 'O'],
    ['with the printer’s tax', amounts([], cents(790)), {}, { isExport: true }, 'CH', 'O'],
    ['a seller without any number', amounts([]), { register: '' }, {}, 'CH', 'register'],
  ])('%s', (_, of, from, untaxed, to, expected) => {
    const treatment = vatTreatmentOf(of, { ...seller, ...from }, { ...outside, ...untaxed }, to)
    if ('category' in treatment) expect(treatment.category).toBe(expected)
    else expect(treatment.objection).toContain(expected)
  })
})
