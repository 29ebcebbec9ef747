import { expect, test } from 'vitest'
import { changeOf } from './change.ts'

test.each([
  [150, 100, { isUp: true, share: '50%' }],
  [75, 100, { isUp: false, share: '25%' }],
  [-50, 100, { isUp: false, share: '150%' }],
  [100_000, 100, { isUp: true, share: '>999%' }],
  // Nothing to compare with, or no change.
  [100, 0, undefined],
  [100, -5, undefined],
  [100, 100, undefined],
])('%d after %d is told as %o', (now, before, told) => {
  expect(changeOf(now, before)).toEqual(told)
})
