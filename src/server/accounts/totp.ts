import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '#shared/time.ts'

// RFC 6238 with the defaults of every authenticator app: HMAC-SHA-1, 30 seconds, 6 digits.

const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
const SECRET_BYTES = 20
/** How many intervals a clock may be off, either way. */
const TOLERANCE = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret in base32 (RFC 4648): 20 bytes are exactly 32 letters, without padding. */
export function newSecret(): string {
  const bits = [...randomBytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[parseInt(five, 2)]).join('')
}

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
}

/** @param step whole intervals since 1970 */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** @returns the interval of the code, which is used up once accepted; undefined when the code is wrong */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now.getTime() / STEP_MS)
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, index) => current - TOLERANCE + index)
  return steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)))
}

/** The code that an app shows at `now`. */
export const totpCodeAt = (secret: string, now: Date): string => codeAt(secret, Math.floor(now.getTime() / STEP_MS))

/** The otpauth address (Key URI Format) that authenticator apps scan or open. */
export const addressOfSecret = (secret: string, issuer: string, username: string): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${username}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
