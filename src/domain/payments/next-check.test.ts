import { describe, expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { nextCheckAt } from './next-check.ts'

const ordered = new Date('2026-11-20T10:00:00Z')

describe('a wallet order without a webhook', () => {
  test.each([
    ['open', 5 * MINUTE_MS, 0],
    ['open', 45 * MINUTE_MS, 30 * MINUTE_MS],
    ['open', 6 * HOUR_MS, null],
    ['held', 10 * MINUTE_MS, HOUR_MS],
    ['held', 2 * DAY_MS, HOUR_MS],
    ['held', 4 * DAY_MS, DAY_MS],
    ['held', 60 * DAY_MS, null],
    ['captured', MINUTE_MS, null],
    ['cancelled', MINUTE_MS, null],
  ] as const)('that is %s after %i ms is checked again in %s ms', (status, age, pause) => {
    const now = after(ordered, age)
    expect(nextCheckAt(status, ordered, now)).toEqual(pause === null ? null : after(now, pause))
  })
})
