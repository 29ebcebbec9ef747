import { describe, expect, test } from 'vitest'
import { canReview, fitSentence, reviewCanBecome, reviewStates, stateAfterWriting } from './review.ts'

describe('what a review becomes when its writer saves it', () => {
  test.each([
    [undefined, 'after_approval', 'waiting'],
    [undefined, 'at_once', 'published'],
    ['published', 'after_approval', 'waiting'],
    ['published', 'at_once', 'published'],
    ['waiting', 'at_once', 'published'],
    // The owner has hidden it once, so she looks again.
    ['hidden', 'at_once', 'waiting'],
  ] as const)('from %s with %s: %s', (before, appear, after) => {
    expect(stateAfterWriting(before, appear)).toBe(after)
  })
})

test('the owner publishes what waits or is hidden, and hides what waits or is shown; nothing else', () => {
  const allowed = reviewStates.flatMap((from) =>
    reviewStates.flatMap((to) => (reviewCanBecome(from, to) ? `${from} -> ${to}` : [])),
  )
  expect(allowed).toEqual(['waiting -> published', 'waiting -> hidden', 'published -> hidden', 'hidden -> published'])
})

test.each([
  ['delivered', 'paid', false, true],
  ['delivered', 'partially_refunded', false, true],
  ['delivered', 'refunded', true, false],
  ['shipped', 'paid', false, false],
  ['partially_shipped', 'paid', true, true],
  ['returned', 'paid', false, false],
  ['cancelled', 'paid', true, false],
] as const)(
  'a piece of an order that is %s and %s, itself in a delivered parcel: %s; can be reviewed: %s',
  (fulfillment, payment, isArrived, expected) =>
    expect(canReview({ kind: 'sale', fulfillment, payment }, isArrived)).toBe(expected),
)

test('what was given away is no purchase, so it can’t be reviewed', () => {
  expect(canReview({ kind: 'gift', fulfillment: 'delivered', payment: 'paid' }, true)).toBe(false)
})

test.each([
  [{ small: 0, true: 2, large: 0 }, undefined],
  [{ small: 1, true: 1, large: 1 }, undefined],
  [{ small: 2, true: 2, large: 0 }, undefined],
  [{ small: 1, true: 3, large: 1 }, '3 of 5 say it fits true to size.'],
  [{ small: 3, true: 1, large: 0 }, '3 of 4 say it runs small.'],
  [{ small: 0, true: 0, large: 3 }, '3 of 3 say it runs large.'],
])('opinions on the fit %o give %s', (counts, sentence) => expect(fitSentence(counts)).toBe(sentence))
