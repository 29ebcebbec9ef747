import { expect, test } from 'vitest'
import { afterBusinessDays, arrivalWindow } from './arrival.ts'

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000
const iso = (epochDay: number): string => new Date(epochDay * 86_400_000).toISOString().slice(0, 10)

test.each([
  ['a Monday', '2026-11-23', 1, '2026-11-24'],
  ['a Monday, over the week', '2026-11-23', 5, '2026-11-30'],
  ['a Friday', '2026-11-27', 1, '2026-11-30'],
  ['a Saturday', '2026-11-28', 1, '2026-11-30'],
  ['a Sunday', '2026-11-29', 2, '2026-12-01'],
  ['the last of a year', '2026-12-31', 1, '2027-01-01'],
  ['any day, none later', '2026-11-28', 0, '2026-11-28'],
])('from %s, %s, %i business days later is %s', (_, from, count, to) => {
  expect(iso(afterBusinessDays(day(from), count))).toBe(to)
})

test('an order made in 2-5 and shipped in 5-10 business days arrives in 7 to 15', () => {
  const { from, to } = arrivalWindow(day('2026-11-23'), { from: 2, to: 5 }, { from: 5, to: 10 })
  expect([iso(from), iso(to)]).toEqual(['2026-12-02', '2026-12-14'])
})
