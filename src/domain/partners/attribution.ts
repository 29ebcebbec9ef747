import type { Address } from '#domain/checkout/address.ts'

/** ended: its links still lead to the shop, and earn nothing new. */
export const partnerStates = ['active', 'ended'] as const
export type PartnerState = (typeof partnerStates)[number]

/** Why an order that came by a partner's link earns that partner nothing. */
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
  /** `Sec-Purpose`, or the older `Purpose` and `X-Moz`: a browser that fetches before anybody has asked for it. */
  purpose: string | undefined
  /** `Sec-Fetch-Dest`: what the browser wants it for; unset by old browsers and by apps. */
  destination: string | undefined
}

/** Programs say what they are by words such as these; who hides it is no better known to anybody else. */
const machines =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|fetch|monitor|scan|archiv|headless|lighthouse|pagespeed|facebookexternalhit|whatsapp\/|embedly|curl|wget|python|httpie|okhttp|java\/|go-http|libwww|axios|node|undici|postman|feed/i

/** Whether somebody has clicked: not a program, not a look ahead, and not a picture or frame on a page of somebody else. */
export function isClick({ method, userAgent, purpose, destination }: Request): boolean {
  if (method !== 'GET' || !userAgent || machines.test(userAgent)) return false
  if (purpose !== undefined && /prefetch|prerender|preview/i.test(purpose)) return false
  return destination === undefined || destination === 'document'
}

/** What a provider says of the means that a purchase was paid with. */
export type Payer = {
  kind: 'card' | 'wallet'
  /** A hash that is the same for each purchase with the same card or wallet. */
  hash: string
}

/** What is known of a partner as a shopper. */
export type KnownPartner = {
  userId: number
  state: PartnerState
  /** Of the account and of all that was written with it, proven or not. */
  emails: readonly (string | null)[]
  /** To which what they bought themselves was billed. */
  addresses: readonly Address[]
  /** With which they paid for what they bought themselves. */
  payers: readonly string[]
}

/** What is known of a purchase; when a payment begins nobody knows yet what it will be paid with. */
export type Purchase = {
  userId: number | null
  /** Who was signed in before, in the browser that pays, and whether it was the partner's when it clicked. */
  formerUserId: number | null
  isOwnClick: boolean
  /** The shopper's, and the wallet's. */
  emails: readonly (string | null)[]
  addresses: readonly Address[]
  payer: Payer | null
}

/** Why a click earns its partner nothing; undefined where it does. */
export function objectionToAttribution(partner: KnownPartner, by: Purchase): AttributionObjection | undefined {
  if (partner.state === 'ended') return 'partner_ended'
  if (by.userId === partner.userId) return 'own_account'
  if (by.isOwnClick || by.formerUserId === partner.userId) return 'own_browser'
  if (share(partner.emails.map(mailboxOf), by.emails.map(mailboxOf))) return 'own_email'
  if (share(partner.addresses.map(doorOf), by.addresses.map(doorOf))) return 'own_address'
  if (by.payer && partner.payers.includes(by.payer.hash)) return `own_${by.payer.kind}`
  return undefined
}

/** Whether two lists have something in common; what is empty is nobody's. */
const share = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => one !== '' && others.includes(one))

/** These hosts deliver whatever dots stand in the name. */
const withoutDots = new Set(['gmail.com', 'googlemail.com'])

/** The mailbox that an email falls into: what follows a plus sign only sorts it. Empty where there is none. */
function mailboxOf(email: string | null): string {
  const [local = '', domain = ''] = (email ?? '').trim().toLowerCase().split('@', 2)
  const [name = ''] = local.split('+', 1)
  if (!name || !domain) return ''
  return withoutDots.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Words of addresses that people write in more than one way; those that become nothing only introduce a number. */
const sameWords: Readonly<Record<string, string>> = {
  ...{ st: 'street', ave: 'avenue', av: 'avenue', rd: 'road', blvd: 'boulevard', dr: 'drive', ln: 'lane', ct: 'court' },
  ...{ pl: 'place', sq: 'square', hwy: 'highway', pkwy: 'parkway', ter: 'terrace', str: 'strasse', straße: 'strasse' },
  ...{ n: 'north', e: 'east', s: 'south', w: 'west' },
  ...{ apt: '', apartment: '', unit: '', suite: '', ste: '', flat: '', no: '' },
}

/** The door that an address leads to, however it is written. Empty for one that was erased. */
function doorOf({ line1, line2, city, postalCode, country }: Address): string {
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
  // Of an American ZIP the first five digits: the other four are known to few.
  const code = words(postalCode ?? '').join('')
  const place = code ? (country === 'US' ? code.slice(0, 5) : code) : words(city).join('')
  return `${country}|${place}|${street}`
}
