import { describe, expect, test } from 'vitest'
import type { OrderView } from '#contract/orders.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { widthOf, wrapText, toPrintable } from '#server/files/pdf.ts'
import { receiptOf } from './receipt.ts'

const line = (more: Partial<OrderView['lines'][number]> = {}): OrderView['lines'][number] => ({
  productId: 1 as ProductId,
  variantId: 2 as VariantId,
  productName: 'Rudy Pillow (18x18)',
  variantName: 'Navy',
  imageUrl: null,
  quantity: 2,
  unitPrice: cents(3650),
  ...more,
})

const order = (more: Partial<OrderView> = {}): OrderView => ({
  orderNumber: 'K7QM-4T2X',
  status: 'paid',
  fulfillment: 'waiting',
  collection: 'rudy',
  placedAt: '2026-11-21T10:00:00.000Z',
  paidWith: 'card',
  milestones: [],
  needsAddress: false,
  can: { correctAddress: false, correctEmail: false },
  countryCode: 'AU',
  lines: [line()],
  amounts: {
    subtotal: cents(7300),
    shipping: cents(0),
    shippingMethod: 'Free Worldwide Shipping',
    surcharges: [{ productName: 'Rudy Pillow', amount: cents(6998) }],
    tax: cents(730),
    taxLabel: 'Country Consumption Tax',
    vatProtection: cents(0),
    total: cents(15_028),
    refundReturned: cents(0),
    refunded: cents(500),
  },
  city: 'Sydney',
  country: 'Australia',
  email: 'a***@mail.example',
  isPayer: false,
  expected: null,
  parcels: [],
  stillToCome: [],
  ...more,
})

const read = (file: Buffer): string => file.toString('latin1')

/** The PDF's cross-reference table points to each object. */
function expectValidPdf(file: Buffer) {
  const text = read(file)
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  expect(text.slice(table)).toMatch(/^xref\n0 \d+\n/)
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
  expect(offsets.length).toBeGreaterThan(7)
  for (const [index, offset] of offsets.entries())
    expect(text.slice(offset).startsWith(`${index + 1} 0 obj\n`), `object ${index + 1}`).toBe(true)
  for (const [, length, content = ''] of text.matchAll(/<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g))
    expect(content).toHaveLength(Number(length))
}

test('a receipt lists what was bought and paid, to the cent', () => {
  const file = receiptOf(order())
  expectValidPdf(file)
  for (const text of ['K7QM-4T2X', 'November 21, 2026', 'Card', 'Sydney, Australia', '2 × $36.50', '$73.00', '$69.98'])
    expect(read(file)).toContain(text)
  for (const text of ['$7.30', '$150.28', '-$5.00', 'Rudy Pillow \\(18x18\\)']) expect(read(file)).toContain(text)
})

test('a receipt of a hundred lines spans several numbered pages', () => {
  const lines = Array.from({ length: 100 }, (_, index) => line({ productName: `Thing ${index}` }))
  const file = receiptOf(order({ lines }))
  expectValidPdf(file)
  const pages = Number(/\/Count (\d+)/.exec(read(file))?.[1])
  expect(pages).toBeGreaterThan(3)
  expect(read(file)).toContain(`page ${pages} of ${pages}`)
  for (const { productName } of lines) expect(read(file)).toContain(`(${productName})`)
})

describe('printable text', () => {
  test.each([
    ['São Paulo', 'São Paulo'],
    ['Łódź', 'Lódz'],
    ['Göteborg – “Hat”', 'Göteborg – “Hat”'],
    ['東京', undefined],
  ])('%s is printed as %s', (text, expected) => expect(toPrintable(text)).toBe(expected))

  test('a city in characters that the PDF font lacks is left out, not garbled', () => {
    const text = read(receiptOf(order({ city: '東京', country: 'Japan' })))
    expect(text).toContain('(Japan)')
    expect(text).not.toContain('?')
  })

  test('a product name cannot break out of its PDF string', () =>
    expect(read(receiptOf(order({ lines: [line({ productName: 'x) Tj ET (\\' })] })))).toContain(
      '(x\\) Tj ET \\(\\\\)',
    ))

  test('text wraps within its width, unless a single word is wider', () => {
    const text = 'A vented hat that has never given a forecast, in vault black with charcoal'
    const lines = wrapText(text, 10, 120)
    expect(lines.join(' ')).toBe(text)
    for (const row of lines) expect(widthOf(row, 10)).toBeLessThanOrEqual(120)
    expect(wrapText('Donaudampfschifffahrt', 10, 20)).toEqual(['Donaudampfschifffahrt'])
  })
})
