import { createSign, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstSigner, type Signer } from '#sandbox/paypal/certificate.ts'
import { certificatePath } from '#sandbox/paypal/events.ts'
import { signEvent } from '#sandbox/stripe/events.ts'
import { openWorld, type World } from '#sandbox/world.ts'

// What a forger sends to the webhooks, and the odd events a real provider might send.

let world: World
let signer: Signer
beforeAll(async () => {
  world = await openWorld()
  signer = (await firstSigner()).signer
})
afterAll(() => world[Symbol.asyncDispose]())

const nowS = () => Math.floor(Date.now() / 1000)
const setting = (name: string, of = world) => of.simulators.settings[name] ?? ''

const tellStripe = (body: string, at = nowS(), of = world) =>
  of.shopper().send('POST', '/webhooks/stripe', body, {
    'stripe-signature': signEvent(body, setting('STRIPE_WEBHOOK_SECRET', of), at),
  })

/** Signed like PayPal's, unless a test overrides it. */
const tellPaypal = (body: string, { of = world, at = new Date(), certificate = '' } = {}) => {
  const [id, time] = [randomUUID(), at.toISOString().replace(/\.\d+Z$/, 'Z')]
  const message = [id, time, setting('PAYPAL_WEBHOOK_ID', of), crc32(body)].join('|')
  return of.shopper().send('POST', '/webhooks/paypal', body, {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': certificate || `${of.simulators.paypal.url}${certificatePath(signer)}`,
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(message).sign(signer.key, 'base64'),
  })
}

const tellPrintful = (body: string, of = world) =>
  of.shopper().send('POST', `/webhooks/printful/${setting('PRINTFUL_WEBHOOK_SECRET', of)}`, body)

const good = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  data: { object: { object: 'payment_intent', id: 'pi_1' } },
}
const NUL = String.fromCharCode(0)
const inPaypal = {
  id: 'WH-1',
  event_type: 'PAYMENT.CAPTURE.COMPLETED',
  resource_type: 'capture',
  resource: { id: '1A' },
}

const shapes: [what: string, stripe: unknown, paypal: unknown, printful: unknown][] = [
  ['no data', { ...good, data: undefined }, { ...inPaypal, resource: 'none' }, { type: 'order_updated', data: 'none' }],
  ['data of null', { ...good, data: null }, { ...inPaypal, resource: [] }, { type: 'order_updated', data: null }],
  ['data without an object', { ...good, data: {} }, { ...inPaypal, resource: 7 }, { type: 'order_updated', data: [] }],
  ['no id', { ...good, id: undefined }, { ...inPaypal, id: undefined }, { data: {} }],
  ['an id of the wrong type', { ...good, id: { $ne: 1 } }, { ...inPaypal, id: 7 }, { type: { $ne: 1 } }],
  ['an empty id', { ...good, id: '' }, { ...inPaypal, id: '' }, { type: '' }],
  ['U+0000 in its id', { ...good, id: `evt_${NUL}` }, { ...inPaypal, id: `WH${NUL}` }, { type: `order${NUL}` }],
  [
    'U+0000 in its object',
    { ...good, data: { object: { object: 'payment_intent', id: `pi_${NUL}` } } },
    { ...inPaypal, resource: { id: `1${NUL}` } },
    { type: 'order_updated', data: { order: { external_id: `K${NUL}` } } },
  ],
  ['a list', [], [], []],
  ['null', null, null, null],
  ['a number', 7, 7, 7],
]

test.each(shapes)(
  'a signed event with %s gets a 400 from each webhook, and is not stored (S92)',
  async (_, ...bodies) => {
    const [stripe, paypal, printful] = bodies.map((body) => JSON.stringify(body)) as [string, string, string]
    const malformed = { status: 400, body: { code: 'malformed_request' } }
    expect(await tellStripe(stripe)).toMatchObject(malformed)
    expect(await tellPaypal(paypal)).toMatchObject(malformed)
    expect(await tellPrintful(printful)).toMatchObject(malformed)
    expect(await world.audit('events')).toEqual([])
  },
)

test.each(['not JSON', '{"id":', '{"type":"order_updated","__proto__":{"isOwner":true}}'])(
  'a signed event of %s gets a 400 (S92)',
  async (body) => {
    expect((await tellPrintful(body)).status).toBe(400)
    expect((await tellStripe(body)).status).toBe(400)
    expect((await tellPaypal(body)).status).toBe(400)
    expect(await world.audit('events')).toEqual([])
  },
)

test('a null character in an unused field of a printer’s event does not block it (S92)', async () => {
  await using own = await openWorld()
  const order = { external_id: 'K7QM-4T2X', status: `fulfilled${NUL}`, costs: { total: NUL }, shipments: NUL }
  expect(
    (await tellPrintful(JSON.stringify({ type: 'order_updated', data: { order, reason: NUL } }), own)).status,
  ).toBe(200)
  await own.settled()
  expect(await own.audit('events')).toHaveLength(1)
})

test('events dated more than five minutes ahead are refused, closer ones are accepted (S50, S51)', async () => {
  await using own = await openWorld()
  const refused = { status: 400, body: { code: 'bad_signature' } }
  const [stripe, paypal] = [JSON.stringify(good), JSON.stringify(inPaypal)]
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  expect(await tellStripe(stripe, nowS() + 310, own)).toMatchObject(refused)
  expect(await tellPaypal(paypal, { at: inMinutes(6), of: own })).toMatchObject(refused)
  expect((await tellStripe(stripe, nowS() + 240, own)).status).toBe(200)
  expect((await tellPaypal(paypal, { at: inMinutes(4), of: own })).status).toBe(200)
  expect(await own.audit('events')).toHaveLength(2)
})

describe('hundreds of forged events', () => {
  test('make no calls and no rows, get a Retry-After, and delay no genuine event from the same address (S92)', async () => {
    await using own = await openWorld()
    const { pool } = own.shop.database
    const forgers = own.shopper()
    const before = own.simulators.kit.log.since(0).length
    const statuses = new Set<number>()
    for (let n = 0; n < 100; n += 1) {
      const at = nowS()
      const body = JSON.stringify({ ...good, id: `evt_${n}` })
      const forged = [
        forgers.send('POST', '/webhooks/stripe', body, { 'stripe-signature': signEvent(body, 'whsec_guessed', at) }),
        tellPaypal(JSON.stringify(inPaypal), {
          of: own,
          certificate: `${own.simulators.paypal.url}/v1/notifications/certs/CERT-${n}`,
        }),
        forgers.send('POST', `/webhooks/printful/guess-${n}`, { type: 'order_updated' }),
      ]
      for (const { status } of await Promise.all(forged)) statuses.add(status)
    }
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([400, 404, 429, 503])
    // The forger's certificate addresses caused a few downloads, and then none.
    expect(own.simulators.kit.log.since(0).length - before).toBeLessThanOrEqual(3)
    expect(await own.audit('events')).toEqual([])
    const { rows } = await pool.query('select 1 from rate_count')
    expect(rows).toEqual([])

    expect((await tellStripe(JSON.stringify(good), nowS(), own)).status).toBe(200)
    expect((await tellPrintful(JSON.stringify({ type: 'order_updated', data: {} }), own)).status).toBe(200)
  })

  test('do not block genuine PayPal events whose certificate is known (S92)', async () => {
    await using own = await openWorld()
    expect((await tellPaypal(JSON.stringify(inPaypal), { of: own })).status).toBe(200)
    const certificate = `${own.simulators.paypal.url}/v1/notifications/certs/CERT-`
    const forge = (n: number) => tellPaypal(JSON.stringify(inPaypal), { of: own, certificate: `${certificate}${n}` })
    await Promise.all(Array.from({ length: 80 }, (_, n) => forge(n)))
    expect((await forge(1)).status).toBe(429)
    expect((await tellPaypal(JSON.stringify({ ...inPaypal, id: 'WH-2' }), { of: own })).status).toBe(200)
    expect(await own.audit('events')).toHaveLength(2)
  })
})
