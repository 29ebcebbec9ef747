import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from './time.ts'
import { dayFromIso, isoOfDay } from './calendar-day.ts'
import { dayIn, isTimeZone, startOfDay, wallClockMs } from './time-zone.ts'

const startsAt = (zone: string, iso: string) => new Date(startOfDay(zone, dayFromIso(iso) ?? 0)).toISOString()

test.each([
  ['America/New_York', '2026-01-15', '2026-01-15T05:00:00.000Z'],
  ['America/New_York', '2026-07-15', '2026-07-15T04:00:00.000Z'],
  // Clocks go forward at two o'clock of the 8th, and back on 1 November.
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  // Clocks that go forward at midnight: the day begins at one.
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
  // Clocks that go back from one o'clock to midnight: its first hour comes twice, and the first one counts.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Asia/Kathmandu', '2026-05-01', '2026-04-30T18:15:00.000Z'],
  // Samoa left out 30 December 2011.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ['UTC', '2024-02-29', '2024-02-29T00:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, day, moment) => expect(startsAt(zone, day)).toBe(moment))

const zones = fc.constantFrom(
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'America/Havana',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'UTC',
)

test('every moment lies within the day that its zone shows', () => {
  fc.assert(
    fc.property(zones, fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2035, 0) }), (zone, moment) => {
      const day = dayIn(zone, moment)
      expect(startOfDay(zone, day)).toBeLessThanOrEqual(moment)
      expect(startOfDay(zone, day + 1)).toBeGreaterThan(moment)
    }),
  )
})

test('days follow each other without a gap and last 23 to 25 hours', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('America/New_York', 'Europe/London'),
      fc.integer({ min: 14_000, max: 24_000 }),
      (zone, day) => {
        const hours = (startOfDay(zone, day + 1) - startOfDay(zone, day)) / HOUR_MS
        expect([23, 24, 25]).toContain(hours)
      },
    ),
  )
})

test.each(['2024-13-40', '2023-02-29', "'--", '0000-00-00', '2024-1-1', '2024-01-01T00:00', '', '٢٠٢٤-٠١-٠١'])(
  '%s is no day',
  (text) => expect(dayFromIso(text)).toBeUndefined(),
)

test('a day is written as it is read', () => expect(isoOfDay(dayFromIso('2024-02-29') ?? 0)).toBe('2024-02-29'))

test('a zone has a name', () => {
  expect(isTimeZone('Europe/Paris')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

test('the clocks of New York are five hours behind in winter', () => {
  expect(new Date(wallClockMs(Date.parse('2026-01-15T03:30:00.123Z'), 'America/New_York')).toISOString()).toBe(
    '2026-01-14T22:30:00.123Z',
  )
})
