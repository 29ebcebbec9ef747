import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { endOfQueue, standsOut, type InLine } from './queue.ts'

const GRACE_MS = 10 * MINUTE_MS
const order = (given: Partial<InLine>): InLine => ({
  waitedMs: 0,
  ahead: 0,
  passed: 0,
  isOvertaken: false,
  ...given,
})

test.each<[string, Partial<InLine>, boolean]>([
  ['alone, within the grace', { waitedMs: 10 * MINUTE_MS }, false],
  ['alone, after the grace', { waitedMs: 11 * MINUTE_MS }, true],
  ['242 sold in a minute, the last one', { waitedMs: 4 * MINUTE_MS, ahead: 1, passed: 240 }, false],
  ['20,000 sold in a minute, in the middle', { waitedMs: 2 * HOUR_MS, ahead: 3000, passed: 7200 }, false],
  ['the same, at half the pace', { waitedMs: 4 * HOUR_MS, ahead: 3000, passed: 7200 }, false],
  ['at a quarter of the pace', { waitedMs: 4 * HOUR_MS, ahead: 10, passed: 3600 }, true],
  ['the first of a line that does not move', { waitedMs: 11 * MINUTE_MS, ahead: 0 }, true],
  ['deep in a line that does not move yet', { waitedMs: 11 * MINUTE_MS, ahead: 600 }, false],
  ['overtaken, within the grace', { waitedMs: 9 * MINUTE_MS, passed: 500, isOvertaken: true }, false],
  ['overtaken, after it', { waitedMs: 11 * MINUTE_MS, passed: 500, isOvertaken: true }, true],
])('an order that waits: %s', (_, given, expected) => {
  expect(standsOut(order(given), GRACE_MS)).toBe(expected)
})

test('a line of 242 at 60 a minute ends after four minutes and two seconds, and one that does not move has no end', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  expect(endOfQueue(242, 60, now)).toEqual(new Date('2026-11-26T12:04:02Z'))
  expect(endOfQueue(242, 0, now)).toBeNull()
})
