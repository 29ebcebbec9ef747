import { afterEach, expect, test, vi } from 'vitest'
import { createCounts, createForgeryLog } from './events.ts'

afterEach(() => void vi.useRealTimers())

test('a thousand forged events cause one log line per kind and minute, with their count', () => {
  vi.useFakeTimers()
  const lines: object[] = []
  const log = createForgeryLog({ warn: (facts) => lines.push(facts) })
  for (let n = 0; n < 1000; n += 1) log.note('stripe', 'dated wrongly')
  log.note('paypal', 'certificate elsewhere')
  expect(lines).toEqual([])
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([
    { provider: 'stripe', kind: 'dated wrongly', count: 1000 },
    { provider: 'paypal', kind: 'certificate elsewhere', count: 1 },
  ])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(2)
  log.note('stripe', 'dated wrongly')
  log.flush()
  expect(lines.at(-1)).toEqual({ provider: 'stripe', kind: 'dated wrongly', count: 1 })
})

test('each name has its own time window, and five thousand names are held in memory', () => {
  let now = 0
  const counts = createCounts(2, 1000, () => now)
  expect([1, 2, 3].map(() => counts.isWithin('a'))).toEqual([true, true, false])
  expect(counts.isWithin('b')).toBe(true)
  now = 1000
  expect(counts.isWithin('a')).toBe(true)
  expect([1, 2].map(() => counts.isWithin('a'))).toEqual([true, false])
  for (let n = 0; n < 5000; n += 1) counts.isWithin(`address ${n}`)
  expect(counts.isWithin('a')).toBe(true)
})
