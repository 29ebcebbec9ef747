import { describe, expect, test } from 'vitest'
import { ConfigError, isLive, readConfig } from './config.ts'

const environment = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PAYPAL_CLIENT_ID: 'A1',
  PAYPAL_CLIENT_SECRET: 'E1',
  PAYPAL_WEBHOOK_ID: 'WH-1',
  PRINTFUL_TOKEN: 't',
  PRINTFUL_WEBHOOK_SECRET: 'w',
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'https://shop.example',
}

const mistakesIn = (env: Record<string, string | undefined>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return error instanceof ConfigError ? error.mistakes : [String(error)]
  }
}

describe('the configuration', () => {
  test('of a live shop with all of its keys has no mistake', () => {
    expect(mistakesIn(environment)).toEqual([])
  })

  test.each([
    ['https://api-m.paypal.com', true],
    ['https://api-m.sandbox.paypal.com', false],
    ['http://127.0.0.1:1', false],
  ])('takes wallet payments at %s for real money: %s', (PAYPAL_API_BASE, live) => {
    const config = readConfig({ ...environment, PAYPAL_API_BASE, ALLOW_SANDBOX: '1' })
    expect(isLive(config, 'paypal')).toBe(live)
  })

  test('refuses a live shop whose wallet is a simulator on this machine (S90)', () => {
    expect(mistakesIn({ ...environment, PAYPAL_API_BASE: 'http://127.0.0.1:4011' })).toEqual([
      'PAYPAL_API_BASE points at this machine, but the shop is live.',
    ])
  })

  test('a replica without the server that it follows is a mistake', () => {
    expect(mistakesIn({ ...environment, DATABASE_REPLICA_URL: 'postgres://127.0.0.1/shop' })).toEqual([
      'DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded database has no replica.',
    ])
  })

  test('says all that is missing at once', () => {
    const { PAYPAL_CLIENT_ID: _, PAYPAL_WEBHOOK_ID: __, ...rest } = environment
    expect(mistakesIn(rest)).toEqual(['PAYPAL_CLIENT_ID is missing.', 'PAYPAL_WEBHOOK_ID is missing.'])
  })
})
