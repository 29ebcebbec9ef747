import { expect, test } from 'vitest'
import { longDay, promisedDay, shortDay } from './order-labels.ts'

test('an event late in the evening keeps the shop’s date, and a promised day is shown as promised', () => {
  const evening = '2026-11-22T00:43:00.000Z'
  expect([longDay(evening), shortDay(evening)]).toEqual(['November 21, 2026', 'Nov 21'])
  expect(promisedDay('2026-12-01T00:00:00.000Z')).toBe('Dec 1')
})
