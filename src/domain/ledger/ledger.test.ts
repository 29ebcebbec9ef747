import { expect, test } from 'vitest'
import { cents, ZERO } from '#shared/money.ts'
import {
  isBalanced,
  entriesOfCommission,
  entriesOfCommissionPayout,
  entriesOfDisputeFeeReturn,
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfPrinterCredit,
  entriesOfPayout,
  type Account,
  type Entry,
} from './ledger.ts'

const on = (entries: readonly Entry[], account: Account) =>
  entries.find((entry) => entry.account === account)?.amount ?? ZERO

test.each([
  ['a fee', entriesOfFee('stripe', cents(145)), 'expense:provider_fees', 145, 'provider:stripe', -145],
  ['a fee given back', entriesOfFee('paypal', cents(-20)), 'expense:provider_fees', -20, 'provider:paypal', 20],
  ['a partner’s cost', entriesOfPrinterCost(cents(1795), true), 'expense:fulfillment', 1795, 'print_partner', -1795],
  ['a replacement’s cost', entriesOfPrinterCost(cents(900), false), 'expense:free_orders', 900, 'print_partner', -900],
  ['a partner’s credit', entriesOfPrinterCredit(cents(600), true), 'print_partner', 600, 'expense:fulfillment', -600],
  ['a payout', entriesOfPayout('stripe', cents(90_000)), 'bank', 90_000, 'provider:stripe', -90_000],
  [
    'the fee of a dispute that was won',
    entriesOfDisputeFeeReturn('stripe', cents(1500)),
    'provider:stripe',
    1500,
    'expense:dispute_fees',
    -1500,
  ],
  ['a commission', entriesOfCommission(cents(294)), 'expense:commission', 294, 'liability:commission', -294],
  ['a commission’s payout', entriesOfCommissionPayout(cents(294)), 'liability:commission', 294, 'bank', -294],
] as const)('%s moves between its two accounts and sums to zero', (_, entries, to, gained, from, lost) => {
  expect(on(entries, to)).toBe(gained)
  expect(on(entries, from)).toBe(lost)
  expect(entries).toHaveLength(2)
  expect(isBalanced(entries)).toBe(true)
})

test('zero amounts are not booked', () => {
  expect(entriesOfFee('stripe', ZERO)).toEqual([])
  expect(entriesOfPrinterCost(ZERO, true)).toEqual([])
})
