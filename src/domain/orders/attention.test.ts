import { expect, test } from 'vitest'
import { needsShopper, attentionReason, attentionCauseOf, type AttentionCause } from './attention.ts'

test.each<[string | null, AttentionCause]>([
  ['Recipient: We could not verify this address.', 'address'],
  ['Invalid ZIP code', 'address'],
  ['One or more items of this order are out of stock', 'stock'],
  ['The design of this order needs your approval', 'design'],
  ['A print file could not be downloaded', 'design'],
  ['Costs are being calculated', 'costs'],
  ['Something else', 'unknown'],
  [null, 'unknown'],
])('%s is a problem with the %s', (reason, cause) => {
  expect(attentionCauseOf(reason)).toBe(cause)
  expect(needsShopper(cause)).toBe(cause === 'address')
})

test('the owner reads the reason and the next step', () =>
  expect(attentionReason('The printer holds it', 'The design needs your approval.')).toBe(
    'The printer holds it: The design needs your approval. Approve or replace the print file at the printer.',
  ))
