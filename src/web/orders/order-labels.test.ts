import { expect, test } from 'vitest'
import { longDay, promisedDay, shortDay } from './order-labels.ts'

test('what happens in the shop’s evening is of that day, and a promised day is the one that was promised', () => {
  const evening = '2026-11-22T00:43:00.000Z'
  expect([longDay(evening), shortDay(evening)]).toEqual(['November 21, 2026', 'Nov 21'])
  expect(promisedDay('2026-12-01T00:00:00.000Z')).toBe('Dec 1')
})
