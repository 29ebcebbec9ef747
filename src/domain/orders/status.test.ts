import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fulfilmentCanBecome,
  fulfilmentStatuses,
  paymentCanBecome,
  statusOf,
  type FulfilmentStatus,
  type PaymentStatus,
} from './status.ts'

test.each<[PaymentStatus, FulfilmentStatus, string]>([
  ['paid', 'waiting', 'paid'],
  ['paid', 'shipped', 'shipped'],
  ['partially_refunded', 'waiting', 'partially_refunded'],
  ['partially_refunded', 'in_production', 'in_production'], // a partly refunded order still ships
  ['partially_refunded', 'delivered', 'partially_refunded'],
  ['refunded', 'submitted', 'refunded'],
  ['refunded', 'returned', 'returned'],
  ['disputed', 'shipped', 'shipped'],
])('%s and %s read as %s', (payment, fulfilment, status) => expect(statusOf(payment, fulfilment)).toBe(status))

const sent: readonly FulfilmentStatus[] = ['partially_shipped', 'shipped', 'delivered', 'returned']

test('what has been sent is never unsent, whatever the order of events', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...fulfilmentStatuses), { maxLength: 30 }), (events) => {
      let at: FulfilmentStatus = 'waiting'
      for (const next of events) {
        if (!fulfilmentCanBecome(at, next)) continue
        if (sent.includes(at)) expect(sent.indexOf(next)).toBeGreaterThan(sent.indexOf(at))
        expect(next).not.toBe('waiting')
        at = next
      }
      if (at === 'cancelled' || at === 'returned')
        expect(fulfilmentStatuses.some((next) => fulfilmentCanBecome(at, next))).toBe(false)
    }),
  ))

test('money that went back comes again when its refund fails late or its dispute is won', () => {
  expect(paymentCanBecome('paid', 'refunded')).toBe(true)
  expect(paymentCanBecome('refunded', 'paid')).toBe(true)
  expect(paymentCanBecome('disputed', 'paid')).toBe(true)
})
