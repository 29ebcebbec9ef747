import { expect, test } from 'vitest'
import { eventLabel, outcomeLabel } from './event-labels.ts'

test.each([
  [null, 'Not processed yet.'],
  ['order K7QM-4T2X', 'Paid order PFK7QM-4T2X.'],
  ['exception second_payment', 'Listed under Exceptions: Second payment.'],
  ['partially_refunded', 'Partly refunded.'],
  ['inprocess', 'The printer is making it.'],
  ['nothing new', 'Nothing changed.'],
  // A provider's own code.
  ['INSTRUMENT_DECLINED', 'Result: instrument declined.'],
])('the owner reads the event outcome %j as: %s', (outcome, label) => {
  expect(outcomeLabel(outcome)).toBe(label)
})

test.each([
  ['payment_intent.succeeded', 'payment received'],
  ['PAYMENT.CAPTURE.PENDING', 'payment under review'],
  ['package_shipped', 'parcel shipped'],
  ['CUSTOMER.ACCOUNT_LIMITATION.ADDED', 'customer account limitation added'],
])('the event %s is labeled: %s', (type, label) => expect(eventLabel(type)).toBe(label))
