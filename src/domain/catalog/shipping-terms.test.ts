import { describe, expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { plainProductType } from './product-types.ts'
import { shippingInBrief, shippingInPolicy, shippingInTerms } from './shipping-in-legal.ts'
import {
  disclosuresOf,
  shippingAtHome,
  shippingFootnote,
  surchargeSentence,
  surchargeTermsOf,
  type SurchargedProducts,
} from './shipping-terms.ts'

const pillows: SurchargedProducts = {
  type: 'pillow',
  amount: cents(3499),
  regions: ['BR', 'JP', 'AU', 'NZ'],
  count: 3,
  names: ['Soft Landing', 'Safe Deposit', 'Fog'],
  isWholeType: true,
}
const types = [
  { ...plainProductType('pillow'), allProducts: 'premium pillow products' },
  plainProductType('blanket'),
  plainProductType('mug'),
]
const termsOf = (groups: SurchargedProducts[], isFree = true) => ({
  isFree,
  surcharges: surchargeTermsOf(groups, types),
})

describe('the demo’s surcharge reads as specified', () => {
  const terms = termsOf([pillows])
  test.each([
    [
      'footnote',
      shippingFootnote(terms),
      'Free shipping worldwide, except a $34.99 surcharge on premium pillow products to Brazil, Japan, Australia and New Zealand.',
    ],
    [
      'terms',
      shippingInTerms(terms),
      'Shipping is free worldwide, except a surcharge of $34.99 USD for each of the premium pillow products sent to Brazil, Japan, Australia and New Zealand.',
    ],
    [
      'policy',
      Object.values(shippingInPolicy(terms)).join(''),
      'Shipping is free worldwide, with one exception: premium pillow products sent to Brazil, Japan, Australia and New Zealand carry a surcharge of $34.99 USD per pillow.',
    ],
    ['brief', shippingInBrief(terms), 'shipped free worldwide (with a $34.99 surcharge for pillows to four countries)'],
    [
      'home',
      shippingAtHome(terms),
      'Free shipping worldwide. (Pillows to Brazil, Japan, Australia and New Zealand cost extra.)',
    ],
  ])('%s', (_, said, wanted) => expect(said).toBe(wanted))
})

test('several surcharges are listed with their products and countries, highest first', () => {
  const terms = termsOf([
    { ...pillows, amount: cents(1250), regions: ['JP', 'NZ'], count: 1, names: ['Soft Landing'], isWholeType: false },
    { ...pillows, type: 'blanket', regions: ['BR'], count: 9, names: ['A', 'B', 'C'], isWholeType: false },
    { ...pillows, type: 'mug', amount: cents(1250), regions: ['NZ', 'JP'] },
  ])
  expect(shippingFootnote(terms)).toBe(
    'Free shipping worldwide, except a $34.99 surcharge on some blankets to Brazil; and a $12.50 surcharge on Soft Landing and mugs to Japan and New Zealand.',
  )
  expect(Object.values(shippingInPolicy(terms)).join('')).toBe(
    'Shipping is free worldwide, with two exceptions: some blankets sent to Brazil carry a surcharge of $34.99 USD per blanket; and Soft Landing and mugs sent to Japan and New Zealand carry a surcharge of $12.50 USD per piece.',
  )
})

test('pages never mention a surcharge that no product has, or only for countries we do not ship to', () => {
  const terms = termsOf([
    { ...pillows, regions: [] },
    { ...pillows, regions: ['KP'] },
    { ...pillows, amount: cents(0) },
  ])
  expect(shippingFootnote(terms)).toBe('Free shipping worldwide.')
  expect(shippingInTerms(terms)).toBe('Shipping is free worldwide.')
  expect(shippingInBrief(terms)).toBe('shipped free worldwide')
  expect(shippingAtHome(terms)).toBe('Free shipping worldwide.')
})

test('shipping is never called free if the shopper pays the carrier or the terms are unknown', () => {
  for (const terms of [null, termsOf([pillows], false)])
    for (const said of [
      shippingFootnote(terms),
      shippingInTerms(terms),
      shippingInBrief(terms),
      shippingAtHome(terms),
      shippingInPolicy(terms).rule,
    ])
      expect(said).not.toMatch(/free/i)
  expect(shippingFootnote(termsOf([pillows], false))).toContain('$34.99')
})

const asked = { amount: cents(1250), regions: ['JP', 'NZ'], enabled: true }
const GENERATED = 'Each one adds $12.50 to an order going to Japan or New Zealand.'

test.each([
  ['placeholders are filled in', 'Each adds {amount} to {countries}.', 'Each adds $12.50 to Japan or New Zealand.'],
  ['a reason is kept, and figures follow', 'Pillows are bulky', `Pillows are bulky. ${GENERATED}`],
  [
    'right figures stay as they are written',
    '$12.50 each to New Zealand or Japan!',
    '$12.50 each to New Zealand or Japan!',
  ],
  ['another amount is left out', 'Each one adds $34.99.', GENERATED],
  ['so is one without a dollar sign', 'Each one adds 35 USD.', GENERATED],
  ['another country is left out', 'Bulky in Brazil and Japan.', GENERATED],
  ['a country that is missing, too', '$12.50 more to Japan.', GENERATED],
])('a surcharge’s description: %s', (_, description, wanted) => {
  expect(surchargeSentence({ ...asked, description })).toBe(wanted)
})

test('a product lists its blocked and delayed countries and its age limit', () => {
  const restrictions = { blockedCountries: ['DE', 'KP'], delayRegions: ['AU', 'NZ'], minimumAge: 18 }
  expect(disclosuresOf({ restrictions })).toEqual([
    'Doesn’t ship to Germany.',
    'Takes longer than usual to reach Australia and New Zealand.',
    'For ages 18 and over only.',
  ])
  expect(disclosuresOf({ shippingSurcharge: { ...asked, enabled: false, description: 'Bulky.' } })).toEqual([])
})
