import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paymentReference, successReference } from './payment-reference.ts'

const read = (query: string) => {
  const parameters = new URLSearchParams(query)
  return paymentReference((name) => parameters.get(name))
}

const wallet = (id: string, orderNumber?: string) => ({ kind: 'wallet', id, orderNumber })
const card = (id: string) => ({ kind: 'card', id })
const none = { kind: 'none' }

describe('the payment in a return URL', () => {
  test.each([
    // 1. the wallet with both numbers
    ['paymentMethod=paypal&orderNumber=K7QM-4T2X&printfulOrderId=991', wallet('K7QM-4T2X', 'K7QM-4T2X')],
    [
      'paymentMethod=paypal&orderNumber=K7QM-4T2X&printfulOrderId=991&payment_intent=pi_1',
      wallet('K7QM-4T2X', 'K7QM-4T2X'),
    ],
    ['paymentMethod=paypal&orderNumber=K7QM-4T2X&printfulOrderId=991&paypal_order_id=5O1', wallet('5O1', 'K7QM-4T2X')],
    // 2. the wallet's order
    ['paypal_order_id=5O1', wallet('5O1')],
    ['paypal_order_id=5O1&payment_intent=pi_1', wallet('5O1')],
    ['paymentMethod=paypal&orderNumber=K7QM-4T2X&paypal_order_id=5O1', wallet('5O1', 'K7QM-4T2X')],
    // 3. the card's payment
    ['payment_intent=pi_1', card('pi_1')],
    ['payment_intent=pi_1&payment_intent_client_secret=pi_2_secret_x', card('pi_1')],
    ['paymentMethod=paypal&orderNumber=K7QM-4T2X&payment_intent=pi_1', card('pi_1')],
    ['paymentMethod=card&orderNumber=K7QM-4T2X&printfulOrderId=991&payment_intent=pi_1', card('pi_1')],
    // 4. the part of the secret before its marker
    ['payment_intent_client_secret=pi_2_secret_x', card('pi_2')],
    ['payment_intent=&payment_intent_client_secret=pi_2_secret_x', card('pi_2')],
    // 5. nothing that names a payment
    ['', none],
    ['payment_intent=', none],
    ['payment_intent_client_secret=pi_2', none],
    ['payment_intent_client_secret=_secret_x', none],
    ['orderNumber=K7QM-4T2X&printfulOrderId=991', none],
    ['paymentMethod=paypal&orderNumber=K7QM-4T2X', none],
    ['payment_intent=../user', none],
    ['payment_intent=pi%201', none],
  ])('%s', (query, expected) => expect(read(query)).toEqual(expected))

  test('is always a valid id, or missing', () => {
    const names = [
      'paymentMethod',
      'orderNumber',
      'printfulOrderId',
      'paypal_order_id',
      'payment_intent',
      'payment_intent_client_secret',
    ]
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...names),
          fc.oneof(fc.string(), fc.constant('paypal'), fc.constant('a_secret_b')),
        ),
        (query) => {
          const found = paymentReference((name) => query[name] ?? null)
          expect(found.kind === 'none' || /^[A-Za-z0-9_-]{1,128}$/.test(found.id)).toBe(true)
        },
      ),
    )
  })
})

describe('the payment of the success page', () => {
  test.each([
    ['session_id=pi_9', card('pi_9')],
    ['session_id=pi_9&payment_intent=pi_1', card('pi_9')],
    ['payment_intent=pi_1', card('pi_1')],
    ['session_id=<b>', none],
  ])('%s', (query, expected) => {
    const parameters = new URLSearchParams(query)
    expect(successReference((name) => parameters.get(name))).toEqual(expected)
  })
})
