import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { askAgainMs, letIn, placeIn, roomWords, type Guest, type Room } from './room.ts'

const start = new Date('2026-12-01T12:00:00Z')
const room: Room = {
  ...{ state: 'open', startsAt: start, perMinute: 60, lastTurn: 100, letInTurn: 40 },
  ...{ free: 50, reserved: 3, guests: 100 },
}
const now = after(start, MINUTE_MS)
const later = after(now, MINUTE_MS)
const waits: Guest = { turn: 60, until: null, isUsed: false }

test.each<[string, Partial<Room>, Guest | undefined, Date, object]>([
  ['two hours early', { state: 'scheduled' }, undefined, after(start, -120 * MINUTE_MS), { kind: 'closed' }],
  ['half an hour early', { state: 'scheduled' }, undefined, after(start, -30 * MINUTE_MS), { kind: 'outside' }],
  ['early with a place', { state: 'scheduled' }, { ...waits, turn: null }, after(start, -1), { kind: 'before' }],
  ['without a place', {}, undefined, now, { kind: 'outside', ahead: 60 }],
  ['without a turn', {}, { ...waits, turn: null }, now, { kind: 'drawing' }],
  ['in line', {}, waits, now, { kind: 'waiting', ahead: 19, waitMs: 20 * SECOND_MS }],
  ['more before than pieces', { free: 19 }, waits, now, { kind: 'waiting', ahead: 19, waitMs: null }],
  ['all being paid for', { free: 0, state: 'sold_out' }, waits, now, { kind: 'waiting', waitMs: null }],
  ['all sold', { free: 0, reserved: 0, state: 'sold_out' }, waits, now, { kind: 'sold_out' }],
  ['let in', {}, { ...waits, until: later }, now, { kind: 'in' }],
  ['let in and paying', { free: 0 }, { ...waits, until: later, isUsed: true }, now, { kind: 'used' }],
  ['let in while it is paused', { state: 'paused' }, { ...waits, until: later }, now, { kind: 'in' }],
  ['too late', {}, { ...waits, until: now }, now, { kind: 'missed' }],
  ['paused', { state: 'paused' }, waits, now, { kind: 'paused' }],
  ['over', { state: 'ended' }, waits, now, { kind: 'over' }],
])('%s', (_, more, guest, at, expected) => {
  const here = { ...room, ...more }
  const place = placeIn(here, guest, at)
  expect(place).toMatchObject(expected)
  expect(roomWords(place, here, guest).heading).not.toBe('')
  expect(askAgainMs(place, here, at, 0)).toBeGreaterThanOrEqual(3 * SECOND_MS)
})

test('ten thousand who wait for the start do not ask in the same second, and the last is told within a minute', () => {
  const here = { ...room, state: 'scheduled' as const, guests: 10_000 }
  const at = after(start, -20 * SECOND_MS)
  const place = placeIn(here, { ...waits, turn: null }, at)
  const asks = Array.from({ length: 10_000 }, (_, index) => askAgainMs(place, here, at, index / 10_000) / SECOND_MS)
  expect(Math.min(...asks)).toBe(20)
  expect(Math.max(...asks)).toBeLessThanOrEqual(50)
  const perSecond = Map.groupBy(asks, Math.floor)
  expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThanOrEqual(340)
})

test('nobody is let in faster than the pace, beyond the pieces or beyond the line', () => {
  const step = fc.record({ ms: fc.integer({ min: 0, max: 90_000 }), came: fc.integer({ min: 0, max: 40 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 60 }),
      fc.array(step, { maxLength: 40 }),
      (perMinute, limitPerPerson, free, steps) => {
        let [at, door] = [
          start,
          { ...{ letInAt: start, lastTurn: 0, letInTurn: 0, perMinute, free, visiting: 0, limitPerPerson } },
        ]
        for (const { ms, came } of steps) {
          at = after(at, ms)
          door = { ...door, lastTurn: door.lastTurn + came }
          const { count, letInAt } = letIn(door, at)
          expect(letInAt <= at).toBe(true)
          door = { ...door, letInAt, letInTurn: door.letInTurn + count, visiting: door.visiting + count }
        }
        const minutes = (at.getTime() - start.getTime()) / MINUTE_MS
        expect(door.letInTurn).toBeLessThanOrEqual(door.lastTurn)
        expect(door.letInTurn).toBeLessThanOrEqual(Math.ceil(free / limitPerPerson))
        expect(door.letInTurn).toBeLessThanOrEqual(Math.max(1, (minutes + 0.5) * perMinute) + 1)
      },
    ),
  )
})
