import { expect, test } from 'vitest'
import { deviceWallet } from './device-wallet.ts'

const chrome = { userAgentData: { brands: [{ brand: 'Not A Brand' }, { brand: 'Google Chrome' }] } }
const apple = (canMakePayments: () => boolean) => ({ ApplePaySession: { canMakePayments }, navigator: {} })

test.each([
  ['Safari with a card', apple(() => true), 'apple'],
  ['Safari without', apple(() => false), undefined],
  [
    'Safari without https',
    apple(() => {
      throw new Error('insecure')
    }),
    undefined,
  ],
  ['Chrome', { PaymentRequest: () => {}, navigator: chrome }, 'google'],
  [
    'Chromium',
    { PaymentRequest: () => {}, navigator: { userAgentData: { brands: [{ brand: 'Chromium' }] } } },
    undefined,
  ],
  ['Firefox', { navigator: {} }, undefined],
] as const)('what %s offers', (_, browser, wallet) => {
  expect(deviceWallet(browser)).toBe(wallet)
})
