import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  actionsFor,
  decideDrop,
  dropActions,
  dropStateOf,
  editionsLabel,
  isSelling,
  type DropDecision,
  type DropTimes,
} from './drop.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 11, 1, 12, minute))
const drop: DropTimes = { decision: 'scheduled', startsAt: at(10), endsAt: at(20), earlyMinutes: 5 }

describe('the state of a drop follows from the decision, the time and the pieces', () => {
  test.each([
    [{}, 9, 5, 'scheduled'],
    [{}, 10, 5, 'open'],
    [{}, 10, 0, 'sold_out'],
    [{}, 19, null, 'open'],
    [{}, 20, 5, 'ended'],
    [{ endsAt: null }, 59, 5, 'open'],
    [{ decision: 'paused' }, 15, 5, 'paused'],
    [{ decision: 'draft' }, 15, 5, 'draft'],
    [{ decision: 'ended' }, 5, 5, 'ended'],
    [{ decision: 'released' }, 25, 5, 'released'],
  ] as const)('%j at minute %i with %s free is %s', (more, minute, free, state) => {
    expect(dropStateOf({ ...drop, ...more }, free, at(minute))).toBe(state)
  })
})

test.each([
  [4, true, false],
  [5, true, true],
  [5, false, false],
  [10, false, true],
  [20, true, false],
])('at minute %i, with early access %s, it sells: %s', (minute, early, sells) => {
  expect(isSelling(drop, early, at(minute))).toBe(sells)
})

test('what the owner can do in each state', () => {
  expect(actionsFor('draft')).toEqual(['schedule'])
  expect(actionsFor('scheduled')).toEqual(['withdraw', 'pause', 'extend', 'end'])
  expect(actionsFor('open')).toEqual(['pause', 'extend', 'end'])
  expect(actionsFor('paused')).toEqual(['resume', 'extend', 'end'])
  expect(actionsFor('sold_out')).toEqual(['pause', 'extend', 'end'])
  expect(actionsFor('ended')).toEqual(['extend', 'release'])
  expect(actionsFor('released')).toEqual([])
})

test('whatever the owner does, a drop that is not scheduled sells nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...dropActions)), fc.integer({ min: 0, max: 59 }), (actions, minute) => {
      let decision: DropDecision = 'draft'
      for (const action of actions) {
        const state = dropStateOf({ ...drop, decision }, 1, at(minute))
        decision = decideDrop(state, action) ?? decision
      }
      const isOn = isSelling({ ...drop, decision }, true, at(minute))
      expect(isOn).toBe(decision === 'scheduled' && minute >= 5 && minute < 20)
    }),
  )
})

test('numbers as they are printed', () => {
  expect(editionsLabel([12], 500)).toBe('No. 12 of 500')
  expect(editionsLabel([12], null)).toBe('No. 12')
  expect(editionsLabel([3, 4, 9], 500)).toBe('Nos. 3, 4 and 9 of 500')
})
