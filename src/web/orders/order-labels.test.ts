import { expect, test } from 'vitest'
import { defaultSettings } from '#site/shop-rules.ts'
import type { OrderView } from '#contract/orders.ts'
import { longDay, orderMessage, promisedDay, shortDay } from './order-labels.ts'

test('an event late in the evening keeps the shop’s date, and a promised day is shown as promised', () => {
  const evening = '2026-11-22T00:43:00.000Z'
  expect([longDay(evening), shortDay(evening)]).toEqual(['November 21, 2026', 'Nov 21'])
  expect(promisedDay('2026-12-01T00:00:00.000Z')).toBe('Dec 1')
})

test.each([
  [
    'that can still be changed says until when beside the change',
    null,
    /^We’ll email you the tracking number when it ships\.$/,
  ],
  ['whose payment the bank decides about is not made yet', 'disputed', /^We haven’t started making it/],
  ['whose time for changes is over goes to the printer', 'over', /^We are handing it to our printer/],
] as const)('a paid order %s', (_, objection, next) => {
  const changes = { until: '2026-11-22T00:43:00.000Z', objection, isYours: true, canceledAt: null }
  const order: Partial<OrderView> = { kind: 'sale', status: 'paid', fulfillment: 'waiting', changes, parcels: [] }
  expect(orderMessage(order as OrderView, defaultSettings)).toEqual({
    title: 'Thank you. Your order is paid.',
    next: expect.stringMatching(next),
  })
})
