import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startSimulators } from '#sandbox/simulators.ts'
import { findChromium } from '../chromium.ts'
import { readKeys, rehearse, simulatedPayer } from './rehearse.ts'
import { loadScripts } from './scripts.ts'

/** One set of simulators in the place of the real providers. */
async function openSubject() {
  const simulators = await startSimulators({ speed: 0, firstPort: 0, folder: 'memory://' })
  const { keys } = readKeys({}, simulators.settings)
  return {
    kit: simulators.kit,
    rehearse: (provider: 'stripe' | 'paypal' | 'printful') =>
      rehearse(provider, keys, {
        payer: simulatedPayer(keys.paypal.apiBase),
        pass: (ms) => simulators.kit.clock.advance(ms),
        contracts: process.env['PROVIDER_CONTRACTS'],
      }),
    [Symbol.asyncDispose]: () => simulators.close(),
  }
}

test('a rehearsal with simulators makes every call and finds no difference', async () => {
  await using subject = await openSubject()
  for (const provider of ['stripe', 'paypal', 'printful'] as const) {
    const { calls, differences } = await subject.rehearse(provider)
    expect(differences).toEqual([])
    expect(calls).toBeGreaterThan(25)
  }
  // Nothing was confirmed at the printer.
  const asked = subject.kit.log.since(0).filter(({ provider }) => provider === 'printful')
  expect(asked.filter(({ path }) => path.endsWith('/confirm'))).toEqual([])
  expect(subject.kit.log.notSimulated()).toEqual([])
})

test('a rehearsal prints another status, a missing field, and a field of another type', async () => {
  await using subject = await openSubject()
  const answers = (path: string, answer: { status?: number; body: unknown }) =>
    subject.kit.rules.add({ provider: 'printful', match: { method: 'GET', path }, when: 'after', do: answer })
  answers('/oauth/scopes', {
    status: 403,
    body: { code: 403, result: 'No', error: { reason: 'Forbidden', message: 'No' } },
  })
  answers('/webhooks', { body: { code: 200, result: { url: 'https://a.example', types: 'order_updated' } } })

  const { differences } = await subject.rehearse('printful')

  expect(differences).toContain('scopes: answers 403 Forbidden, the simulator 200')
  expect(differences).toContain('webhooks: the answer.result.types is text, in the simulator list')
  expect(differences).toContain('webhooks: the answer.result lacks params, which the simulator has')
})

test('a rehearsal refuses keys that move money', () => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  expect(() => readKeys(live, {})).toThrow('STRIPE_SECRET_KEY is a live key. A rehearsal never touches real money')
  expect(() => readKeys({ PAYPAL_CLIENT_ID: 'A' }, {})).toThrow('PAYPAL_API_BASE is PayPal’s live address')
  expect(() => readKeys({ PRINTFUL_TOKEN: 'x', PRINTFUL_API_BASE: 'http://printer.example' }, {})).toThrow('https:')
})

/** Both providers' scripts in one. It also wants something from a host that the checkout does not allow. */
const greedyScript = `
const element = { on: (name, told) => name === 'ready' && setTimeout(told), mount() {} }
window.Stripe = () => ({ elements: () => ({ create: () => element }) })
window.paypal = { createInstance: async () => ({ findEligibleMethods: async () => ({ isEligible: () => true }) }) }
fetch('http://tracker.example/pixel').catch(() => {})
`

test('a rehearsal prints what a payment script does against the policy of the checkout', async ({ skip }) => {
  const chromium = findChromium()
  if (!chromium) return skip('Chromium is missing')
  const server = createServer((_, answer) =>
    answer.writeHead(200, { 'content-type': 'text/javascript' }).end(greedyScript),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { keys } = readKeys(
    {
      ...{
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        PAYPAL_CLIENT_ID: 'A',
        PAYPAL_CLIENT_SECRET: 'E',
      },
      ...{
        STRIPE_API_BASE: origin,
        STRIPE_SCRIPT: `${origin}/stripe.js`,
        PAYPAL_API_BASE: origin,
        PAYPAL_SCRIPT: `${origin}/paypal.js`,
      },
    },
    { PRINTFUL_TOKEN: 'x', PRINTFUL_API_BASE: origin },
  )

  const { ready, troubles } = await loadScripts(keys, { clientSecret: 'a', clientToken: 'b' }, chromium)
  server.close()

  expect(ready.toSorted()).toEqual(['card form', 'wallet'])
  expect(troubles.join(' ')).toContain('The policy blocked http://tracker.example/pixel (connect-src)')
})
