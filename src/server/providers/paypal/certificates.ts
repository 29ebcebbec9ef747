import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

/** PayPal's signing certificate, checked without calling anybody. */
export type CertificateCheck =
  /** `isRooted`: its chain leads to a trusted authority; otherwise only PayPal itself can confirm it. */
  { certificate: X509Certificate; isRooted: boolean } | { wrong: string }

/** The subject of PayPal's signing certificates, live and sandbox (its own SDKs check the same). */
const signingName = /^CN=messageverificationcerts(?:\.[a-z]+)?\.paypal\.com$/m
/** Real chains are shorter, and each link costs a signature check. */
const LINKS_MAX = 5

/**
 * Checks a certificate's subject, validity and chain. Revocation is not checked: that would depend on one more service.
 * @param pem the certificate, followed by any intermediates
 * @param anchors as PEM; usually Node's public authorities
 */
export function checkCertificate(pem: string, anchors: readonly string[], now: Date): CertificateCheck {
  const given = certificatesIn(pem)
  const [certificate] = given
  if (!certificate) return { wrong: 'no certificate at its URL' }
  if (!signingName.test(certificate.subject)) return { wrong: 'certificate with another subject' }
  if (!isValidAt(certificate, now)) return { wrong: 'certificate expired or not yet valid' }
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') return { wrong: 'certificate with another key type' }
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
    const next = between.find((issuer) => issuer !== link && isSignedBy(link, issuer, now))
    if (!next) return false
    link = next
  }
  return false
}

const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate, now: Date): boolean =>
  issuer.ca && isValidAt(issuer, now) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now <= validToDate

function certificatesIn(pem: string): X509Certificate[] {
  try {
    return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (block) => new X509Certificate(block),
    )
  } catch {
    return []
  }
}
