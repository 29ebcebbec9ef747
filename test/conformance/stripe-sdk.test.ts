import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Rule } from '#sandbox/kit/types.ts'
import { signEvent } from '#sandbox/stripe/events.ts'
import { PUBLISHABLE_KEY, WEBHOOK_SECRET, clientOf, openPayment, openStripeWorld } from './schema/stripe-world.ts'
import type { StripeWorld } from './schema/stripe-world.ts'

/** Behavior of the `stripe` package that the shop relies on: an update that changes it fails here, before a payment does. */

let world: StripeWorld
beforeEach(async () => {
  world = await openStripeWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const now = () => Math.floor(Date.now() / 1000)
const wanted = { amount: 1500, currency: 'usd' }

const failing = (
  does: Rule['do'],
  { times = 1, when = 'before' }: Pick<Rule, 'times'> & Partial<Pick<Rule, 'when'>> = {},
) =>
  world.kit.rules.add({
    provider: 'stripe',
    match: { method: 'POST', path: '/v1/payment_intents' },
    when,
    do: does,
    times,
  })

const patient = (retries: number) => clientOf(world.provider.url, { maxNetworkRetries: retries })

async function refusalOf(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return work.then(
    () => {
      throw new Error('Stripe did not refuse.')
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  )
}

const calls = () => world.kit.log.since(0).filter(({ path }) => path === '/v1/payment_intents')
const made = async () => (await world.stripe.paymentIntents.list()).data.length

const error = (type: string, code?: string) => ({ error: { type, message: 'No.', ...(code && { code }) } })

describe('the class of an error follows the status', () => {
  test.each([
    [400, error('invalid_request_error', 'parameter_missing'), 'StripeInvalidRequestError'],
    [404, error('invalid_request_error', 'resource_missing'), 'StripeInvalidRequestError'],
    [400, error('idempotency_error'), 'StripeIdempotencyError'],
    [400, error('invalid_request_error', 'rate_limit'), 'StripeRateLimitError'],
    [429, error('invalid_request_error', 'rate_limit'), 'StripeRateLimitError'],
    [401, error('invalid_request_error'), 'StripeAuthenticationError'],
    [403, error('invalid_request_error'), 'StripePermissionError'],
    [402, error('card_error', 'card_declined'), 'StripeCardError'],
    [409, error('idempotency_error', 'idempotency_key_in_use'), 'StripeAPIError'],
    [500, error('api_error'), 'StripeAPIError'],
    [503, error('api_error'), 'StripeAPIError'],
  ])('%i with %j is a %s', async (status, body, type) => {
    failing({ status, body })
    const refusal = await refusalOf(world.stripe.paymentIntents.create(wanted))
    expect(refusal).toMatchObject({ type, statusCode: status })
    expect(await made()).toBe(0)
  })

  test('an HTML page with status 200 is an API error', async () => {
    failing({ status: 200, body: '<html></html>' })
    expect((await refusalOf(world.stripe.paymentIntents.create(wanted))).type).toBe('StripeAPIError')
  })

  test('a truncated response is a connection error', async () => {
    failing('truncate', { when: 'after', times: 9 })
    expect((await refusalOf(world.stripe.paymentIntents.create(wanted))).type).toBe('StripeConnectionError')
  })

  test('no response is a connection error after the timeout', async () => {
    failing('hang')
    const refusal = await refusalOf(clientOf(world.provider.url, { timeout: 150 }).paymentIntents.create(wanted))
    expect(refusal).toMatchObject({
      type: 'StripeConnectionError',
      message: expect.stringContaining('150ms') as string,
    })
  })
})

describe('the package retries', () => {
  test.each([500, 503, 409])('after a %i, with the same key', async (status) => {
    failing({ status, body: { error: { type: 'api_error', message: 'No.' } } })
    await patient(1).paymentIntents.create(wanted)
    const keys = calls().map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^stripe-node-retry-/)
    expect(keys[1]).toBe(keys[0])
  })

  test('never after a 429', async () => {
    failing({ status: 429, body: { error: { type: 'invalid_request_error', message: 'Slowly.' } } })
    await refusalOf(patient(2).paymentIntents.create(wanted))
    expect(calls()).toHaveLength(1)
  })

  test.each([
    ['false', 500, 1],
    ['true', 429, 2],
  ])('or as stripe-should-retry: %s says after a %i', async (should, status, times) => {
    failing({
      status,
      body: { error: { type: 'api_error', message: 'No.' } },
      headers: { 'stripe-should-retry': should },
    })
    await patient(1)
      .paymentIntents.create(wanted)
      .catch(() => undefined)
    expect(calls()).toHaveLength(times)
  })

  test('and the key prevents doing work twice whose response was lost', async () => {
    failing({ status: 502, body: '<html>' }, { when: 'after' })
    const intent = await patient(1).paymentIntents.create(wanted)
    expect(intent.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(await made()).toBe(1)
  })

  test('once after a closed connection, even with retries off', async () => {
    let connections = 0
    const rude = createServer((request) => {
      connections += 1
      request.socket.destroy()
    })
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
    const { port } = rude.address() as AddressInfo
    const refusal = await refusalOf(clientOf(`http://127.0.0.1:${port}`).paymentIntents.create(wanted))
    await new Promise((resolve) => rude.close(resolve))
    expect(refusal.type).toBe('StripeConnectionError')
    expect(connections).toBe(2)
  })
})

describe('keys', () => {
  test('a wrong secret key is a 401, the publishable one a 403', async () => {
    const { hostname, port } = new URL(world.provider.url)
    const as = (key: string) =>
      new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
    const wrong = await refusalOf(as('sk_test_wrong_key').balance.retrieve())
    expect(wrong).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
    expect(wrong.message).not.toContain('sk_test_wrong_key')
    const published = await refusalOf(as(PUBLISHABLE_KEY).balance.retrieve())
    expect(published).toMatchObject({ type: 'StripePermissionError', statusCode: 403 })
  })

  test('another API version is refused', async () => {
    const old = clientOf(world.provider.url, { apiVersion: '2020-08-27' as typeof Stripe.API_VERSION })
    expect((await refusalOf(old.balance.retrieve())).statusCode).toBe(400)
  })

  test('a response names its request and API version', async () => {
    const { lastResponse } = await world.stripe.balance.retrieve()
    expect(lastResponse.requestId).toMatch(/^req_/)
    expect(lastResponse.apiVersion).toBe(Stripe.API_VERSION)
  })
})

describe('webhook signatures', () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.succeeded', data: { object: {} } })
  const construct = (header: string, payload = body, secret = WEBHOOK_SECRET, tolerance?: number) =>
    world.stripe.webhooks.constructEvent(payload, header, secret, tolerance)

  test('the simulator’s signature is the one that the package creates', () => {
    const timestamp = now()
    const theirs = world.stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET, timestamp })
    expect(theirs.startsWith(signEvent(body, WEBHOOK_SECRET, timestamp))).toBe(true)
  })

  test('a signature passes for 300 seconds, not longer', () => {
    expect(construct(signEvent(body, WEBHOOK_SECRET, now() - 299)).id).toBe('evt_1')
    expect(() => construct(signEvent(body, WEBHOOK_SECRET, now() - 302))).toThrow(
      'Timestamp outside the tolerance zone',
    )
    expect(construct(signEvent(body, WEBHOOK_SECRET, now() - 999), body, WEBHOOK_SECRET, 0).id).toBe('evt_1')
  })

  test('a signature from tomorrow passes: only age is checked', () => {
    expect(construct(signEvent(body, WEBHOOK_SECRET, now() + 86_400)).id).toBe('evt_1')
  })

  test('two signatures pass when either is valid', () => {
    const at = now()
    const [, other = ''] = signEvent(body, 'whsec_old', at).split(',')
    const header = `${signEvent(body, WEBHOOK_SECRET, at)},${other}`
    expect(construct(header).id).toBe('evt_1')
    expect(construct(header, body, 'whsec_old').id).toBe('evt_1')
  })

  test.each([
    ['another secret', () => construct(signEvent(body, 'whsec_other', now()))],
    ['another body', () => construct(signEvent(body, WEBHOOK_SECRET, now()), `${body} `)],
    ['only the old scheme', () => construct(signEvent(body, WEBHOOK_SECRET, now()).replace('v1=', 'v0='))],
    ['no header', () => construct('')],
    ['a secret of blanks', () => construct(signEvent(body, WEBHOOK_SECRET, now()), body, '  ')],
  ])('%s does not pass', (_, attempt) => {
    expect(attempt).toThrow(Stripe.errors.StripeSignatureVerificationError)
  })

  test.each(['bad', 'old', 'other-secret', 'none'] as const)(
    'the control page can send one that is %s',
    async (sign) => {
      await world.kit.webhooks.set({ provider: 'stripe', sign })
      await openPayment(world)
      await world.kit.idle()
      const [{ body: sent, signature } = { body: '', signature: '' }] = world.received
      expect(sent).toContain('payment_intent.created')
      expect(() => construct(signature, sent)).toThrow(Stripe.errors.StripeSignatureVerificationError)
    },
  )
})
