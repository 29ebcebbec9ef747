import { expect, test } from 'vitest'
import { walletRefusalSentence } from './wallet-refusals.ts'

test.each([
  ['INSTRUMENT_DECLINED', 'choose a different one in PayPal'],
  ['PAYER_ACTION_REQUIRED', 'open PayPal again'],
  ['PAYER_ACCOUNT_RESTRICTED', 'contact PayPal'],
  ['TRANSACTION_LIMIT_EXCEEDED', 'above your PayPal account’s limit'],
  ['SOMETHING_NEW', 'PayPal declined this payment'],
])('after %s, the payer reads what to do next and that nothing was charged', (issue, words) => {
  expect(walletRefusalSentence(issue)).toContain(words)
  expect(walletRefusalSentence(issue)).toContain('Nothing was charged.')
})
