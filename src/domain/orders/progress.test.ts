import { expect, test } from 'vitest'
import type { FulfillmentStatus } from './status.ts'
import { isUnderWay, milestonesOf } from './progress.ts'

const onDay = (day: number) => new Date(Date.UTC(2026, 10, day))
const paidAt = onDay(2) // a Monday
const written = (status: FulfillmentStatus, steps: [FulfillmentStatus, number][]) =>
  milestonesOf(
    status,
    paidAt,
    steps.map(([step, day]) => ({ status: step, at: onDay(day) })),
  ).map(({ station, state, at }) => `${station} ${state}${at ? ` ${at.getUTCDate()}` : ''}`)

test.each<[FulfillmentStatus, [FulfillmentStatus, number][], string[]]>([
  ['waiting', [], ['paid now 2', 'submitted next', 'in_production next', 'shipped next', 'delivered next']],
  [
    'in_production',
    [
      ['submitted', 2],
      ['in_production', 3],
    ],
    ['paid done 2', 'submitted done 2', 'in_production now 3', 'shipped next', 'delivered next'],
  ],
  // Nobody told of the making: it is behind the order all the same, on a day that nobody knows.
  [
    'shipped',
    [
      ['submitted', 2],
      ['partially_shipped', 5],
      ['shipped', 6],
    ],
    ['paid done 2', 'submitted done 2', 'in_production done', 'shipped now 5', 'delivered next'],
  ],
  // A hold is no station: the order stands where it stood.
  [
    'on_hold',
    [
      ['submitted', 2],
      ['on_hold', 3],
    ],
    ['paid done 2', 'submitted now 2', 'in_production next', 'shipped next', 'delivered next'],
  ],
  [
    'cancelled',
    [
      ['submitted', 2],
      ['cancelled', 4],
    ],
    ['paid done 2', 'submitted done 2', 'cancelled now 4'],
  ],
  [
    'returned',
    [
      ['shipped', 5],
      ['returned', 20],
    ],
    ['paid done 2', 'submitted done', 'in_production done', 'shipped done 5', 'returned now 20'],
  ],
])('an order that is %s has passed %j', (status, steps, milestones) =>
  expect(written(status, steps)).toEqual(milestones),
)

test.each<FulfillmentStatus>(['on_hold', 'needs_attention', 'cancelled', 'returned', 'delivered'])(
  'no arrival is promised of an order that is %s',
  (status) => {
    expect(isUnderWay(status)).toBe(false)
    expect(isUnderWay('shipped')).toBe(true)
  },
)
