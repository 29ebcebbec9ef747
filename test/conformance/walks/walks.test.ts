import { expect, test } from 'vitest'
import { judgePaypal, judgePrintful, judgeStripe } from './judge.ts'

test.each([
  ['Stripe', judgeStripe],
  ['PayPal', judgePaypal],
  ['Printful', judgePrintful],
])('%s is simulated as documented, and an accountant finds nothing wrong in its books', async (_, judge) => {
  expect(await judge()).toEqual([])
})
