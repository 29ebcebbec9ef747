import * as z from 'zod/mini'
import { cleanLine } from '#shared/text.ts'
import type { Cents } from '#shared/money.ts'

/** What providers answer is judged before it is used: its size while it is read, its amounts and texts by these shapes. */

/** A page of a hundred orders is a tenth of it. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024

/** @throws Error when there are more bytes than `max`; the rest is not read */
export async function bytesOf(answer: Response, max = ANSWER_BYTES_MAX): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > max) throw new Error(`The answer is larger than ${max} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** `fetch` for a library that reads answers by itself: one that is too large never reaches it, nor does another host's. */
export const cappedFetch: typeof fetch = async (address, init) => {
  const answer = await fetch(address, { ...init, redirect: 'error' })
  const { status, statusText, headers } = answer
  const bytes = await bytesOf(answer)
  // These have no body, not even an empty one (Fetch standard, 2.2.3).
  return new Response(status === 204 || status === 304 ? null : bytes, { status, statusText, headers })
}

/** $999,999.99, the most that Stripe charges at once: no rate, tax or fee of ours comes near it. */
export const AMOUNT_MAX = 99_999_999

/** Whole cents that somebody asks, gives or keeps. */
export const centsShape = z.int().check(z.gte(0), z.lte(AMOUNT_MAX)) as unknown as z.ZodMiniType<Cents, Cents>

/** Whole cents of a book, in either direction; what is paid out may be more than a sale. */
export const bookedShape = z.int() as unknown as z.ZodMiniType<Cents, Cents>

const TEXT_MAX = 500

/** A line of a provider, as it may be shown: nothing in it is unseen or turns the direction of other words. */
export const displayText = (text: string): string => cleanLine(text.slice(0, 2 * TEXT_MAX)).slice(0, TEXT_MAX)

/** Names at home, and what only a machine of one's own answers to (RFC 6761, RFC 8375, RFC 6762). */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/

/**
 * An address that is made a link of: `https:` on the open web. Nobody is led to a number, to a machine at home, to another port, or
 * past a name that only looks like the host.
 * @param own an origin whose links are as good as its answers
 * @returns null for every other
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
