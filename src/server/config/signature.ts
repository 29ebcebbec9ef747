import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

type Signing = Pick<Config, 'printful'>

/** @param purpose keeps one kind of address from opening another */
export const signatureOf = ({ printful }: Signing, purpose: string, payload: string): Buffer =>
  createHmac('sha256', printful.webhookSecret.reveal()).update(`${purpose} ${payload}`).digest()

/** A token that opens something without signing in, `payload.signature`. Every instance can read it, and nothing is stored. */
export const signedToken = (config: Signing, purpose: string, payload: string): string =>
  `${payload}.${signatureOf(config, purpose, payload).toString('base64url')}`

/** @returns the payload; undefined for a token that was not signed here for this purpose, or was changed */
export function readSignedToken(config: Signing, purpose: string, token: string): string | undefined {
  const end = token.lastIndexOf('.')
  const payload = token.slice(0, Math.max(end, 0))
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  const own = signatureOf(config, purpose, payload)
  return given.length === own.length && timingSafeEqual(given, own) ? payload : undefined
}
