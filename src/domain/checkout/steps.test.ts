import { describe, expect, test } from 'vitest'
import {
  cardOutcome,
  hasChargedNothing,
  hasMoneyCome,
  hasTakenNothing,
  stepAfter,
  reachableStep,
  stepsOf,
  type StepProgress,
  type CheckoutVariant,
  type Step,
  type StepEvent,
} from './steps.ts'

describe('the main checkout', () => {
  test.each<[Step, StepEvent, Step]>([
    ['customer_info', 'started', 'payment'],
    ['payment', 'went_back', 'customer_info'],
    ['payment', 'started', 'payment'],
    ['payment', 'money_came', 'paid'],
    ['customer_info', 'money_came', 'paid'],
    ['customer_info', 'went_back', 'customer_info'],
    ['customer_info', 'priced', 'customer_info'],
    ['paid', 'started', 'paid'],
    ['paid', 'went_back', 'paid'],
    ['paid', 'money_came', 'paid'],
  ])('in %s, %s leads to %s', (step, event, expected) => expect(stepAfter('main', step, event)).toBe(expected))
})

describe('the alternate checkout', () => {
  test.each<[Step, StepEvent, Step]>([
    ['customer_info', 'priced', 'review'],
    ['customer_info', 'started', 'customer_info'],
    ['review', 'started', 'payment'],
    ['review', 'priced', 'review'],
    ['review', 'went_back', 'customer_info'],
    ['payment', 'went_back', 'review'],
    ['payment', 'started', 'payment'],
    ['payment', 'priced', 'payment'],
    ['payment', 'money_came', 'paid'],
    ['paid', 'priced', 'paid'],
    ['paid', 'went_back', 'paid'],
  ])('in %s, %s leads to %s', (step, event, expected) => expect(stepAfter('alternate', step, event)).toBe(expected))
})

describe('the page’s URL leads', () => {
  const nothing = { priced: false, started: false }
  const priced = { priced: true, started: false }
  const both = { priced: true, started: true }
  test.each<[CheckoutVariant, string | null, StepProgress, Step]>([
    ['main', null, both, 'customer_info'],
    ['main', 'payment', nothing, 'customer_info'],
    ['main', 'payment', priced, 'customer_info'],
    ['main', 'payment', both, 'payment'],
    // Each edit requests a new quote; only the payment's own amounts count.
    ['main', 'payment', { priced: false, started: true }, 'payment'],
    ['main', 'review', both, 'customer_info'],
    ['main', 'paid', both, 'customer_info'],
    ['main', 'nonsense', both, 'customer_info'],
    ['alternate', null, both, 'customer_info'],
    ['alternate', 'customer_info', both, 'customer_info'],
    ['alternate', 'review', nothing, 'customer_info'],
    ['alternate', 'review', both, 'review'],
    ['alternate', 'payment', priced, 'review'],
    ['alternate', 'payment', both, 'payment'],
    ['alternate', 'payment', { priced: false, started: true }, 'customer_info'],
    ['alternate', 'paid', both, 'customer_info'],
  ])('in the %s checkout with ?step=%s and %o to the step %s', (face, wished, earned, expected) =>
    expect(reachableStep(face, wished, earned)).toBe(expected),
  )
})

test.each<[CheckoutVariant, Step[]]>([
  ['main', ['customer_info', 'payment']],
  ['alternate', ['customer_info', 'review', 'payment']],
])('the steps of the %s checkout follow its table', (face, way) => {
  expect(stepsOf(face)).toEqual(way)
  for (const [index, step] of way.slice(1).entries())
    expect(stepAfter(face, step, 'went_back')).toBe(stepsOf(face)[index])
})

describe('the card’s answer', () => {
  test.each([
    ['succeeded', 'paid'],
    ['requires_action', 'authentication_required'],
    ['processing', 'processing'],
    ['requires_capture', 'processing'],
    ['a status of tomorrow', 'processing'],
  ])('%s means %s', (status, expected) => expect(cardOutcome(status)).toBe(expected))

  test('a refused confirmation of a succeeded payment counts as paid', () => {
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
  ])('after %s, certainly nothing was charged: %o %s', (_, error, expected) =>
    expect(hasChargedNothing(error)).toBe(expected),
  )
})

test.each([
  ['wallet_declined', true],
  ['wallet_not_approved', true],
  ['payment_not_captured', true],
  // The shop takes an approved order by itself.
  ['outcome_unknown', false],
  ['unavailable', false],
  ['unknown_payment', false],
  ['too_many', false],
  ['bug', false],
])('after the wallet’s %s, certainly nothing was charged: %s', (code, expected) =>
  expect(hasTakenNothing(code)).toBe(expected),
)
