import { createVerify, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { openKit } from '#sandbox/kit/kit.ts'
import type { Delivery } from '#sandbox/kit/types.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import { auditPaypal, auditPaypalEvent } from './accountants/paypal.ts'
import type { Json } from './json.ts'
import { walkPaypal } from './walks/paypal.ts'
import { openWalk, surprises } from './walks/walk.ts'

const WEBHOOK_ID = '4JH86294D6297924G'
const keys = { clientId: 'client', clientSecret: 'secret' }

test('PayPal’s simulator does what PayPal documents, and an accountant finds nothing wrong in its account', async () => {
  const kit = openKit({ speed: 0, log: () => {} })
  const delivered: Delivery[] = []
  const ear = { ...kit, deliver: (delivery: Delivery) => void delivered.push(delivery) }
  const paypal = await startPaypal(ear, { port: 0, ...keys, webhookId: WEBHOOK_ID })
  kit.endpoints.set('paypal', { url: 'https://shop.example/webhooks/paypal', secret: '' })
  let token = ''
  const walk = openWalk(paypal.url, () => ({ authorization: `Bearer ${token}` }), {
    hand: { advance: (ms) => kit.clock.advance(ms), change: (wanted) => paypal.change(wanted) },
  })
  await walkPaypal(walk, {
    tag: 'walk',
    keys,
    since: kit.clock.now(),
    useToken: (given) => (token = given),
    approve: async (order, as) =>
      void (await fetch(`${paypal.url}/sandbox/approve/${order}?as=${as}`, { method: 'POST' })),
  })
  const wrongSignatures = await Promise.all(delivered.map(wrongSignature))
  await paypal.close()
  await kit.close()

  expect(surprises(walk.exchanges)).toEqual([])
  expect(auditPaypal(walk.exchanges)).toEqual([])
  expect(delivered.flatMap(({ body }) => auditPaypalEvent(JSON.parse(body) as Json))).toEqual([])
  expect(wrongSignatures.filter(Boolean)).toEqual([])
})

/** https://developer.paypal.com/api/rest/webhooks/rest, computed by hand: not even the checksum is Node's. */
async function wrongSignature({ type, body, headers }: Delivery): Promise<string | undefined> {
  const sent = headers(1, 'good')
  const certificate = await (await fetch(sent['paypal-cert-url'] ?? '')).text()
  const message = [
    sent['paypal-transmission-id'],
    sent['paypal-transmission-time'],
    WEBHOOK_ID,
    checksum(Buffer.from(body)),
  ].join('|')
  const isRight = createVerify('RSA-SHA256')
    .update(message)
    .verify(new X509Certificate(certificate).publicKey, sent['paypal-transmission-sig'] ?? '', 'base64')
  const isTimed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(sent['paypal-transmission-time'] ?? '')
  return isRight && isTimed && sent['paypal-auth-algo'] === 'SHA256withRSA' ? undefined : `${type} is signed wrongly.`
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
