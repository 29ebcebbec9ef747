import { verify, type KeyObject } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { AHEAD_MAX_MS } from '#server/providers/verdict.ts'
import { judgeCertificate, type CertificateCheck } from './certificates.ts'

/** Names and values as HTTP frameworks give them, in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What PayPal sends beside an event (developer.paypal.com/api/rest/webhooks/rest). */
export type Transmission = {
  auth_algo: 'SHA256withRSA'
  cert_url: string
  transmission_id: string
  transmission_sig: string
  transmission_time: string
}

/** A signing certificate that was judged, with the key that it is about. */
type VerifiedCertificate = {
  key: KeyObject
  until: Date
  /** By its chain, or because PayPal itself has said so. */
  isTrusted: boolean
}
type FailedLookup = { wrong: string; until: Date }

type Settings = {
  webhookId: string
  /** Where PayPal keeps its certificates; nothing is fetched from anywhere else. */
  certificateOrigins: readonly string[]
  /** As PEM. */
  authorities: readonly string[]
}

type SignatureNeeds = {
  /** @returns what lies at a certificate's address @throws ProviderUnavailable */
  fetchText: (url: string) => Promise<{ status: number; text: string }>
  /** Whether PayPal itself says that it has signed this. @throws ProviderUnavailable */
  isVouchedFor: (sent: Transmission, rawBody: string) => Promise<boolean>
}

/** PayPal tries for three days, and may say each time when it began. */
const OLD_MAX_MS = 4 * DAY_MS
/** PayPal has one certificate, and two while it changes it. */
const KNOWN_MAX = 8
const KNOWN_MS = DAY_MS
/** An address that led to nothing is not asked about again meanwhile. */
const UNKNOWN_MAX = 200
const UNKNOWN_MS = 10 * MINUTE_MS

const certificatePath = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/
/** `2026-11-21T09:00:00Z`, with a fraction perhaps. */
const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

/**
 * Verifies PayPal's signatures without asking PayPal: its certificate is fetched once and judged, and each event then costs one check
 * of a signature. What is cheap to see is looked at first.
 */
export function createSignatures({ webhookId, certificateOrigins, authorities }: Settings, ask: SignatureNeeds) {
  const known = new Map<string, VerifiedCertificate>()
  const unknown = new Map<string, FailedLookup>()
  const underWay = new Map<string, Promise<VerifiedCertificate | FailedLookup>>()

  /** What the headers alone tell. @returns what is wrong with them, or what they say */
  function read(headers: Headers): Transmission | { wrong: string } {
    const given = (name: string, pattern: RegExp) => {
      const value = headers[`paypal-${name}`]
      return typeof value === 'string' && pattern.test(value) ? value : undefined
    }
    const algorithm = given('auth-algo', /^SHA256withRSA$/)
    const certificate = given('cert-url', /^\S{1,300}$/)
    const id = given('transmission-id', /^[\w-]{1,100}$/)
    const signature = given('transmission-sig', /^[A-Za-z0-9+/]{40,1400}={0,2}$/)
    const time = given('transmission-time', timeText)
    if (!algorithm || !certificate || !id || !signature || !time) return { wrong: 'headers missing or misshapen' }
    if (!isOfPaypal(certificate)) return { wrong: 'certificate elsewhere' }
    // The machine's own clock, as with certificates and cards, whatever the shop is told.
    const age = Date.now() - Date.parse(time)
    if (!(age >= -AHEAD_MAX_MS && age <= OLD_MAX_MS)) return { wrong: 'dated wrongly' }
    return {
      auth_algo: 'SHA256withRSA',
      cert_url: certificate,
      transmission_id: id,
      transmission_sig: signature,
      transmission_time: time,
    }
  }

  function isOfPaypal(certificate: string): boolean {
    if (!URL.canParse(certificate)) return false
    const { origin, pathname, username, password, search, hash } = new URL(certificate)
    return (
      certificateOrigins.includes(origin) &&
      certificatePath.test(pathname) &&
      username + password + search + hash === ''
    )
  }

  /** @param mayFetch asked before anything is fetched that is not known yet */
  async function certificateAt(url: string, mayFetch: () => boolean): Promise<VerifiedCertificate | FailedLookup> {
    const found = known.get(url)
    if (found && found.until > new Date()) return found
    const missing = unknown.get(url)
    if (missing && missing.until > new Date()) return missing
    const fetching = underWay.get(url)
    if (fetching) return fetching
    // Whoever is genuine comes again.
    if (!mayFetch())
      throw new ProviderUnavailable('paypal', new Error('too many certificates that nobody knows'), false)
    const asked = learn(url).finally(() => underWay.delete(url))
    underWay.set(url, asked)
    return asked
  }

  async function learn(url: string): Promise<VerifiedCertificate | FailedLookup> {
    const judged = await judge(url)
    if ('wrong' in judged)
      return remember(unknown, UNKNOWN_MAX, url, { ...judged, until: after(new Date(), UNKNOWN_MS) })
    const { certificate, isRooted } = judged
    const soon = after(new Date(), KNOWN_MS)
    const until = soon < certificate.validToDate ? soon : certificate.validToDate
    return remember(known, KNOWN_MAX, url, { key: certificate.publicKey, until, isTrusted: isRooted })
  }

  /** @throws ProviderUnavailable while nobody can say what lies there */
  async function judge(url: string): Promise<CertificateCheck> {
    const { status, text } = await ask.fetchText(url)
    if (status >= 500 || status === 429)
      throw new ProviderUnavailable('paypal', new Error(`its certificates answered ${status}`))
    return judgeCertificate(status === 200 ? text : '', authorities, new Date())
  }

  function remember<Entry>(among: Map<string, Entry>, max: number, url: string, entry: Entry): Entry {
    among.delete(url)
    among.set(url, entry)
    const [oldest] = among.keys()
    if (among.size > max && oldest !== undefined) among.delete(oldest)
    return entry
  }

  const fits = (sent: Transmission, rawBody: string, key: KeyObject): boolean => {
    const message = [sent.transmission_id, sent.transmission_time, webhookId, crc32(rawBody)].join('|')
    return verify('sha256', Buffer.from(message), key, Buffer.from(sent.transmission_sig, 'base64'))
  }

  return {
    read,
    /**
     * @param rawBody as it was delivered; a single changed byte fails the check
     * @returns what is wrong with it; undefined for PayPal's own signature, made for our address
     * @throws ProviderUnavailable while its certificate cannot be had: the sender tries again
     */
    async wrongWith(sent: Transmission, rawBody: string, mayFetch: () => boolean): Promise<string | undefined> {
      const certificate = await certificateAt(sent.cert_url, mayFetch)
      if ('wrong' in certificate) return certificate.wrong
      if (!fits(sent, rawBody, certificate.key)) return 'signature that does not fit'
      // Once for a certificate whose chain cannot be followed, and only for whoever has its key.
      certificate.isTrusted ||= await ask.isVouchedFor(sent, rawBody)
      return certificate.isTrusted ? undefined : 'certificate of an unknown authority'
    },
    judge,
  }
}
