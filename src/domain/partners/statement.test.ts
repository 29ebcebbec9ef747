import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { closingBalanceOf, daysOfMonth, fillMissingDays, monthsBetween } from './statement.ts'

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

test('the closing balance is the opening balance plus the month’s changes', () =>
  expect(
    closingBalanceOf({
      opening: cents(-500),
      earned: cents(2000),
      takenBack: cents(-300),
      paidOut: cents(1200),
      paidBack: cents(1200),
    }),
  ).toBe(1200))

test('a day without sales is listed with zeros', () =>
  expect(fillMissingDays(4, 6, new Map([[5, { clicks: 2 }]]), { clicks: 0 })).toEqual([
    { day: 4, clicks: 0 },
    { day: 5, clicks: 2 },
    { day: 6, clicks: 0 },
  ]))
