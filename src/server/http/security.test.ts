import { describe, expect, test } from 'vitest'
import { configWith } from '#sandbox/config.ts'
import { paypalScriptAt } from '#server/config/config.ts'
import { securityHeaders } from './security.ts'

// Hosts as docs.stripe.com/security/guide and developer.paypal.com/sdk/js/csp publish them.

const sandbox = configWith({
  PAYPAL_API_BASE: 'http://127.0.0.1:6004',
  PAYPAL_SCRIPT: 'http://127.0.0.1:6004/paypal.js',
})
/** As the providers' own addresses make it; a whole live configuration would also be judged for its secrets. */
const live = {
  ...sandbox,
  stripe: { ...sandbox.stripe, apiBase: 'https://api.stripe.com', scriptUrl: 'https://js.stripe.com/endive/stripe.js' },
  paypal: {
    ...sandbox.paypal,
    apiBase: 'https://api-m.paypal.com',
    scriptUrl: paypalScriptAt('https://api-m.paypal.com'),
  },
}

const directives = (url: string, config = live) =>
  new Map(
    (securityHeaders(config).of(url)['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources] as const
    }),
  )

describe('a page that takes payment', () => {
  test('a payment page runs scripts of the shop, Stripe and PayPal only', () => {
    const scripts = directives('/checkout').get('script-src')
    expect(scripts).toEqual([
      ...["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
      ...['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com'],
    ])
  })

  test('a payment page lets Link open its windows and make its calls', () => {
    expect(directives('/checkout').get('frame-src')).toContain('https://*.link.com')
    expect(directives('/checkout').get('connect-src')).toEqual(
      expect.arrayContaining(['https://api.stripe.com', 'https://*.link.com']),
    )
  })

  test('a payment page allows PayPal’s inline styles only for PayPal’s own script, and never inline scripts', () => {
    expect(directives('/checkout').get('style-src')).toEqual(["'self'", "'unsafe-inline'"])
    expect(
      directives('/checkout', configWith({ PAYPAL_SCRIPT: 'http://127.0.0.1:6004/paypal.js' })).get('style-src'),
    ).toEqual(["'self'"])
    expect(directives('/checkout').get('script-src')).not.toContain("'unsafe-inline'")
  })

  test('only payment pages may connect to payment providers', () => {
    for (const name of ['script-src', 'connect-src', 'style-src'])
      expect(directives('/products').get(name)).toEqual(["'self'"])
    expect(directives('/products').get('frame-src')).toEqual(["'none'"])
  })
})

test('every page names the address for policy reports', () => {
  const { plain } = securityHeaders(live)
  expect(plain['reporting-endpoints']).toBe('policy="/policy-reports"')
  expect(plain['content-security-policy']).toMatch(/report-uri \/policy-reports; report-to policy$/)
})

test.each([
  ['https://api-m.sandbox.paypal.com', 'https://www.sandbox.paypal.com/web-sdk/v6/core'],
  ['https://api-m.paypal.com', 'https://www.paypal.com/web-sdk/v6/core'],
])('with the API at %s the shop runs PayPal’s script of the same mode', (base, script) => {
  expect(paypalScriptAt(base)).toBe(script)
})
