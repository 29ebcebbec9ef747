import { expect, test } from 'vitest'
import { startSimulators } from '#sandbox/simulators.ts'
import { readKeys, rehearse, simulatedPayer } from './rehearse.ts'

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
