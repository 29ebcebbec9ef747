import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { closingBalanceOf, fillMissingDays } from './statement.ts'

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
