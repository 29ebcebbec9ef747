import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from './json.ts'
import { auditStripe, auditStripeEvent } from './accountants/stripe.ts'
import { openStripeWorld, SECRET_KEY, WEBHOOK_SECRET } from './schema/stripe-world.ts'
import { walkStripe } from './walks/stripe.ts'
import { openWalk, surprises } from './walks/walk.ts'

test('Stripe’s simulator does what Stripe documents, and an accountant finds nothing wrong in its books', async () => {
  await using world = await openStripeWorld()
  const walk = openWalk(world.provider.url, () => ({ authorization: `Bearer ${SECRET_KEY}` }), {
    hand: { advance: (ms) => world.kit.clock.advance(ms), change: (wanted) => world.provider.change(wanted) },
  })
  await walkStripe(walk, 'walk')
  await world.kit.idle()
  const now = Math.floor(world.kit.clock.now().getTime() / 1000)

  expect(surprises(walk.exchanges)).toEqual([])
  expect(auditStripe(walk.exchanges, now)).toEqual([])
  expect(world.received.flatMap(({ event }) => auditStripeEvent(event as unknown as Json, now))).toEqual([])
  expect(world.received.flatMap(({ body, signature }) => wrongSignature(body, signature, now))).toEqual([])
})

/** https://docs.stripe.com/webhooks/signature, without the package. */
function wrongSignature(body: string, signature: string, now: number): string[] {
  const [, time = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  const should = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex')
  if (given !== should) return [`The signature ${signature} is not that of its body.`]
  return Math.abs(Number(time) - now) < 10 * 86_400 ? [] : [`The signature ${signature} has no time in seconds.`]
}
