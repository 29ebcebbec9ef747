import { APPLE_PAY_FILE, baseUrlOf } from '#server/config/config.ts'
import { autocommitWrite } from '#server/db/db.ts'
import type { App } from '#server/http/app.ts'
import { bytesOf } from '#server/providers/responses.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'

const USAGE = 'Usage: npm run owner -- go-live'
/** The setting with Stripe's file for Apple. */
const STORED = 'apple_pay_file'
const FILE_MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 8000

/** Each wallet's status on this domain: `active`, or what Stripe reports as missing. */
export type PaymentDomain = { domain: string; applePay: string; googlePay: string; link: string }

/**
 * Run once before a live shop's first sale: stores Apple's domain verification file and registers the domain at Stripe for Apple Pay,
 * Google Pay and Link. Safe to repeat.
 * @throws Error with one sentence when the file cannot be downloaded or Stripe refuses the domain
 */
export async function goLive(
  { config, db, stripe }: Needs<'config' | 'db' | 'stripe'>,
  args: readonly string[],
): Promise<PaymentDomain> {
  if (args.length > 0) throw new Error(USAGE)
  const file = await fetchAppleFile(config.stripe.applePayFile)
  await autocommitWrite(db, (tx) => saveSetting(tx, STORED, file))
  const domain = new URL(baseUrlOf(config)).hostname
  return { domain, ...(await stripe.registerDomain(domain)) }
}

/** @returns the file as Stripe publishes it: one line of hexadecimal digits */
async function fetchAppleFile(address: string): Promise<string> {
  const text = await downloadLine(address).catch(() => '')
  if (!/^[\dA-Fa-f]+$/.test(text))
    throw new Error(
      `The Apple Pay domain file was not found at ${address}, so nothing was registered. Check STRIPE_APPLE_PAY_FILE.`,
    )
  return text
}

/** @throws Error for a redirect, a status other than success, or more bytes than such a file has */
async function downloadLine(address: string): Promise<string> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`)
  return (await bytesOf(answer, FILE_MAX_BYTES)).toString().trim()
}

/** Apple fetches the file when the domain is registered and again later; 404 until `go-live` has stored it. */
export function applePayFileRoute({ http }: App, { db }: Needs<'db'>): void {
  http.get(`/.well-known/${APPLE_PAY_FILE}`, { schema: { hide: true } }, async (_, reply) => {
    const stored = await findSetting(db, STORED)
    if (stored === undefined) return reply.callNotFound()
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(stored)
  })
}
