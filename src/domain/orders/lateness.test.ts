import { expect, test } from 'vitest'
import { arrivalToTell, deliveryToTell, type Journey } from './lateness.ts'

const dayOf = (date: string) => Date.parse(date) / 86_400_000
const textOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
const window = (from: string, to: string) => ({ from: dayOf(from), to: dayOf(to) })

// A Monday to a Friday.
const promised = window('2026-10-19', '2026-10-30')
const waiting: Journey = { promised, traveling: { from: 3, to: 10 }, giveUpAfter: 10, parcel: null }
const sentOn = (date: string, more: Partial<NonNullable<Journey['parcel']>> = {}): Journey => ({
  ...waiting,
  parcel: { sent: dayOf(date), estimate: null, ...more },
})

test.each([
  ['before the window', waiting, '2026-10-12', '2026-10-19 to 2026-10-30'],
  ['unsent, while it can still make it', waiting, '2026-10-27', '2026-10-19 to 2026-10-30'],
  ['unsent, once it cannot make it anymore', waiting, '2026-10-28', 'late, 2026-11-02 to 2026-11-13'],
  ['the day after', waiting, '2026-10-31', 'late, 2026-11-02 to 2026-11-13'],
  ['on the last day of the second one', waiting, '2026-11-13', 'late, 2026-11-13 to 2026-11-13'],
  ['after both', waiting, '2026-11-14', 'late'],
  ['sent in time', sentOn('2026-10-16'), '2026-10-29', '2026-10-21 to 2026-10-30'],
  ['on the last day', sentOn('2026-10-16'), '2026-10-30', '2026-10-21 to 2026-10-30'],
  ['after the last day', sentOn('2026-10-16'), '2026-10-31', 'late, 2026-11-02 to 2026-11-13'],
  ['sent early, on the last day of its transit', sentOn('2026-10-14'), '2026-10-28', '2026-10-19 to 2026-10-28'],
  ['sent early, slower than its transit', sentOn('2026-10-14'), '2026-10-29', '2026-10-29 to 2026-10-30'],
  ['the same after its window', sentOn('2026-10-14'), '2026-11-02', 'late, 2026-11-02 to 2026-11-13'],
  ['sent so late that it may be in time', sentOn('2026-10-26'), '2026-10-29', '2026-10-29 to 2026-11-09'],
  ['the same after the last promised day', sentOn('2026-10-26'), '2026-10-31', 'late, 2026-10-31 to 2026-11-09'],
  ['sent too late', sentOn('2026-10-29'), '2026-10-29', 'late, 2026-11-03 to 2026-11-12'],
  [
    'the carrier expects it later',
    sentOn('2026-10-16', { estimate: window('2026-11-03', '2026-11-04') }),
    '2026-10-20',
    'late, 2026-11-03 to 2026-11-04',
  ],
  [
    'the carrier’s own day has passed',
    sentOn('2026-10-16', { estimate: window('2026-11-03', '2026-11-04') }),
    '2026-11-05',
    'late, 2026-11-05 to 2026-11-13',
  ],
  [
    'the carrier expects it in time',
    sentOn('2026-10-16', { estimate: window('2026-10-22', '2026-10-22') }),
    '2026-10-20',
    '2026-10-21 to 2026-10-30',
  ],
])('%s, the order page names no day in the past', (_, journey, today, told) => {
  const { isLate, window: shown } = arrivalToTell(journey, dayOf(today))
  const dates = shown && `${textOf(shown.from)} to ${textOf(shown.to)}`
  expect([isLate ? 'late' : undefined, dates].filter(Boolean).join(', ')).toBe(told)
})

const [yesterday, today, tomorrow, later] = ['2026-10-19', '2026-10-20', '2026-10-21', '2026-10-23'] as const

test.each([
  ['out for delivery on the carrier’s only day', 'out_for_delivery', window(today, today), [today, today]],
  ['out for delivery on one of several days', 'out_for_delivery', window(yesterday, tomorrow), null],
  ['out for delivery on another day', 'out_for_delivery', window(tomorrow, tomorrow), null],
  ['out for delivery without a day', 'out_for_delivery', null, null],
  ['a failed attempt, with a new day', 'failed_attempt', window(tomorrow, tomorrow), [tomorrow, tomorrow]],
  ['a failed attempt, with days that have begun', 'failed_attempt', window(yesterday, later), [tomorrow, later]],
  ['a failed attempt, with today', 'failed_attempt', window(today, today), null],
  ['a failed attempt without a day', 'failed_attempt', null, null],
] as const)('an email of a parcel names the carrier’s days alone: %s', (_, step, estimate, days) => {
  expect(deliveryToTell(step, estimate, dayOf(today))).toEqual(days && window(days[0], days[1]))
})
