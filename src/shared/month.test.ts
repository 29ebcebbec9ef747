import { expect, test } from 'vitest'
import { dayFromIso, isoOfDay } from './calendar-day.ts'
import { daysOfMonth, monthAfter, monthsBetween, nameOfMonth } from './month.ts'

const day = (iso: string) => dayFromIso(iso) ?? Number.NaN

test.each([
  ['2026-02', ['2026-02-01', '2026-03-01']],
  ['2028-02', ['2028-02-01', '2028-03-01']],
  ['2026-12', ['2026-12-01', '2027-01-01']],
  ['2026-13', undefined],
  ['2026-1', undefined],
  ['2026-11-01', undefined],
  ['', undefined],
])('the month %j', (month, expected) => {
  const days = daysOfMonth(month)
  expect(days && [isoOfDay(days.first), isoOfDay(days.next)]).toEqual(expected)
})

test('a partner has a statement for every month since joining, latest first', () => {
  expect(monthsBetween(day('2025-11-30'), day('2026-02-01'))).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
  expect(monthsBetween(day('2026-02-01'), day('2026-02-01'))).toEqual(['2026-02'])
})

test('a month has a next one and a name', () => {
  expect(['2026-01', '2026-12'].map(monthAfter)).toEqual(['2026-02', '2027-01'])
  expect(['2026-01', '2026-12'].map(nameOfMonth)).toEqual(['January 2026', 'December 2026'])
  expect(() => monthAfter('2026-13')).toThrow()
})
