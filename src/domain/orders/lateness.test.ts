import { expect, test } from 'vitest'
import { arrivalToTell } from './lateness.ts'

const dayOf = (date: string) => Date.parse(date) / 86_400_000
const textOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

// A Monday to a Friday.
const promised = { from: dayOf('2026-11-09'), to: dayOf('2026-11-20') }

test.each([
  ['before the window', '2026-11-02', '2026-11-09 to 2026-11-20'],
  ['on its last day', '2026-11-20', '2026-11-09 to 2026-11-20'],
  ['the day after', '2026-11-21', 'late, 2026-11-23 to 2026-12-04'],
  ['on the last day of the second one', '2026-12-04', 'late, 2026-11-23 to 2026-12-04'],
  ['after both', '2026-12-05', 'late'],
])('%s, the order page names no day in the past', (_, today, told) => {
  const { isLate, window } = arrivalToTell(promised, dayOf(today), 10)
  const dates = window && `${textOf(window.from)} to ${textOf(window.to)}`
  expect([isLate ? 'late' : undefined, dates].filter(Boolean).join(', ')).toBe(told)
})
