import fc from 'fast-check'
import { expect, test } from 'vitest'
import { monthAfter, type Month } from '#shared/month.ts'
import { DAY_MS } from '#shared/time.ts'
import { standingOf, type Closing, type MonthSpan } from './closing.ts'
import { objectionToClosing, openMonthOf, spanOf } from './months.ts'

const NEW_YORK = 'America/New_York'
const at = (iso: string) => new Date(iso)

test.each([
  ['America/New_York', '2026-03', '2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z'],
  ['Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ['Asia/Tokyo', '2026-12', '2026-11-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z'],
  ['Pacific/Kiritimati', '2028-02', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
])('a month of %s begins and ends at midnight there: %s', (zone, month, from, until) =>
  expect(spanOf(zone, month, [])).toEqual({ month, from: at(from), until: at(until) }),
)

const marchOf = (zone: string): MonthSpan => {
  const span = spanOf(zone, '2026-03', [])
  if (!span) throw new Error('March is a month')
  return span
}

test('after a change of the zone a month begins where the last closed one ended', () => {
  const closed = [marchOf('Asia/Tokyo')]
  expect(spanOf(NEW_YORK, '2026-04', closed)?.from).toEqual(closed[0]?.until)
  expect(spanOf(NEW_YORK, '2026-03', closed)).toEqual(closed[0])
  expect(spanOf(NEW_YORK, '2026-05', closed)?.from).toEqual(at('2026-05-01T04:00:00Z'))
  // Still March in New York, but Tokyo's March was closed.
  expect(openMonthOf(NEW_YORK, at('2026-03-31T20:00:00Z'), closed)).toBe('2026-04')
})

const closed = [marchOf(NEW_YORK)]
test.each<[why: string, month: Month, now: string, closed: MonthSpan[], first: string | undefined, code?: string]>([
  ['no month', '2026-3', '2026-06-01T00:00:00Z', [], '2026-03-05T00:00:00Z', 'unknown_month'],
  ['the first month with postings', '2026-03', '2026-06-01T00:00:00Z', [], '2026-03-05T00:00:00Z'],
  ['an hour after its end', '2026-03', '2026-04-01T05:00:00Z', [], '2026-03-05T00:00:00Z'],
  ['before that', '2026-03', '2026-04-01T04:59:59Z', [], '2026-03-05T00:00:00Z', 'month_not_over'],
  ['before the first posting', '2026-02', '2026-06-01T00:00:00Z', [], '2026-03-05T00:00:00Z', 'nothing_to_close'],
  ['nothing was booked', '2026-02', '2026-06-01T00:00:00Z', [], undefined, 'nothing_to_close'],
  ['an earlier one is open', '2026-04', '2026-06-01T00:00:00Z', [], '2026-03-05T00:00:00Z', 'earlier_month_open'],
  ['closed already', '2026-03', '2026-06-01T00:00:00Z', closed, undefined, 'month_closed'],
  ['before a closed one', '2026-01', '2026-06-01T00:00:00Z', closed, undefined, 'month_closed'],
  ['the next one', '2026-04', '2026-06-01T00:00:00Z', closed, '2026-04-05T00:00:00Z'],
  ['an empty one after a closed one', '2026-04', '2026-06-01T00:00:00Z', closed, undefined],
  ['after an empty one', '2026-05', '2026-06-02T00:00:00Z', closed, '2026-05-05T00:00:00Z'],
])('closing %s (%s)', (_why, month, now, spans, first, code) =>
  expect(objectionToClosing({ zone: NEW_YORK, month, now: at(now) }, spans, first ? at(first) : undefined)?.code).toBe(
    code,
  ),
)

/** What a shop may live through: time passes, something is booked, the zone changes, a month is closed or reopened. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('book' as const), amount: fc.integer({ min: -900, max: 900 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 9 * DAY_MS }) }),
  },
  // To the edge of a month, where mistakes live.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edge' as const), ms: fc.integer({ min: -2, max: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      zone: fc.constantFrom(NEW_YORK, 'Europe/Berlin', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'),
    }),
  },
)

type Booked = { at: Date; amount: number }
type Row = MonthSpan & { kind: Closing['kind']; frozen: number }

const sumIn = (booked: readonly Booked[], { from, until }: Pick<MonthSpan, 'from' | 'until'>): number =>
  booked.reduce((sum, one) => (one.at >= from && one.at < until ? sum + one.amount : sum), 0)

test('over 1,000 random histories each booking is in exactly one month, and closed months never change', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const booked: Booked[] = []
      const rows: Row[] = []
      let zone = NEW_YORK
      let now = at('2026-01-30T12:00:00Z')
      for (const wish of steps) {
        const standing = standingOf(rows)
        const [firstOpen] = booked.filter((one) => one.at >= (standing.at(-1)?.until ?? at('2000-01-01')))
        switch (wish.do) {
          case 'book':
            booked.push({ at: now, amount: wish.amount })
            break
          case 'wait':
            now = new Date(now.getTime() + wish.ms)
            break
          case 'edge': {
            const end = spanOf(zone, openMonthOf(zone, now, []), [])?.until ?? now
            now = new Date(Math.max(now.getTime(), end.getTime() + wish.ms))
            break
          }
          case 'close': {
            const last = standing.at(-1)
            const month = firstOpen ? openMonthOf(zone, firstOpen.at, standing) : last && monthAfter(last.month)
            const span = month === undefined ? undefined : spanOf(zone, month, standing)
            if (span && !objectionToClosing({ zone, month: span.month, now }, standing, firstOpen?.at))
              rows.push({ ...span, kind: 'closed', frozen: sumIn(booked, span) })
            break
          }
          case 'reopen': {
            const last = standing.at(-1)
            if (last) rows.push({ ...last, kind: 'reopened' })
            break
          }
          case 'move':
            ;({ zone } = wish)
        }
      }
      const standing = standingOf(rows)
      for (const month of standing) expect(sumIn(booked, month)).toBe(month.frozen)
      for (const one of booked) {
        const owners = standing.filter(({ from, until }) => one.at >= from && one.at < until)
        const isOpen = one.at >= (standing.at(-1)?.until ?? at('2000-01-01'))
        expect(owners).toHaveLength(isOpen ? 0 : 1)
      }
      const last = standing.at(-1)
      const open = sumIn(booked, { from: last?.until ?? at('2000-01-01'), until: at('2100-01-01') })
      const all = booked.reduce((sum, one) => sum + one.amount, 0)
      expect(standing.reduce((sum, month) => sum + month.frozen, open)).toBe(all)
    }),
    { numRuns: 1000 },
  )
})
