import { expect, test } from 'vitest'
import { inLanguage } from '#shared/language.ts'
import './all.ts'
import { sayMade } from './say-made.ts'

test.each([
  ['Parcel 1 of 2', 'Paket 1 von 2'],
  ['Parcel 3', 'Paket 3'],
  ['Replacement parcel', 'Ersatzpaket'],
  [
    'Your order is canceled. Nothing will be made. $1,234.50 is on its way back to you.',
    'Deine Bestellung ist storniert. Es wird nichts gefertigt. 1.234,50\u00a0$ sind auf dem Weg zurück zu dir.',
  ],
  ['Something else', 'Something else'],
])('%s, as the API says it, is %s in German', (text, german) => {
  expect(inLanguage('de', () => sayMade(text))).toBe(german)
  expect(sayMade(text)).toBe(text)
})
