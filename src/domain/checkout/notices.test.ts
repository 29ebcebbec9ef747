import { describe, expect, test } from 'vitest'
import '#words/all.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import { savingNotices } from '#domain/codes/discount.ts'
import { inLanguage } from '#shared/language.ts'
import { cents } from '#shared/money.ts'
import { countryName } from './countries.ts'
import { indicativeText } from './indicative.ts'
import { sayNotice } from './notices.ts'
import { estimateNotices, noticesFor, taxRowsOf } from './quote.ts'
import { taxNameOf } from './tax-name.ts'
import { customsNotices } from './to-door.ts'

const restricted = {
  productName: 'Rudy Mug',
  quantity: 1,
  metadata: { restrictions: { blockedCountries: [], delayRegions: ['DE'], minimumAge: 18 } },
}
const german = (notice: string) => inLanguage('de', () => sayNotice(notice))

describe('a notice of a quote, which is English in the order’s copy, is shown in German', () => {
  test.each([
    ...noticesFor('DE', [restricted] as unknown as Parameters<typeof noticesFor>[1]),
    ...estimateNotices({ rate: { estimated: true }, tax: { estimated: true } }),
    ...customsNotices({ collectedAtDelivery: true }),
    indicativeText(cents(2599), { perDollar: 0.9, currency: 'EUR' }),
    ...savingNotices([{ id: 1, code: 'RUDY10', amount: cents(510), isShippingFree: false }]),
    ...savingNotices([{ id: 1, code: 'RUDY10', amount: cents(510), isShippingFree: true }]),
    ...savingNotices([{ id: 1, code: 'SHIP', amount: cents(0), isShippingFree: true }]),
    'Each one adds $4.99 to an order going to Canada, Mexico or Japan.',
    ...disclosuresOf({
      shippingSurcharge: {
        ...{ amount: cents(3499), regions: ['BR', 'JP'], enabled: true },
        description: 'Pillows ship as oversize parcels: each one adds {amount} to an order going to {countries}.',
      },
      restrictions: { blockedCountries: ['JP'], delayRegions: ['AU', 'NZ'], minimumAge: 18 },
    }),
    'RUDY10 needs $50.00 of the items it is for: $12.50 more.',
    'RUDY10 can’t be used together with PIP. Remove PIP first.',
  ])('%s', (notice) => {
    expect(german(notice)).not.toBe(notice)
    expect(inLanguage('en', () => sayNotice(notice))).toBe(notice)
  })

  test('with its country and amounts', () => {
    expect(german('Rudy Mug takes longer than usual to reach Germany.')).toContain('Deutschland')
    expect(german('RUDY10: $5.10 off')).toMatch(/^RUDY10: 5,10\s\$/)
    expect(german('Each one adds $4.99 to an order going to Canada, Mexico or Japan.')).toContain(
      'Kanada, Mexiko oder Japan',
    )
  })

  test('one that nobody knows stays as it is', () => {
    expect(german('Ships with a stick.')).toBe('Ships with a stick.')
  })
})

test('taxes are named in the spoken language', () => {
  const breakdown = [
    { jurisdiction: 'CA', type: 'gst', percentage: '5.0' },
    { jurisdiction: 'CA-QC', type: 'qst', percentage: '9.975' },
  ]
  const taxName = taxNameOf(breakdown)
  const rows = () =>
    taxRowsOf({ tax: cents(500), taxLabel: 'Country Consumption Tax', taxName, vatProtection: cents(0) })
  expect(rows()[0]?.name).toBe('Canadian GST 5% and Quebec QST 9.975%')
  expect(inLanguage('de', rows)[0]?.name).toMatch(/^Kanada: GST 5\s% und Quebec: QST 9,975\s%$/)
})

test('countries are named in the spoken language', () => {
  expect(countryName('DE')).toBe('Germany')
  expect(inLanguage('fr', () => countryName('DE'))).toBe('Allemagne')
  expect(inLanguage('ja', () => countryName('US'))).toBe('アメリカ合衆国')
  expect(inLanguage('de', () => countryName('QQ'))).toBe('QQ')
})
