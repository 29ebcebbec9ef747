import type { Address } from '#domain/checkout/address.ts'
import { isMachine } from '#domain/visits/visits.ts'

/** ended: links still lead to the shop, but earn nothing new. */
export const partnerStates = ['active', 'ended'] as const
export type PartnerState = (typeof partnerStates)[number]

/** Why an order through a partner's link earns nothing. */
export const attributionObjections = [
  'own_account',
  'own_browser',
  'own_email',
  'own_address',
  'own_card',
  'own_wallet',
  'partner_ended',
] as const
export type AttributionObjection = (typeof attributionObjections)[number]

/** How long the last click counts (decisions, People and access). */
export const ATTRIBUTION_DAYS = 30

type Request = {
  method: string
  userAgent: string | undefined
  /** `Sec-Purpose`, or the older `Purpose` and `X-Moz`: a prefetching browser. */
  purpose: string | undefined
  /** `Sec-Fetch-Dest`; missing in old browsers and apps. */
  destination: string | undefined
}

/** Whether a person clicked: not a bot, a prefetch, or an image or frame on another site. */
export function isClick({ method, userAgent, purpose, destination }: Request): boolean {
  if (method !== 'GET' || isMachine(userAgent)) return false
  if (purpose !== undefined && /prefetch|prerender|preview/i.test(purpose)) return false
  return destination === undefined || destination === 'document'
}

/** A provider's data on the means of payment. */
export type Payer = {
  kind: 'card' | 'wallet'
  /** A hash that is the same for each purchase with the same card or wallet. */
  hash: string
}

/** What is known about a partner as a shopper. */
export type KnownPartner = {
  userId: number
  state: PartnerState
  /** Of the account and everything submitted with it, verified or not. */
  emails: readonly (string | null)[]
  /** Billing addresses of the partner's own purchases. */
  addresses: readonly Address[]
  /** Means of payment of the partner's own purchases. */
  payers: readonly string[]
}

/** What is known about a purchase; the means of payment is unknown when the payment starts. */
export type Purchase = {
  userId: number | null
  /** The user previously signed in in this browser, and whether it was the partner's at the click. */
  formerUserId: number | null
  isOwnClick: boolean
  /** The shopper's and the wallet's. */
  emails: readonly (string | null)[]
  addresses: readonly Address[]
  payer: Payer | null
}

/** Why a click earns nothing; undefined if it does. */
export function objectionToAttribution(partner: KnownPartner, by: Purchase): AttributionObjection | undefined {
  if (partner.state === 'ended') return 'partner_ended'
  if (by.userId === partner.userId) return 'own_account'
  if (by.isOwnClick || by.formerUserId === partner.userId) return 'own_browser'
  if (share(partner.emails.map(mailboxOf), by.emails.map(mailboxOf))) return 'own_email'
  if (share(partner.addresses.map(doorOf), by.addresses.map(doorOf))) return 'own_address'
  if (by.payer && partner.payers.includes(by.payer.hash)) return `own_${by.payer.kind}`
  return undefined
}

/** Whether two lists overlap; empty values never match. */
const share = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => one !== '' && others.includes(one))

/** These providers ignore dots in the name. */
const withoutDots = new Set(['gmail.com', 'googlemail.com'])

/** An email's mailbox: without the part after a plus sign. Empty for an invalid address. */
export function mailboxOf(email: string | null): string {
  const [local = '', domain = ''] = (email ?? '').trim().toLowerCase().split('@', 2)
  const [name = ''] = local.split('+', 1)
  if (!name || !domain) return ''
  return withoutDots.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Address words with several spellings; those mapped to nothing only introduce a number. */
const sameWords: Readonly<Record<string, string>> = {
  ...{ st: 'street', ave: 'avenue', av: 'avenue', rd: 'road', blvd: 'boulevard', dr: 'drive', ln: 'lane', ct: 'court' },
  ...{ pl: 'place', sq: 'square', hwy: 'highway', pkwy: 'parkway', ter: 'terrace', str: 'strasse', straße: 'strasse' },
  ...{ n: 'north', e: 'east', s: 'south', w: 'west' },
  ...{ apt: '', apartment: '', unit: '', suite: '', ste: '', flat: '', no: '' },
}

/** Normalizes an address to its door. Empty for an erased one. */
export function doorOf({ line1, line2, city, postalCode, country }: Address): string {
  const words = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
  const street = words(`${line1} ${line2 ?? ''}`)
    .map((word) => (Object.hasOwn(sameWords, word) ? sameWords[word] : word))
    .join('')
  if (!street) return ''
  // Only the first five digits of a US ZIP code: few people know the other four.
  const code = words(postalCode ?? '').join('')
  const place = code ? (country === 'US' ? code.slice(0, 5) : code) : words(city).join('')
  return `${country}|${place}|${street}`
}
