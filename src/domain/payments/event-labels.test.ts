import { expect, test } from 'vitest'
import { eventLabel, outcomeLabel } from './event-labels.ts'

test.each([
  [null, 'It has not been looked at yet.'],
  ['order K7QM-4T2X', 'Order K7QM-4T2X is paid by it.'],
  ['exception second_payment', 'It waits among the exceptions: Second payment.'],
  ['partially_refunded', 'Part of the money went back.'],
  ['inprocess', 'The printer makes it.'],
  ['nothing new', 'We knew that.'],
  // A code of the provider's own.
  ['INSTRUMENT_DECLINED', 'The answer was: instrument declined.'],
])('of an event that came to %s the owner reads: %s', (outcome, words) => {
  expect(outcomeLabel(outcome)).toBe(words)
})

test.each([
  ['payment_intent.succeeded', 'the payment came'],
  ['PAYMENT.CAPTURE.PENDING', 'the payment is under review'],
  ['package_shipped', 'a parcel left'],
  ['CUSTOMER.ACCOUNT_LIMITATION.ADDED', 'customer account limitation added'],
])('a provider that sends %s says: %s', (type, words) => expect(eventLabel(type)).toBe(words))
