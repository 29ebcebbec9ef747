import { expect, test } from 'vitest'
import { payoutActionFor } from './payouts.ts'

const never = { status: 'under_way', isBooked: false, isReversed: false } as const
const booked = { status: 'under_way', isBooked: true, isReversed: false } as const
const takenBack = { status: 'failed', isBooked: true, isReversed: true } as const
const failedFirst = { status: 'failed', isBooked: false, isReversed: false } as const

test.each([
  ['under_way', never, 'book'],
  ['paid', never, 'book'],
  ['paid', booked, 'nothing'],
  ['failed', never, 'nothing'],
  ['failed', booked, 'take_back'],
  ['failed', takenBack, 'nothing'],
  ['paid', takenBack, 'nothing'],
  ['under_way', failedFirst, 'nothing'],
  ['paid', failedFirst, 'nothing'],
] as const)('a payout that is %s and booked as %o needs: %s', (status, known, wanted) => {
  expect(payoutActionFor(status, known)).toBe(wanted)
})
