import { expect, test } from 'vitest'
import { choicesOf, isDoneAtOnce, nextNoticeState, noticeStates, parcelChoices } from './parcel-notice.ts'

test('a refund or a new parcel is chosen once; waiting can be followed by either', () => {
  expect(nextNoticeState('open', 'wait')).toBe('waits')
  expect(nextNoticeState('waits', 'replace')).toBe('decided')
  for (const choice of parcelChoices) expect(nextNoticeState('decided', choice)).toBeUndefined()
  for (const state of noticeStates.slice(2)) expect(nextNoticeState(state, 'end')).toBeUndefined()
})

test.each([
  ['a late parcel', 'late', true, 'open', 'wait refund replace'],
  ['a late parcel that is waited for', 'late', true, 'waits', 'refund replace'],
  ['late pieces that are not shipped', 'late', false, 'open', 'wait refund'],
  ['a lost parcel', 'lost', true, 'open', 'refund replace'],
  ['a returned parcel', 'returned', true, 'open', 'refund replace'],
  ['a parcel decided about', 'lost', true, 'decided', ''],
] as const)('%s can be chosen about', (_, kind, isShipped, state, choices) => {
  expect(choicesOf({ kind, isShipped }, state).join(' ')).toBe(choices)
})

test.each([
  ['a late parcel to be made again', 'late', 'replace', false, 'owner', false],
  ['the refund of what can still be stopped', 'late', 'refund', true, 'owner', true],
  ['the refund of a parcel on its way', 'late', 'refund', false, 'owner', false],
  ['the same where the owner leaves it to the shopper', 'late', 'refund', false, 'at_once', true],
  ['a returned parcel to another address', 'returned', 'replace', false, 'owner', true],
  ['the refund of a returned parcel', 'returned', 'refund', false, 'owner', false],
] as const)('%s is done at once: %s %s %s %s → %s', (_, kind, choice, canCancel, decision, atOnce) => {
  expect(isDoneAtOnce({ kind, choice, canCancel }, decision)).toBe(atOnce)
})
