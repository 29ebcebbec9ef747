import { expect, test } from 'vitest'
import { arrivalToTell, type Journey } from './lateness.ts'

const dayOf = (date: string) => Date.parse(date) / 86_400_000
const textOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
const window = (from: string, to: string) => ({ from: dayOf(from), to: dayOf(to) })

// A Monday to a Friday.
const promised = window('2026-11-09', '2026-11-20')
const waiting: Journey = { promised, traveling: { from: 3, to: 10 }, parcel: null }
const sentOn = (date: string, more: Partial<NonNullable<Journey['parcel']>> = {}): Journey => ({
  ...waiting,
  parcel: { sent: dayOf(date), estimate: null, isOutForDelivery: false, ...more },
})

test.each([
  ['before the window', waiting, '2026-11-02', '2026-11-09 to 2026-11-20'],
  ['unsent, while it can still make it', waiting, '2026-11-17', '2026-11-09 to 2026-11-20'],
  ['unsent, once it cannot make it anymore', waiting, '2026-11-18', 'late, 2026-11-23 to 2026-12-04'],
  ['the day after', waiting, '2026-11-21', 'late, 2026-11-23 to 2026-12-04'],
  ['on the last day of the second one', waiting, '2026-12-04', 'late, 2026-12-04 to 2026-12-04'],
  ['after both', waiting, '2026-12-05', 'late'],
  ['sent in time', sentOn('2026-11-06'), '2026-11-19', '2026-11-11 to 2026-11-20'],
  ['on the last day', sentOn('2026-11-06'), '2026-11-20', 'late, 2026-11-23 to 2026-12-04'],
  [
    'on the last day, out for delivery',
    sentOn('2026-11-06', { isOutForDelivery: true }),
    '2026-11-20',
    '2026-11-11 to 2026-11-20',
  ],
  ['sent so late that it may be in time', sentOn('2026-11-16'), '2026-11-19', '2026-11-19 to 2026-11-30'],
  ['the same on the last promised day', sentOn('2026-11-16'), '2026-11-20', 'late, 2026-11-20 to 2026-11-30'],
  ['sent too late', sentOn('2026-11-19'), '2026-11-19', 'late, 2026-11-24 to 2026-12-03'],
  [
    'the carrier expects it later',
    sentOn('2026-11-06', { estimate: window('2026-11-24', '2026-11-25') }),
    '2026-11-10',
    'late, 2026-11-24 to 2026-11-25',
  ],
  [
    'the carrier’s own day has passed',
    sentOn('2026-11-06', { estimate: window('2026-11-24', '2026-11-25') }),
    '2026-11-26',
    'late, 2026-11-26 to 2026-12-04',
  ],
  [
    'the carrier expects it in time',
    sentOn('2026-11-06', { estimate: window('2026-11-12', '2026-11-12') }),
    '2026-11-10',
    '2026-11-11 to 2026-11-20',
  ],
])('%s, the order page names no day in the past', (_, journey, today, told) => {
  const { isLate, window: shown } = arrivalToTell(journey, dayOf(today))
  const dates = shown && `${textOf(shown.from)} to ${textOf(shown.to)}`
  expect([isLate ? 'late' : undefined, dates].filter(Boolean).join(', ')).toBe(told)
})
