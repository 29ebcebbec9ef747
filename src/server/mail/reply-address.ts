import { timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/config/config.ts'
import { signatureOf } from '#server/config/signature.ts'

/** 80 bits, in lower case: mail servers may change the case of an address. */
const SIGNATURE_CHARS = 20
const REFERENCE = /^[a-z0-9]{4,32}$/

const bare = (reference: string): string => reference.toLowerCase().replaceAll('-', '')

const shortSignatureOf = (config: Pick<Config, 'printful'>, reference: string): string =>
  signatureOf(config, 'reply address', reference).toString('hex').slice(0, SIGNATURE_CHARS)

/**
 * The address whose emails reach a conversation, `support+k7qm4t2x.3f…@shop.example`.
 * @param inbox the address whose mailbox the shop reads
 * @returns undefined while no mailbox is read
 */
export function replyAddress(
  config: Pick<Config, 'printful' | 'mailbox'>,
  inbox: string,
  reference: string,
): string | undefined {
  if (!config.mailbox) return undefined
  const at = inbox.lastIndexOf('@')
  const tag = bare(reference)
  return `${inbox.slice(0, at)}+${tag}.${shortSignatureOf(config, tag)}${inbox.slice(at)}`
}

/** The reference in one of our addresses, in lower case and without dashes. @returns undefined if we did not sign it */
export function referenceIn(config: Pick<Config, 'printful'>, address: string): string | undefined {
  const [, tag = '', signature = ''] = /\+([a-z0-9]+)\.([0-9a-f]+)@/i.exec(address.toLowerCase()) ?? []
  if (!REFERENCE.test(tag) || signature.length !== SIGNATURE_CHARS) return undefined
  return timingSafeEqual(Buffer.from(signature), Buffer.from(shortSignatureOf(config, tag))) ? tag : undefined
}
