import { expect, test } from 'vitest'
import { formatDates, spokenDates } from './calendar-day.ts'

test.each([
  ['2026-12-03', '2026-12-09', 'Dec 3–9', 'Dec 3 to 9'],
  ['2026-12-28', '2027-01-04', 'Dec 28–Jan 4', 'Dec 28 to Jan 4'],
  ['2026-12-03', '2026-12-03', 'Dec 3', 'Dec 3'],
])('%s to %s is shown as %s and said as %s', (from, to, shown, said) => {
  expect([formatDates({ from, to }), spokenDates({ from, to })]).toEqual([shown, said])
})
