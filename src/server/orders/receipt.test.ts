import { extractText } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#site/shop-rules.ts'
import type { OrderView } from '#contract/orders.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { wrapText } from '#server/files/pdf.ts'
import { receiptOf } from './receipt.ts'

const line = (more: Partial<OrderView['lines'][number]> = {}): OrderView['lines'][number] => ({
  position: 0,
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
  kind: 'sale',
  paidWith: 'card',
  milestones: [],
  isLate: false,
  needsAddress: false,
  can: { correctAddress: false, correctEmail: false, withdraw: false },
  changes: null,
  isMadeAnyway: false,
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
  place: 'Sydney, Australia',
  email: 'a***@mail.example',
  isPayer: false,
  expected: null,
  parcels: [],
  stillToCome: [],
  termsVersion: 1,
  ...more,
})

/** The text of each page, in the order of drawing. */
const pagesOf = async (file: Buffer): Promise<string[]> => (await extractText(new Uint8Array(file))).text
const textOf = async (file: Buffer): Promise<string> => (await pagesOf(file)).join('\n')

test('a receipt lists what was bought and paid, to the cent', async () => {
  const text = await textOf(await receiptOf(order(), defaultSettings))
  for (const part of [
    'PFK7QM-4T2X',
    'November 21, 2026',
    'Card',
    'Sydney, Australia',
    '2 × $36.50',
    '$73.00',
    '$69.98',
  ])
    expect(text).toContain(part)
  for (const part of ['$7.30', '$150.28', '-$5.00', 'Rudy Pillow (18x18)']) expect(text).toContain(part)
})

test('a receipt for the payer names the card', async () => {
  const card = { brand: 'mastercard', lastFour: '4444' }
  expect(await textOf(await receiptOf(order({ card }), defaultSettings))).toContain('Mastercard ending in 4444')
})

test('a receipt of a hundred lines spans several numbered pages', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => line({ productName: `Thing ${index}` }))
  const pages = await pagesOf(await receiptOf(order({ lines }), defaultSettings))
  expect(pages.length).toBeGreaterThan(3)
  expect(pages.at(-1)).toContain(`page ${pages.length} of ${pages.length}`)
  for (const { productName } of lines) expect(pages.join('\n')).toContain(productName)
})

test('the same order always makes the same file', async () =>
  expect((await receiptOf(order(), defaultSettings)).equals(await receiptOf(order(), defaultSettings))).toBe(true))

describe('names and cities', () => {
  test.each(['São Paulo', 'Łódź', '大阪市', '臺北市', '上海', '서울', 'Москва', 'Αθήνα', 'Nguyễn', 'กรุงเทพ'])(
    '%s is printed as written',
    async (city) => {
      const text = await textOf(await receiptOf(order({ city }), defaultSettings, '山田 さくら'))
      expect(text).toContain(`${city}, Australia`)
      expect(text).toContain('山田 さくら')
    },
  )

  test.each(['القاهرة', 'ירושלים'])('%s is printed from right to left', async (city) => {
    const text = await textOf(await receiptOf(order({ city }), defaultSettings))
    expect(Array.from(city).every((letter) => text.normalize('NFKC').includes(letter))).toBe(true)
  })

  test('a receipt without a name has no line for it', async () =>
    expect(await textOf(await receiptOf(order(), defaultSettings))).not.toContain('Name'))

  test('emoji and control characters stop no receipt', async () => {
    const text = await textOf(await receiptOf(order({ city: 'Party 🎉👩‍👩‍👧 \u0007\u202E\uD800 town' }), defaultSettings))
    expect(text).toContain('Party')
  })
})

test('text wraps within its width, unless a single word is wider', () => {
  const widthOf = (text: string) => text.length
  const text = 'A vented hat that has never given a forecast, in vault black with charcoal'
  const lines = wrapText(text, 20, widthOf)
  expect(lines.join(' ')).toBe(text)
  for (const row of lines) expect(row.length).toBeLessThanOrEqual(20)
  expect(wrapText('Donaudampfschifffahrt', 10, widthOf)).toEqual(['Donaudampfschifffahrt'])
  expect(wrapText('東京の帽子', 3, widthOf)).toEqual(['東京の', '帽子'])
})
