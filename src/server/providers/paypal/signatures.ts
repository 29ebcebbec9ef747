import { verify, type KeyObject } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { AHEAD_MAX_MS } from '#server/providers/verdict.ts'
import { checkCertificate, type CertificateCheck } from './certificates.ts'

/** Names in lowercase. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The headers that PayPal sends with an event (developer.paypal.com/api/rest/webhooks/rest). */
export type Transmission = {
  auth_algo: 'SHA256withRSA'
  cert_url: string
  transmission_id: string
  transmission_sig: string
  transmission_time: string
}

/** A checked signing certificate's key. */
type VerifiedCertificate = {
  key: KeyObject
  until: Date
  /** By its chain, or because PayPal confirmed it. */
  isTrusted: boolean
}
type FailedLookup = { wrong: string; until: Date }

type Settings = {
  webhookId: string
  /** Certificates are fetched only from these. */
  certificateOrigins: readonly string[]
  /** As PEM. */
  authorities: readonly string[]
}

type SignatureNeeds = {
  now: () => Date
  /** Fetches a certificate. @throws ProviderUnavailable */
  fetchText: (url: string) => Promise<{ status: number; text: string }>
  /** Whether PayPal's API confirms that it signed this. @throws ProviderUnavailable */
  isConfirmedByPaypal: (sent: Transmission, rawBody: string) => Promise<boolean>
}

/** PayPal retries for three days, possibly with the first attempt's time. */
const OLD_MAX_MS = 4 * DAY_MS
/** PayPal has one certificate, or two during a rotation. */
const KNOWN_MAX = 8
const KNOWN_MS = DAY_MS
/** URLs without a usable certificate are not fetched again for a while. */
const UNKNOWN_MAX = 200
const UNKNOWN_MS = 10 * MINUTE_MS

const certificatePath = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/
/** `2026-11-21T09:00:00Z`, optionally with a fraction. */
const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

/**
 * Verifies PayPal's signatures without calling PayPal for each event: its certificate is fetched and checked once. Cheap checks come
 * first.
 */
export function createSignatures({ webhookId, certificateOrigins, authorities }: Settings, api: SignatureNeeds) {
  const known = new Map<string, VerifiedCertificate>()
  const unknown = new Map<string, FailedLookup>()
  const pending = new Map<string, Promise<VerifiedCertificate | FailedLookup>>()

  /** Checks the headers alone. */
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
    if (!algorithm || !certificate || !id || !signature || !time) return { wrong: 'missing or malformed headers' }
    if (!isOfPaypal(certificate)) return { wrong: 'certificate on another host' }
    const age = api.now().getTime() - Date.parse(time)
    if (!(age >= -AHEAD_MAX_MS && age <= OLD_MAX_MS)) return { wrong: 'implausible date' }
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

  /** @param mayFetch called before an unknown certificate is fetched, not before one that is a day old */
  async function certificateAt(url: string, mayFetch: () => boolean): Promise<VerifiedCertificate | FailedLookup> {
    const found = known.get(url)
    if (found && found.until > api.now()) return found
    const missing = unknown.get(url)
    if (missing && missing.until > api.now()) return missing
    const running = pending.get(url)
    if (running) return running
    // A certificate that was known is read again once a day. Of others few are: PayPal retries, so a genuine event is not lost.
    if (!known.delete(url) && !mayFetch())
      throw new ProviderUnavailable('paypal', new Error('too many unknown certificates'), false)
    const fetched = fetchCertificate(url).finally(() => pending.delete(url))
    pending.set(url, fetched)
    return fetched
  }

  async function fetchCertificate(url: string): Promise<VerifiedCertificate | FailedLookup> {
    const judged = await judge(url)
    if ('wrong' in judged) return store(unknown, UNKNOWN_MAX, url, { ...judged, until: after(api.now(), UNKNOWN_MS) })
    const { certificate, isRooted } = judged
    const soon = after(api.now(), KNOWN_MS)
    const until = soon < certificate.validToDate ? soon : certificate.validToDate
    return store(known, KNOWN_MAX, url, { key: certificate.publicKey, until, isTrusted: isRooted })
  }

  /** @throws ProviderUnavailable when it cannot be fetched */
  async function judge(url: string): Promise<CertificateCheck> {
    const { status, text } = await api.fetchText(url)
    if (status >= 500 || status === 429)
      throw new ProviderUnavailable('paypal', new Error(`fetching its certificate returned ${status}`))
    return checkCertificate(status === 200 ? text : '', authorities, api.now())
  }

  function store<Entry>(cache: Map<string, Entry>, max: number, url: string, entry: Entry): Entry {
    cache.delete(url)
    cache.set(url, entry)
    const [oldest] = cache.keys()
    if (cache.size > max && oldest !== undefined) cache.delete(oldest)
    return entry
  }

  const fits = (sent: Transmission, rawBody: string, key: KeyObject): boolean => {
    const message = [sent.transmission_id, sent.transmission_time, webhookId, crc32(rawBody)].join('|')
    return verify('sha256', Buffer.from(message), key, Buffer.from(sent.transmission_sig, 'base64'))
  }

  return {
    read,
    /**
     * @param rawBody exactly as delivered
     * @returns what is wrong; undefined for a valid signature for our webhook
     * @throws ProviderUnavailable when its certificate cannot be fetched; PayPal retries
     */
    async findProblem(sent: Transmission, rawBody: string, mayFetch: () => boolean): Promise<string | undefined> {
      const certificate = await certificateAt(sent.cert_url, mayFetch)
      if ('wrong' in certificate) return certificate.wrong
      if (!fits(sent, rawBody, certificate.key)) return 'wrong signature'
      // Only for a certificate whose chain cannot be checked, only after its signature matched, and once.
      certificate.isTrusted ||= await api.isConfirmedByPaypal(sent, rawBody)
      return certificate.isTrusted ? undefined : 'certificate of an unknown authority'
    },
    judge,
  }
}
