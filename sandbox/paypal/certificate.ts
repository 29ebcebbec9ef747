import { createHash, createSign, generateKeyPair } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** A key, and the certificate by which others recognise its signatures. */
export type Signer = { id: string; key: KeyObject; publicKey: KeyObject; pem: string }

const DAY_MS = 86_400_000
const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ORGANISATION = Buffer.from('060355040a', 'hex')

/** A new key with a certificate that it signed itself, good from yesterday for ten years. Node makes keys, but no certificates. */
export async function newSigner(): Promise<Signer> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const serial = createHash('sha1').update(spki).digest()
  const algorithm = sequence(SHA256_WITH_RSA, tagged(0x05))
  const name = sequence(
    attribute(COMMON_NAME, 'messageverificationcerts.paypal.com'),
    attribute(ORGANISATION, 'Simulated PayPal'),
  )
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + 3650 * DAY_MS))),
    name,
    spki,
  )
  const signature = createSign('RSA-SHA256').update(body).sign(privateKey)
  const der = sequence(body, algorithm, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    id: `CERT-${serial.toString('hex').slice(0, 8)}-${serial.toString('hex').slice(8, 16)}`,
    key: privateKey,
    publicKey,
    pem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

let first: Promise<Signer> | undefined

/** The one that every simulator of this process begins with: a key takes longer to make than the rest of a simulator. */
export const firstSigner = (): Promise<Signer> => (first ??= newSigner())

/** One element of ASN.1's distinguished encoding: tag, length, content. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)

/** A leading zero keeps the number positive. */
const integer = (digits: Buffer): Buffer =>
  tagged(0x02, (digits[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), digits)

const attribute = (kind: Buffer, text: string): Buffer =>
  tagged(0x31, sequence(kind, tagged(0x0c, Buffer.from(text, 'utf8'))))

/** `261121090000Z` */
const time = (at: Date): Buffer =>
  tagged(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'ascii'))
