import { expect, test } from 'vitest'
import { needsCustomerData, addressWithoutPerson } from './anonymize.ts'

test.each([
  ['waiting', 'paid', true],
  ['on_hold', 'partially_refunded', true],
  ['partially_shipped', 'paid', true],
  ['shipped', 'paid', false],
  ['delivered', 'paid', false],
  ['needs_attention', 'refunded', false],
  ['delivered', 'disputed', true],
] as const)('an order that is %s and %s needs its customer’s data: %s', (fulfillment, payment, needed) =>
  expect(needsCustomerData(fulfillment, payment)).toBe(needed),
)

test('an erased address keeps its state and outward postal code, which tax is based on', () => {
  const address = { line1: '1 Lane', line2: 'Flat 2', city: 'Town', state: 'NY', postalCode: '10118', country: 'US' }
  expect(addressWithoutPerson(address)).toEqual({
    line1: '',
    line2: null,
    city: '',
    state: 'NY',
    postalCode: '101',
    country: 'US',
  })
})
