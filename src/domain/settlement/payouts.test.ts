import { expect, test } from 'vitest'
import { bookingOf } from './payouts.ts'

const never = { isBooked: false, isReversed: false }
const booked = { isBooked: true, isReversed: false }
const takenBack = { isBooked: true, isReversed: true }

test.each([
  ['under_way', never, 'book'],
  ['paid', never, 'book'],
  ['paid', booked, 'nothing'],
  ['failed', never, 'nothing'],
  ['failed', booked, 'take_back'],
  ['failed', takenBack, 'nothing'],
  ['paid', takenBack, 'nothing'],
] as const)('of a payout that is %s and stands so in the book: %o, there is to do: %s', (status, known, wanted) => {
  expect(bookingOf(status, known)).toBe(wanted)
})
