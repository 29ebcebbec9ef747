import { expect, test } from 'vitest'
import { mainCountries } from './countries.ts'
import { taxNameOf } from './tax-name.ts'

const part = (jurisdiction: string, type: string, percentage: string) => ({ jurisdiction, type, percentage })

test.each([
  ['one rate', [part('DE', 'vat', '19.0')], 'German VAT 19%'],
  ['a rate with decimals', [part('FI', 'vat', '25.5')], 'Finnish VAT 25.5%'],
  [
    'the parts of a state, a city and a district are one tax',
    [part('US-NY', 'sales_tax', '4.0'), part('US-NY', 'sales_tax', '4.5'), part('US-NY', 'sales_tax', '0.375')],
    'New York sales tax 8.875%',
  ],
  ['two taxes', [part('CA', 'gst', '5.0'), part('CA-QC', 'qst', '9.975')], 'Canadian GST 5% and Quebec QST 9.975%'],
  ['a harmonized one', [part('CA-ON', 'hst', '13.0')], 'Ontario HST 13%'],
  ['Japan’s', [part('JP', 'jct', '10.0')], 'Japanese consumption tax 10%'],
  ['a type that came later', [part('DE', 'retail_delivery_fee', '1')], 'German retail delivery fee 1%'],
  ['none', [], undefined],
])('%s', (_, breakdown, name) => expect(taxNameOf(breakdown)).toBe(name))

test('every country we deliver to has an adjective', () => {
  for (const country of mainCountries)
    if (country !== 'US') expect(taxNameOf([part(country, 'vat', '1')])).not.toContain(`${country} VAT`)
})
