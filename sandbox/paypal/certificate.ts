import { createHash, createPublicKey, generateKeyPair, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** A private key, and the certificate that verifies its signatures. */
export type Signer = {
  id: string
  key: KeyObject
  publicKey: KeyObject
  /** The certificate and its intermediates, as PayPal serves them. */
  pem: string
}

/** Signs certificates: a trusted root, and the intermediate certificate that signs the others. */
export type Authority = { root: string; between: string; issuer: Issuer }

type Issuer = { name: Buffer; key: KeyObject }

/** Valid whatever a sandbox's clock says, and the end of the expired ones. */
const VALID_FROM = new Date('2020-01-01T00:00:00Z')
const VALID_UNTIL = new Date('2049-12-31T00:00:00Z')
const EXPIRED_AT = new Date('2021-01-01T00:00:00Z')
const SHA256_WITH_ECDSA = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ORGANIZATION = Buffer.from('060355040a', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const SIGNING_NAME = 'messageverificationcerts.paypal.com'

/** Our own authority: only clients that are configured for it trust it. Its keys are elliptic, which are fast to generate. */
export async function newAuthority(): Promise<Authority> {
  const [root, between] = await Promise.all([newEllipticKey(), newEllipticKey()])
  const rootName = nameOf('Simulated Root Authority')
  const betweenName = nameOf('Simulated Issuing Authority')
  return {
    root: certificate({ name: rootName, key: root, issuer: { name: rootName, key: root }, isAuthority: true }),
    between: certificate({ name: betweenName, key: between, issuer: { name: rootName, key: root }, isAuthority: true }),
    issuer: { name: betweenName, key: between },
  }
}

type SignerOptions = {
  /** The certificate's subject; PayPal's own name unless a test sets another. */
  commonName?: string
  /** Expired long ago. */
  isExpired?: boolean
  /** Leaves out the intermediate certificate. */
  isAlone?: boolean
}

/** A new RSA key with a certificate of this authority. Node creates keys, but no certificates. */
export async function newSigner(
  authority: Authority,
  { commonName = SIGNING_NAME, isExpired = false, isAlone = false }: SignerOptions = {},
): Promise<Signer> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const pem = certificate({ name: nameOf(commonName), key: privateKey, issuer: authority.issuer, isExpired })
  const serial = createHash('sha1').update(pem).digest('hex')
  return {
    id: `CERT-${serial.slice(0, 8)}-${serial.slice(8, 16)}-${serial.slice(16, 24)}`,
    key: privateKey,
    publicKey: createPublicKey(privateKey),
    pem: isAlone ? pem : pem + authority.between,
  }
}

let defaultSigner: Promise<{ authority: Authority; signer: Signer }> | undefined

/** Shared by all simulators of this process: generating a key takes longer than the rest of a simulator. */
export const firstSigner = (): Promise<{ authority: Authority; signer: Signer }> =>
  (defaultSigner ??= newAuthority().then(async (authority) => ({ authority, signer: await newSigner(authority) })))

const newEllipticKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey

/** The base64 between a certificate's first and last line, as a setting holds it. */
export const inOneLine = (pem: string): string => pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, '')

type CertificateRequest = { name: Buffer; key: KeyObject; issuer: Issuer; isAuthority?: boolean; isExpired?: boolean }

/** One certificate as PEM (RFC 5280, section 4.1). */
function certificate({ name, key, issuer, isAuthority = false, isExpired = false }: CertificateRequest): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const algorithm = sequence(SHA256_WITH_ECDSA)
  const body = sequence(
    asn1Element(0xa0, integer(Buffer.from([2]))), // version 3
    integer(createHash('sha1').update(spki).digest()),
    algorithm,
    issuer.name,
    sequence(time(VALID_FROM), time(isExpired ? EXPIRED_AT : VALID_UNTIL)),
    name,
    spki,
    asn1Element(0xa3, sequence(basicConstraints(isAuthority))),
  )
  const der = sequence(body, algorithm, asn1Element(0x03, Buffer.from([0]), sign('sha256', body, issuer.key)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Whether it may sign other certificates. */
const basicConstraints = (isAuthority: boolean): Buffer =>
  sequence(
    BASIC_CONSTRAINTS,
    asn1Element(0x04, isAuthority ? sequence(asn1Element(0x01, Buffer.from([0xff]))) : sequence()),
  )

const nameOf = (commonName: string): Buffer =>
  sequence(attribute(COMMON_NAME, commonName), attribute(ORGANIZATION, 'Simulated PayPal'))

/** One element of ASN.1's distinguished encoding (DER): tag, length, content. */
function asn1Element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => asn1Element(0x30, ...parts)

/** A positive number of any length but zero. DER allows a leading zero only where the next bit would make it negative. */
export function integer(digits: Buffer): Buffer {
  const shortest = digits.subarray(digits.findIndex((digit) => digit !== 0))
  return asn1Element(0x02, (shortest[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), shortest)
}

const attribute = (kind: Buffer, text: string): Buffer =>
  asn1Element(0x31, sequence(kind, asn1Element(0x0c, Buffer.from(text, 'utf8'))))

/** `261121090000Z` */
const time = (at: Date): Buffer =>
  asn1Element(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`, 'ascii'))
