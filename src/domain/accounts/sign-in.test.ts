import { expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { isRecentlyConfirmed, isStillSignedIn } from './sign-in.ts'

const start = new Date('2026-11-20T10:00:00Z')

test.each([
  ['a user who was here yesterday', { isStaff: false, days: 20, unseenMs: DAY_MS }, true],
  ['a user who was away for a month', { isStaff: false, days: 40, unseenMs: 30 * DAY_MS }, false],
  ['a user who came every day for three months', { isStaff: false, days: 90, unseenMs: MINUTE_MS }, false],
  ['the owner after lunch', { isStaff: true, days: 2, unseenMs: HOUR_MS }, true],
  ['the owner after a night', { isStaff: true, days: 2, unseenMs: 12 * HOUR_MS }, false],
  ['the owner after a week of work', { isStaff: true, days: 7, unseenMs: MINUTE_MS }, false],
])('%s: still signed in is %j %s', (_, { isStaff, days, unseenMs }, expected) => {
  const now = after(start, days * DAY_MS)
  expect(isStillSignedIn({ signedInAt: start, seenAt: after(now, -unseenMs), isStaff }, now)).toBe(expected)
})

test('a session without a sign-in belongs to nobody', () => {
  expect(isStillSignedIn({ signedInAt: null, seenAt: start, isStaff: false }, start)).toBe(false)
})

test('a confirmed password counts as recent for 15 minutes', () => {
  expect(isRecentlyConfirmed(start, after(start, 15 * MINUTE_MS - 1))).toBe(true)
  expect(isRecentlyConfirmed(start, after(start, 15 * MINUTE_MS))).toBe(false)
  expect(isRecentlyConfirmed(null, start)).toBe(false)
})
