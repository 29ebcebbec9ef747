import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { objectionTo, type ProviderPayment } from './objection.ts'

const payment: ProviderPayment = {
  provider: 'stripe',
  id: 'pi_1',
  status: 'captured',
  amount: cents(2694),
  currency: 'usd',
  live: false,
  isReturned: false,
  fee: null,
  payer: null,
  card: null,
  checkoutId: null,
  quoteHash: null,
}
const offered = { state: 'open', currency: 'usd', total: cents(2694) } as const

test('a payment of the exact total becomes an order, even if the checkout is held or released', () => {
  for (const state of ['open', 'held', 'released'] as const)
    expect(objectionTo(payment, { ...offered, state }, false)).toBeUndefined()
})

test.each([
  ['a cent less', { amount: cents(2693) }, {}, 'amount_differs'],
  ['a cent more', { amount: cents(2695) }, {}, 'amount_differs'],
  ['other money', { currency: 'jpy' }, {}, 'currency_differs'],
  ['real money where none is expected', { live: true }, {}, 'mode_differs'],
  ['money that went back already', { isReturned: true }, {}, 'money_returned'],
  ['a checkout that was paid', {}, { state: 'paid' }, 'second_payment'],
  ['a version that was never offered', {}, { total: undefined }, 'unknown_version'],
] as const)('a payment with %s makes no order', (_, wrongPayment, wrongOffer, objection) => {
  expect(objectionTo({ ...payment, ...wrongPayment }, { ...offered, ...wrongOffer }, false)).toBe(objection)
})

test('a payment for an unknown checkout makes no order', () => {
  expect(objectionTo(payment, undefined, false)).toBe('unknown_checkout')
})
