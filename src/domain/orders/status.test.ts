import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fulfillmentCanBecome,
  fulfillmentStatuses,
  paymentCanBecome,
  statusOf,
  type FulfillmentStatus,
  type PaymentStatus,
} from './status.ts'

test.each<[PaymentStatus, FulfillmentStatus, string]>([
  ['paid', 'waiting', 'paid'],
  ['paid', 'shipped', 'shipped'],
  ['partially_refunded', 'waiting', 'partially_refunded'],
  ['partially_refunded', 'in_production', 'in_production'], // a partly refunded order still ships
  ['partially_refunded', 'delivered', 'partially_refunded'],
  ['no_charge', 'waiting', 'no_charge'],
  ['no_charge', 'delivered', 'delivered'],
  ['refunded', 'submitted', 'refunded'],
  ['refunded', 'returned', 'returned'],
  ['disputed', 'shipped', 'shipped'],
])('%s and %s are shown as %s', (payment, fulfillment, status) => expect(statusOf(payment, fulfillment)).toBe(status))

const sent: readonly FulfillmentStatus[] = ['partially_shipped', 'shipped', 'delivered', 'returned']

test('a shipped order stays shipped, in any order of events', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...fulfillmentStatuses), { maxLength: 30 }), (events) => {
      let at: FulfillmentStatus = 'waiting'
      for (const next of events) {
        if (!fulfillmentCanBecome(at, next)) continue
        if (sent.includes(at)) expect(sent.indexOf(next)).toBeGreaterThan(sent.indexOf(at))
        expect(next).not.toBe('waiting')
        at = next
      }
      if (at === 'cancelled' || at === 'returned')
        expect(fulfillmentStatuses.some((next) => fulfillmentCanBecome(at, next))).toBe(false)
    }),
  ))

test('a refunded order is paid again when the refund fails late or the dispute is won', () => {
  expect(paymentCanBecome('paid', 'refunded')).toBe(true)
  expect(paymentCanBecome('refunded', 'paid')).toBe(true)
  expect(paymentCanBecome('disputed', 'paid')).toBe(true)
})
