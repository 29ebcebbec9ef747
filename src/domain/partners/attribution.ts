/** ended: its links still lead to the shop, and earn nothing new. */
export const partnerStates = ['active', 'ended'] as const
export type PartnerState = (typeof partnerStates)[number]

/** Why an order that came by a partner's link earns that partner nothing. */
export const attributionObjections = ['own_account', 'own_email', 'partner_ended'] as const
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

type Side = { userId: number | null; email: string | null }

/** Why a click earns its partner nothing; undefined where it does. */
export function objectionToAttribution(
  partner: Side & { state: PartnerState },
  shopper: Side,
): AttributionObjection | undefined {
  if (partner.state === 'ended') return 'partner_ended'
  if (shopper.userId !== null && shopper.userId === partner.userId) return 'own_account'
  if (shopper.email !== null && partner.email !== null && mailbox(shopper.email) === mailbox(partner.email))
    return 'own_email'
  return undefined
}

/** The box that a mail falls into: what follows a plus sign only sorts it. */
function mailbox(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@', 2)
  return `${local.split('+', 1)[0]}@${domain}`
}
