import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { lastPeriod, overviewDays, periodBefore, presetsOn, stepsOf } from './range.ts'
import { timeRangeOf } from './time-range.ts'

const day = (iso: string) => dayFromIso(iso) ?? 0
const shown = ({ from, to }: { from: number; to: number }) => `${isoOfDay(from)} to ${isoOfDay(to)}`

test('a range runs from the start of its first day to the end of its last (F42)', () => {
  const range = timeRangeOf('America/New_York', { from: day('2026-03-08'), to: day('2026-03-08') })
  // The day on which clocks go forward has 23 hours.
  expect(new Date(range.since ?? 0).toISOString()).toBe('2026-03-08T05:00:00.000Z')
  expect(new Date(range.until ?? 0).toISOString()).toBe('2026-03-09T04:00:00.000Z')
  expect(timeRangeOf('UTC', { from: null, to: null })).toEqual({ since: null, until: null })
})

test('the previous period is the same number of days, right before', () => {
  const before = (from: string, to: string | null) =>
    periodBefore({ from: day(from), to: to === null ? null : day(to) }, day('2026-03-10'))
  expect(before('2026-03-01', '2026-03-07')).toEqual({ from: day('2026-02-22'), to: day('2026-02-28') })
  expect(before('2026-03-10', null)).toEqual({ from: day('2026-03-09'), to: day('2026-03-09') })
  expect(periodBefore({ from: null, to: day('2026-03-01') }, day('2026-03-10'))).toBeUndefined()
})

test.each([
  ['a Sunday', '2026-11-22', '2026-11-09 to 2026-11-15', '2026-10-01 to 2026-10-31'],
  ['the Monday after it', '2026-11-23', '2026-11-16 to 2026-11-22', '2026-10-01 to 2026-10-31'],
  ['the first of March', '2027-03-01', '2027-02-22 to 2027-02-28', '2027-02-01 to 2027-02-28'],
  ['New Year', '2027-01-01', '2026-12-21 to 2026-12-27', '2026-12-01 to 2026-12-31'],
])('reports that are emailed on %s are of the whole week and month before', (_, today, week, month) => {
  expect(shown(lastPeriod('weekly', day(today)))).toBe(week)
  expect(shown(lastPeriod('monthly', day(today)))).toBe(month)
})

test('the start page compares today, yesterday, 7 and 30 days', () => {
  expect(Object.entries(overviewDays(day('2026-03-10'))).map(([name, days]) => `${name}: ${shown(days)}`)).toEqual([
    'today: 2026-03-10 to 2026-03-10',
    'yesterday: 2026-03-09 to 2026-03-09',
    'week: 2026-03-04 to 2026-03-10',
    'month: 2026-02-09 to 2026-03-10',
  ])
})

test.each([
  [
    '2024-03-31',
    ['2024-03-31 to 2024-03-31', '2024-03-25 to 2024-03-31', '2024-03-01 to 2024-03-31', '2024-02-01 to 2024-02-29'],
    '2024-01-01 to 2024-03-31',
  ],
  [
    '2026-01-01',
    ['2026-01-01 to 2026-01-01', '2025-12-26 to 2026-01-01', '2026-01-01 to 2026-01-01', '2025-12-01 to 2025-12-31'],
    '2026-01-01 to 2026-01-01',
  ],
])('on %s, the common ranges match the calendar (F42)', (today, others, year) => {
  expect(presetsOn(day(today)).map(shown)).toEqual([...others, year])
})

test('a range’s steps have no gaps, and are days until there are too many', () => {
  const range = fc.record({ from: fc.integer({ min: 11_000, max: 22_000 }), length: fc.integer({ min: 1, max: 3700 }) })
  fc.assert(
    fc.property(range, ({ from, length }) => {
      const to = from + length - 1
      const steps = stepsOf({ from, to }, from, to)
      expect(steps[0]?.from).toBe(from)
      expect(steps.at(-1)?.to).toBe(to)
      for (const [index, step] of steps.slice(1).entries()) expect(step.from).toBe((steps[index]?.to ?? 0) + 1)
      if (length <= 62) expect(steps).toHaveLength(length)
      else for (const step of steps) expect(isoOfDay(step.from).slice(0, 7)).toBe(isoOfDay(step.to).slice(0, 7))
    }),
  )
})

test('a range without an end runs until today, and one starting later is a single day', () => {
  expect(stepsOf({ from: 100, to: null }, 0, 102)).toHaveLength(3)
  expect(stepsOf({ from: 200, to: null }, 0, 102)).toHaveLength(1)
  expect(stepsOf({ from: null, to: null }, 100, 102)).toHaveLength(3)
})
