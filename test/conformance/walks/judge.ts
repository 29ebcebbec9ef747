import { createHmac, createVerify, X509Certificate } from 'node:crypto'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import type { Delivery } from '#sandbox/kit/types.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { auditPaypal, auditPaypalEvent } from '../accountants/paypal.ts'
import { auditPrintful, auditPrintfulEvent } from '../accountants/printful.ts'
import { auditStripe, auditStripeEvent } from '../accountants/stripe.ts'
import type { Json } from '../json.ts'
import { openStripeWorld, SECRET_KEY, WEBHOOK_SECRET } from '../schema/stripe-world.ts'
import { walkPaypal } from './paypal.ts'
import { walkPrintful } from './printful.ts'
import { walkStripe } from './stripe.ts'
import { openWalk, surprises } from './walk.ts'

// Each walks through a simulator and returns what is wrong, a sentence each: answers that should be others, rules of the accountant that are
// broken, events, signatures.

const PAYPAL_WEBHOOK_ID = '4JH86294D6297924G'

/** A walk that cannot go on is a mistake; one that a busy machine slowed down is not. */
function unfinished(error: Error): string[] {
  if (error.name === 'TimeoutError') throw error
  return [`The walk ended: ${error.message}`]
}

const finished = (): string[] => []

export async function judgeStripe(): Promise<string[]> {
  const world = await openStripeWorld()
  const walk = openWalk(world.provider.url, () => ({ authorization: `Bearer ${SECRET_KEY}` }), {
    hand: { advance: (ms) => world.kit.clock.advance(ms), change: (wanted) => world.provider.change(wanted) },
  })
  const ended = await walkStripe(walk, 'walk').then(finished, unfinished)
  await world.kit.idle()
  const now = Math.floor(world.kit.clock.now().getTime() / 1000)
  const unpublished = await world[Symbol.asyncDispose]().then(finished, (error: Error) => [error.message])
  return [
    ...ended,
    ...surprises(walk.exchanges),
    ...auditStripe(walk.exchanges, now),
    ...world.received.flatMap(({ event }) => auditStripeEvent(event as unknown as Json, now)),
    ...world.received.flatMap(({ body, signature }) => wrongStripeSignature(body, signature, now)),
    ...unpublished,
  ]
}

/** https://docs.stripe.com/webhooks/signature, without the package. */
function wrongStripeSignature(body: string, signature: string, now: number): string[] {
  const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  const should = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex')
  if (given !== should) return [`The signature ${signature} is not that of its body.`]
  return Math.abs(Number(time) - now) < 10 * 86_400 ? [] : [`The signature ${signature} has no time in seconds.`]
}

export async function judgePaypal(): Promise<string[]> {
  const kit = openKit({ speed: 0, log: () => {} })
  const keys = { clientId: 'client', clientSecret: 'secret' }
  const delivered: Delivery[] = []
  const ear = { ...kit, deliver: (delivery: Delivery) => void delivered.push(delivery) }
  const paypal = await startPaypal(ear, { port: 0, ...keys, webhookId: PAYPAL_WEBHOOK_ID })
  kit.endpoints.set('paypal', { url: 'https://shop.example/webhooks/paypal', secret: '' })
  let token = ''
  const walk = openWalk(paypal.url, () => ({ authorization: `Bearer ${token}` }), {
    hand: { advance: (ms) => kit.clock.advance(ms), change: (wanted) => paypal.change(wanted) },
  })
  const ended = await walkPaypal(walk, {
    tag: 'walk',
    keys,
    since: kit.clock.now(),
    useToken: (given) => (token = given),
    approve: async (order, as) =>
      void (await fetch(`${paypal.url}/sandbox/approve/${order}?as=${as}`, { method: 'POST' })),
  }).then(finished, unfinished)
  const wrongSignatures = (await Promise.all(delivered.map(wrongPaypalSignature))).flat()
  await paypal.close()
  await kit.close()
  return [
    ...ended,
    ...surprises(walk.exchanges),
    ...auditPaypal(walk.exchanges),
    ...delivered.flatMap(({ body }) => auditPaypalEvent(JSON.parse(body) as Json)),
    ...wrongSignatures,
  ]
}

/** https://developer.paypal.com/api/rest/webhooks/rest, computed by hand: not even the checksum is Node's. */
async function wrongPaypalSignature({ type, body, headers }: Delivery): Promise<string[]> {
  const sent = headers(1, 'good')
  const certificate = await (await fetch(sent['paypal-cert-url'] ?? '')).text()
  const message = [
    sent['paypal-transmission-id'],
    sent['paypal-transmission-time'],
    PAYPAL_WEBHOOK_ID,
    checksum(Buffer.from(body)),
  ].join('|')
  const isRight = createVerify('RSA-SHA256')
    .update(message)
    .verify(new X509Certificate(certificate).publicKey, sent['paypal-transmission-sig'] ?? '', 'base64')
  const isTimed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(sent['paypal-transmission-time'] ?? '')
  return isRight && isTimed && sent['paypal-auth-algo'] === 'SHA256withRSA' ? [] : [`${type} is signed wrongly.`]
}

/** CRC-32 of ISO 3309, as a decimal. */
function checksum(bytes: Buffer): string {
  let register = 0xff_ff_ff_ff
  for (const byte of bytes) {
    register ^= byte
    for (let bit = 0; bit < 8; bit += 1) register = (register >>> 1) ^ (register & 1 ? 0xed_b8_83_20 : 0)
  }
  return String((register ^ 0xff_ff_ff_ff) >>> 0)
}

export async function judgePrintful(): Promise<string[]> {
  const kit = openKit({ speed: 0, log: () => {} })
  const told: Json[] = []
  const ear = { ...kit, deliver: ({ body }: Delivery) => void told.push(JSON.parse(body) as Json) }
  const products = seedProducts(demoProducts)
  const printful = await startPrintful(ear, { port: 0, token: 'secret', storeId: 77, products })
  const walk = openWalk(printful.url, () => ({ authorization: 'Bearer secret' }), {
    hand: { advance: (ms) => kit.clock.advance(ms), change: (wanted) => printful.change(wanted) },
  })
  const ended = await walkPrintful(walk, 'walk').then(finished, unfinished)
  const now = Math.floor(kit.clock.now().getTime() / 1000)
  await printful.close()
  await kit.close()
  return [
    ...ended,
    ...surprises(walk.exchanges),
    ...auditPrintful(walk.exchanges, now),
    ...told.flatMap((event) => auditPrintfulEvent(event, now)),
  ]
}
