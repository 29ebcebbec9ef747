import { expect, test } from 'vitest'
import { walletRefusalSentence } from './wallet-refusals.ts'

test.each([
  ['INSTRUMENT_DECLINED', 'choose another one in PayPal'],
  ['PAYER_ACTION_REQUIRED', 'open PayPal once more'],
  ['PAYER_ACCOUNT_RESTRICTED', 'ask PayPal why'],
  ['TRANSACTION_LIMIT_EXCEEDED', 'more than PayPal lets this account pay'],
  ['SOMETHING_NEW', 'PayPal declined this payment'],
])('a payer who meets %s reads what to do next, and that nothing was charged', (issue, words) => {
  expect(walletRefusalSentence(issue)).toContain(words)
  expect(walletRefusalSentence(issue)).toContain('Nothing was charged.')
})
