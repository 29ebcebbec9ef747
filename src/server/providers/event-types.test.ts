import { expect, test } from 'vitest'
import { eventLabel } from './event-types.ts'

test.each([
  ['payment_intent.succeeded', 'payment received'],
  ['PAYMENT.CAPTURE.PENDING', 'payment under review'],
  ['package_shipped', 'parcel shipped'],
  ['CUSTOMER.ACCOUNT_LIMITATION.ADDED', 'customer account limitation added'],
])('the event %s is labeled: %s', (type, label) => expect(eventLabel(type)).toBe(label))
