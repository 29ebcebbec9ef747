import { expect, test } from 'vitest'
import { canCorrectAddress, canCorrectEmail, changedTaxRegion } from './correction.ts'
import { fulfillmentStatuses } from './status.ts'

const order = {
  fulfillment: 'needs_attention',
  payment: 'paid',
  isHeldHere: false,
  needsAddress: true,
  isErased: false,
} as const
const address = { line1: '1 Road', line2: null, city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' }

test('an address can be corrected until the printer has the order, or if it refused or holds it', () => {
  const open = fulfillmentStatuses.filter((fulfillment) => canCorrectAddress({ ...order, fulfillment }, 'shopper'))
  expect(open).toEqual(['waiting', 'on_hold', 'needs_attention'])
})

test('only the owner corrects the address of an order that waits for something else', () => {
  const other = { ...order, needsAddress: false }
  expect([canCorrectAddress(other, 'shopper'), canCorrectAddress(other, 'owner')]).toEqual([false, true])
  expect(canCorrectAddress({ ...other, fulfillment: 'on_hold', isHeldHere: true }, 'shopper')).toBe(true)
})

test('refunded orders and erased customers cannot be corrected', () => {
  for (const payment of ['refunded', 'disputed'] as const)
    expect(canCorrectAddress({ ...order, payment }, 'owner')).toBe(false)
  expect(canCorrectAddress({ ...order, isErased: true }, 'owner')).toBe(false)
  expect(canCorrectEmail({ ...order, isErased: true }, 'owner')).toBe(false)
})

test('a customer corrects the email until the order is over, the owner always', () => {
  const over = fulfillmentStatuses.filter((fulfillment) => !canCorrectEmail({ ...order, fulfillment }, 'shopper'))
  expect(over).toEqual(['delivered', 'cancelled', 'returned'])
  expect(canCorrectEmail({ ...order, fulfillment: 'delivered' }, 'owner')).toBe(true)
})

test.each([
  [{}, undefined],
  [{ city: 'Buffalo', postalCode: '14201' }, undefined],
  [{ state: 'NJ' }, 'state'],
  [{ country: 'CA', state: 'ON' }, 'country'],
] as const)('%o is another %s', (change, wanted) =>
  expect(changedTaxRegion(address, { ...address, ...change })).toBe(wanted),
)

test('the state matters in countries with state taxes', () => {
  const berlin = { ...address, country: 'DE', state: 'Berlin' }
  expect(changedTaxRegion(berlin, { ...berlin, state: null })).toBe(undefined)
  const ontario = { ...address, country: 'CA', state: 'ON' }
  expect(changedTaxRegion(ontario, { ...ontario, state: 'QC' })).toBe('state')
})
