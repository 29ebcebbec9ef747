import { expect, test } from 'vitest'
import { isRoutingNumber, maskedAccount, readBic, readIban } from './payout-account.ts'

test.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['gb29nwbk60161331926819', 'GB29NWBK60161331926819'],
  ['DE89 3704 0044 0532 0130 01', undefined],
  ['DE89370400440532', undefined],
  ['US00 1234', undefined],
  ['', undefined],
])('%s is read as the IBAN %s', (typed, iban) => expect(readIban(typed)).toBe(iban))

test.each([
  ['cobadeff', 'COBADEFF'],
  ['COBA DE FF XXX', 'COBADEFFXXX'],
  ['COBADE', undefined],
])('%s is read as the BIC %s', (typed, bic) => expect(readBic(typed)).toBe(bic))

test.each([
  ['021000021', true],
  ['011401533', true],
  ['021000022', false],
  ['02100002', false],
  ['000000000', false],
])('%s is a routing number: %s', (digits, is) => expect(isRoutingNumber(digits)).toBe(is))

test('only the end of an account is shown', () => {
  const holder = 'Rudy'
  expect(maskedAccount({ method: 'iban', holder, iban: 'DE89370400440532013000', bic: null })).toBe(
    'IBAN ending in 3000',
  )
  expect(maskedAccount({ method: 'account', holder, routingNumber: '021000021', accountNumber: '12345' })).toBe(
    'account ending in 2345',
  )
  expect(maskedAccount({ method: 'wallet', holder, email: 'rudy@mail.example' })).toBe('wallet r***@mail.example')
})
