import { expect, test } from 'vitest'
import { checkoutCanBecome, checkoutStates, type CheckoutState } from './status.ts'

const statesAfter = (from: CheckoutState) => checkoutStates.filter((to) => checkoutCanBecome(from, to))

test.each<[CheckoutState, CheckoutState[], string]>([
  ['open', ['held', 'paid', 'exception', 'released'], 'can be paid in any way, or given up'],
  ['held', ['paid', 'released'], 'waits for the provider’s decision, and never opens again'],
  ['released', ['paid'], 'still takes a payment that was under way'],
  ['paid', [], 'stays paid'],
  ['exception', [], 'stays with the owner'],
])('a checkout that is %s may become %j: it %s', (from, to) => expect(statesAfter(from)).toEqual(to))
