import { createHmac, randomBytes } from 'node:crypto'
import type { Delivery, Kit } from '#sandbox/kit/types.ts'
import { API_VERSION, newId, seconds } from './books.ts'
import type { Books, SentEvent } from './books.ts'
import type { Needs } from './needs.ts'

const minute = 60_000
const hour = 60 * minute

/** Stripe retries for three days with growing intervals (docs.stripe.com/webhooks); the exact ones are not published. */
const retryAfterMs = [
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
]

/** The call that caused an event; none for what happens later by itself. */
export type Cause = { requestId: string; idempotencyKey: string | undefined } | undefined

/**
 * @param causeNow called when the event is created
 * @param check receives every event that is sent
 */
export function openEvents(
  kit: Kit,
  books: Books,
  causeNow: () => Cause,
  check: (event: SentEvent) => void,
): Needs['sendEvent'] {
  return (type, object, changed) => {
    const endpoint = kit.endpoints.get('stripe')
    const cause = causeNow()
    const event: SentEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: seconds(kit.clock.now()),
      data: {
        object: structuredClone<Record<string, unknown>>(object),
        ...(changed && { previous_attributes: changed }),
      },
      livemode: false,
      pending_webhooks: endpoint ? 1 : 0,
      request: cause ? { id: cause.requestId, idempotency_key: cause.idempotencyKey ?? null } : null,
      type,
    }
    check(event)
    books.events.set(event.id, event)
    if (endpoint && isWanted(books, endpoint.url, type)) kit.deliver(deliveryOf(kit, event))
  }
}

/** An endpoint created through the API lists its events; one that was only configured gets all. */
function isWanted(books: Books, url: string, type: string): boolean {
  const made = [...books.endpoints.values()].filter((endpoint) => endpoint.url === url)
  return made.length === 0 || made.some(({ enabled_events: wanted }) => wanted.includes('*') || wanted.includes(type))
}

function deliveryOf(kit: Kit, event: SentEvent): Delivery {
  const body = JSON.stringify(event, null, 2)
  return {
    provider: 'stripe',
    eventId: event.id,
    type: event.type,
    body,
    retryAfterMs,
    headers: (_attempt, sign) => ({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      ...signatureOf(body, sign, kit),
    }),
  }
}

/** Older than the 300 seconds that the `stripe` package accepts. */
const STALE_S = 3600

function signatureOf(body: string, sign: Parameters<Delivery['headers']>[1], kit: Kit): Record<string, string> {
  const secret = kit.endpoints.get('stripe')?.secret
  if (sign === 'none' || secret === undefined) return {}
  const at = seconds(kit.clock.now()) - (sign === 'old' ? STALE_S : 0)
  const key = sign === 'other-secret' ? `whsec_${randomBytes(16).toString('hex')}` : secret
  const signed = sign === 'bad' ? `${body} ` : body
  return { 'stripe-signature': signEvent(signed, key, at) }
}

/**
 * The value of `Stripe-Signature`: HMAC-SHA256 over time and raw body (docs.stripe.com/webhooks/signature).
 * @param at Unix seconds
 */
export function signEvent(body: string, secret: string, at: number): string {
  const digest = createHmac('sha256', secret).update(`${at}.${body}`, 'utf8').digest('hex')
  return `t=${at},v1=${digest}`
}
