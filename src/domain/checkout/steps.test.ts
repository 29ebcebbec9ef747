import { describe, expect, test } from 'vitest'
import { cardOutcome, hasChargedNothing, hasMoneyCome, stepAfter, type MainEvent, type MainStep } from './steps.ts'

describe('the main checkout', () => {
  test.each<[MainStep, MainEvent, MainStep]>([
    ['customer_info', 'started', 'payment'],
    ['payment', 'edited', 'customer_info'],
    ['payment', 'started', 'payment'],
    ['payment', 'money_came', 'paid'],
    ['customer_info', 'money_came', 'paid'],
    ['customer_info', 'edited', 'customer_info'],
    ['paid', 'started', 'paid'],
    ['paid', 'edited', 'paid'],
    ['paid', 'money_came', 'paid'],
  ])('in %s, %s leads to %s', (step, event, expected) => expect(stepAfter(step, event)).toBe(expected))
})

describe('the card’s answer', () => {
  test.each([
    ['succeeded', 'paid'],
    ['requires_action', 'authentication_required'],
    ['processing', 'processing'],
    ['requires_capture', 'processing'],
    ['a status of tomorrow', 'processing'],
  ])('%s means %s', (status, expected) => expect(cardOutcome(status)).toBe(expected))

  test('a refusal of a payment that has succeeded means that the money came', () => {
    expect(hasMoneyCome({ payment_intent: { status: 'succeeded' } })).toBe(true)
    expect(hasMoneyCome({ payment_intent: { status: 'requires_payment_method' } })).toBe(false)
    expect(hasMoneyCome({})).toBe(false)
  })

  test.each([
    ['a declined card', { type: 'card_error' }, true],
    ['an incomplete form', { type: 'validation_error' }, true],
    [
      'a failed extra check',
      { type: 'invalid_request_error', payment_intent: { status: 'requires_payment_method' } },
      true,
    ],
    ['a lost connection', { type: 'api_connection_error' }, false],
    ['a provider in trouble', { type: 'api_error', payment_intent: { status: 'processing' } }, false],
  ])('after %s it is known that nothing was charged: %o %s', (_, error, expected) =>
    expect(hasChargedNothing(error)).toBe(expected),
  )
})
