import { branded } from '#contract/wire.ts'
import * as z from 'zod/mini'
import { cleanLine } from '#shared/text.ts'
import type { Cents } from '#shared/money.ts'

// Providers' responses are checked before use: their size while reading, their amounts and texts by these shapes.

/** Ten times a page of a hundred orders. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024

/** @throws Error when there are more bytes than `max`; the rest is not read */
export async function bytesOf(answer: Response, max = ANSWER_BYTES_MAX): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > max) throw new Error(`The response is larger than ${max} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** A `fetch` for provider libraries: rejects responses that are too large and redirects. */
export const cappedFetch: typeof fetch = async (address, init) => {
  const answer = await fetch(address, { ...init, redirect: 'error' })
  const { status, statusText, headers } = answer
  const bytes = await bytesOf(answer)
  // These must have no body, not even an empty one (Fetch standard, 2.2.3).
  return new Response(status === 204 || status === 304 ? null : bytes, { status, statusText, headers })
}

/** $999,999.99, Stripe's maximum charge; far above any rate, tax or fee here. */
export const AMOUNT_MAX = 99_999_999

/** Whole cents, not negative. */
export const centsShape = branded<Cents>(z.int().check(z.gte(0), z.lte(AMOUNT_MAX)))

/** Whole cents of either sign, and without a maximum, since payouts can be large. */
export const bookedShape = branded<Cents>()

const TEXT_MAX = 500

/** A provider's text, safe to show: no invisible characters, and none that change text direction. */
export const displayText = (text: string): string => cleanLine(text.slice(0, 2 * TEXT_MAX)).slice(0, TEXT_MAX)

/** A provider's word for a kind of thing; null for anything else. */
export const wordOf = (text: string | null | undefined): string | null =>
  text && /^\w{1,60}$/.test(text) ? text.toLowerCase() : null

/** Names of local networks (RFC 6761, RFC 8375, RFC 6762). */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/

/**
 * A URL that may become a link: `https:` on a public host name, with no port, username or IP address.
 * @param own a trusted origin
 * @returns null for any other URL
 */
export function publicLink(address: string | null | undefined, own?: string): string | null {
  if (!address || address.length > LINK_MAX || !URL.canParse(address)) return null
  const { protocol, origin, href, hostname, port, username, password } = new URL(address)
  if (username || password) return null
  if (origin === own) return href
  const host = hostname.replace(/\.$/, '')
  const isNamed = /\.[a-z][a-z0-9-]*$/.test(host) && !PRIVATE_NAMES.test(host)
  return protocol === 'https:' && port === '' && isNamed ? href : null
}
const LINK_MAX = 2000
