import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import SaxonJS from 'saxon-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { Address } from '#domain/checkout/address.ts'
import {
  euroTaxOf,
  linesOfOrder,
  linesOfRefund,
  netOfLines,
  type InvoiceContent,
  type InvoiceLine,
} from '#domain/invoices/invoice.ts'
import { structuredInvoice } from '#domain/invoices/structured-invoice.ts'
import { vatTreatmentOf, type UntaxedSales } from '#domain/invoices/vat.ts'
import type { TaxPart } from '#domain/tax/bookings.ts'
import { cents, share, sum, ZERO } from '#shared/money.ts'

const PUBLISHED = new URL('published/', import.meta.url)
const SCHEMA = 'Factur-X_1.07.3_EN16931.xsd'
const parts = ['QualifiedDataType', 'ReusableAggregateBusinessInformationEntity', 'UnqualifiedDataType'].map(
  (name) => `Factur-X_1.07.3_EN16931_urn_un_unece_uncefact_data_standard_${name}_100.xsd`,
)
const contentsOf = (fileName: string) => ({ fileName, contents: readFileSync(new URL(fileName, PUBLISHED), 'utf8') })

let rules: object
beforeAll(() => {
  rules = JSON.parse(
    gunzipSync(readFileSync(new URL('EN16931-CII-validation.sef.json.gz', PUBLISHED))).toString(),
  ) as object
})

const schemaErrors = async (xml: string) =>
  (
    await validateXML({
      xml: { fileName: 'factur-x.xml', contents: xml },
      schema: contentsOf(SCHEMA),
      preload: parts.map(contentsOf),
    })
  ).errors.map(({ message }) => message)

/** The business rules that an invoice breaks, as their own report says. */
const brokenRules = (xml: string): string[] => {
  const { principalResult: report } = SaxonJS.transform({
    stylesheetInternal: rules,
    sourceText: xml,
    destination: 'serialized',
  })
  expect(report.match(/<svrl:fired-rule/g)?.length ?? 0).toBeGreaterThan(10)
  return [...report.matchAll(/<svrl:failed-assert[\s\S]*?<svrl:text>([\s\S]*?)<\/svrl:text>/g)].map(([, text = '']) =>
    text.trim(),
  )
}

const berlin: Address = {
  line1: 'Torstraße 1 & 2',
  line2: null,
  city: 'Berlin',
  state: null,
  postalCode: '10119',
  country: 'DE',
}
const seller: InvoiceContent['seller'] = {
  ...{ name: 'Pawtelier <GmbH>', street: 'Kai 1', postalCode: '20095', city: 'Hamburg', state: '', country: 'DE' },
  ...{ email: 'help@pawtelier.example', vatId: 'DE136695976', taxNumber: '22/815/0815', register: 'HRB 1, Hamburg' },
}
const goods = linesOfOrder(
  [
    { productName: 'Rudy Hat "Ünïcödé 帽子"', variantName: 'Black / L', quantity: 3, unitPrice: cents(2999) },
    { productName: 'Mug', variantName: null, quantity: 1, unitPrice: cents(1450) },
  ],
  {
    shipping: cents(1299),
    shippingMethod: 'Standard',
    surcharges: [{ productName: 'Mug', amount: cents(300) }],
  },
)
const refund = linesOfRefund([{ productName: 'Mug', variantName: null, quantity: 1, unitPrice: cents(1450) }], {
  ...{ merchandise: cents(1450), shipping: cents(250), surcharge: ZERO },
})

type Case = {
  lines?: InvoiceLine[]
  rate?: string
  vatProtection?: number
  from?: Partial<InvoiceContent['seller']>
  to?: Address
  untaxed?: UntaxedSales
  more?: Partial<InvoiceContent>
}

function contentOf({ lines = goods, rate, vatProtection = 0, from, to = berlin, untaxed, more }: Case): InvoiceContent {
  const net = netOfLines(lines)
  const tax = rate === undefined ? ZERO : share(net, Number(rate) * 100)
  const taxed: TaxPart[] = rate === undefined ? [] : [{ type: 'vat', percentage: rate, taxable: net, tax }]
  const amounts = { net, tax, vatProtection: cents(vatProtection), parts: taxed }
  const by = { ...seller, ...from }
  return {
    ...{ number: 'R-2026-000001', kind: 'invoice', issuedOn: '2026-11-24', orderNumber: 'PFK7QM-4T2X' },
    ...{ paidOn: '2026-11-23', paidWith: 'card', corrects: null, reason: null, seller: by, lines, amounts },
    buyer: { name: '山田 さくら', company: 'Käfer & Söhne', taxNumber: 'DE129273398', address: to },
    deliveredTo: { city: to.city, country: to.country },
    vat: vatTreatmentOf(amounts, by, untaxed ?? { isExport: false, exemption: '' }, to.country),
    euroTax: rate === undefined ? null : euroTaxOf(tax, '2026-11-23', [{ day: '2026-11-20', perEuro: 1.0858 }]),
    ...more,
  }
}

const abroad: Address = { ...berlin, city: 'Zürich', postalCode: '8001', country: 'CH' }
const corrects = { number: 'R-2026-000001', day: '2026-11-24' }

const cases: [string, string, Case][] = [
  ['standard rate', 'S', { rate: '19' }],
  ['a rate with decimals, without a euro rate', 'S', { rate: '25.5', more: { euroTax: null } }],
  ['a credit note', 'S', { rate: '19', lines: refund, more: { kind: 'credit_note', corrects, reason: 'Refund' } }],
  [
    'what is left after a refund',
    'S',
    {
      rate: '19',
      lines: [...goods, ...refund.map((line) => ({ ...line, quantity: -line.quantity }))],
      more: { corrects },
    },
  ],
  [
    'without any name of a company',
    'S',
    {
      rate: '19',
      more: { paidWith: 'paypal', buyer: { name: 'Ada', company: null, taxNumber: null, address: berlin } },
    },
  ],
  ['an export', 'G', { to: abroad, untaxed: { isExport: true, exemption: '' } }],
  ['outside of VAT', 'O', { to: abroad }],
  ['a small business', 'E', { untaxed: { isExport: false, exemption: 'Kleinunternehmer, § 19 UStG' } }],
  ['a seller in the United States', 'O', { from: { country: 'US', state: 'NY', vatId: '', taxNumber: '' } }],
  ['a seller with a tax number alone', 'O', { from: { vatId: '', register: '' } }],
  ['with the printer’s tax', 'O', { vatProtection: 790, from: { vatId: '' } }],
]

describe('an invoice keeps its published schema and the rules of EN 16931:', () => {
  test.each(cases)('%s (%s)', async (_, category, one) => {
    const content = contentOf(one)
    if (!('category' in content.vat)) throw new Error(content.vat.objection)
    expect(content.vat.category).toBe(category)
    const xml = structuredInvoice(content, content.vat)
    expect(await schemaErrors(xml)).toEqual([])
    expect(brokenRules(xml)).toEqual([])
  })

  test('and the rules notice a cent too much, a missing seller and tax without a rate', () => {
    const content = contentOf({ rate: '19' })
    if (!('category' in content.vat)) throw new Error(content.vat.objection)
    const xml = structuredInvoice(content, content.vat)
    const total = /<ram:GrandTotalAmount>([^<]+)/.exec(xml)?.[1] ?? ''
    const more = (Number(total) + 0.01).toFixed(2)
    expect(brokenRules(xml.replace(`GrandTotalAmount>${total}`, `GrandTotalAmount>${more}`)).join()).toContain(
      'BR-CO-15',
    )
    expect(brokenRules(xml.replace(/<ram:SellerTradeParty>.*<\/ram:SellerTradeParty>/, '')).join()).toContain('BR-06')
    expect(brokenRules(xml.replaceAll('<ram:RateApplicablePercent>19</ram:RateApplicablePercent>', '')).join()).toMatch(
      /BR-(?:S-05|48)/,
    )
  })
})

test('sums of what was paid are those of the lines', () => {
  for (const [, , one] of cases) {
    const { lines, amounts } = contentOf(one)
    expect(sum(lines.map(({ quantity, unitPrice }) => cents(quantity * unitPrice)))).toBe(amounts.net)
  }
})
