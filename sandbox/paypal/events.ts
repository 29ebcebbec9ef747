import { createSign, createVerify, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { after } from '#shared/time.ts'
import type { Delivery, Kit } from '#sandbox/kit/types.ts'
import { newId, timeText, type Books, type Needs, type SentEvent } from './books.ts'
import type { Signer } from './certificate.ts'
import { link } from './shapes.ts'

const minute = 60_000
const hour = 60 * minute

/** Up to 25 attempts within three days; PayPal does not publish its intervals. */
const retryAfterMs = [minute, 5 * minute, 15 * minute, 30 * minute, ...Array.from({ length: 20 }, () => 3.5 * hour)]

const summaries: Readonly<Record<string, string>> = {
  'CHECKOUT.ORDER.APPROVED': 'An order has been approved by buyer',
  'PAYMENT.CAPTURE.COMPLETED': 'Payment completed',
  'PAYMENT.CAPTURE.PENDING': 'Payment pending',
  'PAYMENT.CAPTURE.DENIED': 'A payment was denied',
  'PAYMENT.CAPTURE.REFUNDED': 'A payment was refunded',
  'PAYMENT.CAPTURE.REVERSED': 'A payment was reversed',
  'PAYMENT.REFUND.PENDING': 'A refund is pending',
  'PAYMENT.REFUND.FAILED': 'A refund failed',
  'CUSTOMER.DISPUTE.CREATED': 'A new dispute opened with a case',
  'CUSTOMER.DISPUTE.UPDATED': 'A dispute was updated',
  'CUSTOMER.DISPUTE.RESOLVED': 'A dispute was resolved',
}

export type Signing = { signer: Signer; webhookId: string }

export const certificatePath = (signer: Signer): string => `/v1/notifications/certs/${signer.id}`

/** @param signing called at every attempt: the certificate may have been replaced since the event was created */
export function openEvents(kit: Kit, books: Books, base: () => string, signing: () => Signing): Needs['sendEvent'] {
  return (type, resource) => {
    const id = `WH-${newId()}-${newId()}`
    const path = `/v1/notifications/webhooks-events/${id}`
    const event: SentEvent = {
      id,
      create_time: timeText(kit.clock.now()),
      resource_type: resource.type,
      event_version: '1.0',
      event_type: type,
      summary: summaries[type] ?? type,
      resource_version: resource.version,
      resource: structuredClone(resource.body),
      links: [link(base(), path, 'self'), link(base(), `${path}/resend`, 'resend', 'POST')],
    }
    books.events.set(id, event)
    deliverEvent(kit, event, base, signing)
  }
}

/** Sends an event to the shop, also again. */
export function deliverEvent(kit: Kit, event: SentEvent, base: () => string, signing: () => Signing): void {
  if (!kit.endpoints.has('paypal')) return
  // Slashes are escaped, as JSON allows: a shop that parses and rewrites the body before verifying it must fail here.
  const body = JSON.stringify(event).replaceAll('/', '\\/')
  const transmissionId = randomUUID()
  kit.deliver({
    provider: 'paypal',
    eventId: event.id,
    type: event.event_type,
    body,
    retryAfterMs,
    headers: (_attempt, sign) => ({
      'content-type': 'application/json',
      'user-agent': 'PayPal/AUHD-214.0-58843832',
      ...signatureOf(body, sign, { now: kit.clock.now(), transmissionId, base, ...signing() }),
    }),
  })
}

/** `other-secret` signs for another webhook: the key is valid, the signed webhook id is not. */
function signatureOf(
  body: string,
  sign: Parameters<Delivery['headers']>[1],
  { now, transmissionId, base, signer, webhookId }: Signing & { now: Date; transmissionId: string; base: () => string },
): Record<string, string> {
  if (sign === 'none') return {}
  const at = timeText(after(now, sign === 'old' ? -30 * 24 * hour : 0))
  const message = messageOf({
    id: transmissionId,
    at,
    webhookId: sign === 'other-secret' ? newId() : webhookId,
    body: Buffer.from(sign === 'bad' ? `${body} ` : body),
  })
  return {
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-time': at,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(message).sign(signer.key, 'base64'),
    'paypal-cert-url': `${base()}${certificatePath(signer)}`,
    'paypal-auth-algo': 'SHA256withRSA',
  }
}

/** What is signed (developer.paypal.com/api/rest/webhooks/rest): it includes the body's checksum, so every byte matters. */
const messageOf = ({ id, at, webhookId, body }: { id: string; at: string; webhookId: string; body: Buffer }): string =>
  [id, at, webhookId, crc32(body)].join('|')

/** @param body the event's bytes as they appear in the verification request */
export function isGenuine(
  verification: {
    auth_algo: string
    cert_url: string
    transmission_id: string
    transmission_sig: string
    transmission_time: string
    webhook_id: string
  },
  body: Buffer,
  { signer, webhookId }: Signing,
): boolean {
  if (verification.auth_algo !== 'SHA256withRSA' || verification.webhook_id !== webhookId) return false
  if (!URL.canParse(verification.cert_url) || new URL(verification.cert_url).pathname !== certificatePath(signer))
    return false
  const message = messageOf({ id: verification.transmission_id, at: verification.transmission_time, webhookId, body })
  return createVerify('RSA-SHA256').update(message).verify(signer.publicKey, verification.transmission_sig, 'base64')
}

/**
 * The bytes of one field's value as they appear in a JSON object: parsing and rewriting them would change them.
 * @param raw valid JSON, an object
 */
export function rawField(raw: Buffer, name: string): Buffer | undefined {
  const text = raw.toString('latin1') // one character per byte, so its indexes are the buffer's
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '{' || letter === '[') depth += 1
    else if (letter === '}' || letter === ']') depth -= 1
    else if (letter === '"') {
      const end = endOfText(text, at)
      const isKey = depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 100))
      if (isKey && text.slice(at + 1, end) === name) return valueAfter(raw, text, text.indexOf(':', end) + 1)
      at = end
    }
  }
  return undefined
}

/** @param start index of the opening quote @returns index of the closing one */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at
}

function valueAfter(raw: Buffer, text: string, after: number): Buffer {
  const start = after + (/^\s*/.exec(text.slice(after))?.[0].length ?? 0)
  let depth = 0
  let at = start
  for (; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '"') at = endOfText(text, at)
    else if (letter === '{' || letter === '[') depth += 1
    else if (letter === '}' || letter === ']') depth -= 1
    if (depth < 0 || (depth === 0 && /[,\s]/.test(text.charAt(at)))) break
    if (depth === 0 && /[}\]"]/.test(text.charAt(at))) {
      at += 1
      break
    }
  }
  return raw.subarray(start, at)
}
