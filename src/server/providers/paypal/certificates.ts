import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

/** A certificate that PayPal signs events with, as far as it can be judged without asking anybody. */
export type CertificateCheck =
  /** `isRooted`: a chain leads to an authority that is trusted; otherwise only PayPal itself can vouch for it. */
  { certificate: X509Certificate; isRooted: boolean } | { wrong: string }

/** The name that PayPal's signing certificates bear, for real money and for tests (its own SDKs check the same). */
const signingName = /^CN=messageverificationcerts(?:\.[a-z]+)?\.paypal\.com$/m
/** Longer chains do not exist, and each link costs a check of a signature. */
const LINKS_MAX = 5

/**
 * Judges what lies at a certificate's address: name, days, and the chain to an authority. Revocation is not asked about: the list would
 * be one more provider that can be away.
 * @param pem the certificate first, and perhaps those between it and its authority
 * @param anchors as PEM; usually the public authorities that Node knows
 */
export function judgeCertificate(pem: string, anchors: readonly string[], now: Date): CertificateCheck {
  const given = certificatesIn(pem)
  const [certificate] = given
  if (!certificate) return { wrong: 'no certificate at its address' }
  if (!signingName.test(certificate.subject)) return { wrong: 'certificate of another name' }
  if (!isInItsDays(certificate, now)) return { wrong: 'certificate out of its days' }
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') return { wrong: 'certificate of another kind of key' }
  return { certificate, isRooted: isRooted(certificate, given.slice(1, LINKS_MAX), anchors, now) }
}

export const publicAuthorities = rootCertificates

function isRooted(
  leaf: X509Certificate,
  between: readonly X509Certificate[],
  anchors: readonly string[],
  now: Date,
): boolean {
  let link = leaf
  for (let walked = 0; walked <= between.length; walked += 1) {
    if (anchors.some((anchor) => isSignedBy(link, new X509Certificate(anchor), now))) return true
    const next = between.find((one) => one !== link && isSignedBy(link, one, now))
    if (!next) return false
    link = next
  }
  return false
}

const isSignedBy = (one: X509Certificate, issuer: X509Certificate, now: Date): boolean =>
  issuer.ca && isInItsDays(issuer, now) && one.checkIssued(issuer) && one.verify(issuer.publicKey)

const isInItsDays = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now <= validToDate

function certificatesIn(pem: string): X509Certificate[] {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    )
  } catch {
    return []
  }
}
