/** As coarse as it is useful: three words cannot tell one person from another. */
export const devices = ['phone', 'tablet', 'computer'] as const
export type Device = (typeof devices)[number]

/** Where a visit came from, by its referrer. `direct`: none was sent. */
export const sources = ['direct', 'search', 'social', 'site'] as const
export type Source = (typeof sources)[number]

/** What pages report: each once per load of the app. */
export const reportedSteps = [
  /** The shop was opened from outside, by a link or an address. */
  'visit',
  /** The first product page. */
  'product',
  /** A product's page; about the product. */
  'view',
  'checkout',
  /** The checkout has an address and shows its total. */
  'priced',
  /** A sold-out variant was looked at, or its button pressed; about the variant. */
  'sold_out_view',
  'sold_out_press',
] as const

/** What is counted. The server itself counts the first line of a cart, and each product put into one. */
export const visitSteps = [...reportedSteps, 'cart', 'carted'] as const
export type VisitStep = (typeof visitSteps)[number]

/** From a visit to a paid order. Counted apart, not followed: fewer reach each step, but no step names who did. */
export const funnelSteps = ['visit', 'product', 'cart', 'checkout', 'priced', 'payment', 'paid'] as const
export type FunnelStep = (typeof funnelSteps)[number]

/** How far a checkout came that was not paid. */
export const checkoutStops = ['refused', 'declined', 'wallet', 'form', 'not_started', 'held', 'exception'] as const
export type CheckoutStop = (typeof checkoutStops)[number]

/** Words in the user agents of bots; disguised ones go undetected. */
const machines =
  /(?<!cu)bot\b|crawl|spider|slurp|preview|fetch|monitor|scan|archiv|headless|lighthouse|pagespeed|facebookexternalhit|whatsapp\/|embedly|curl|wget|python|httpie|okhttp|java\/|go-http|libwww|axios|node|undici|postman|feed/i

/** Whether a user agent is a bot's, or missing. */
export const isMachine = (userAgent: string | undefined): boolean => !userAgent || machines.test(userAgent)

/** An iPad with its default settings calls itself a Mac, and counts as a computer. */
export function deviceOf(userAgent: string): Device {
  if (/ipad|tablet|kindle|silk\/|playbook|android(?!.*mobile)/i.test(userAgent)) return 'tablet'
  return /mobi|iphone|ipod|android/i.test(userAgent) ? 'phone' : 'computer'
}

const searchEngines = /(?:^|\.)(?:google|bing|duckduckgo|yahoo|ecosia|baidu|yandex|brave)\./
const networks =
  /(?:^|\.)(?:facebook|instagram|threads|twitter|x|t|tiktok|youtube|reddit|pinterest|pin|linkedin|tumblr|twitch|discord)\.(?:com|net|co|be|it|in|app|tv|social|\w+\.\w+)$/

/** @param host of the referrer; empty without one */
export function sourceOf(host: string): Source {
  if (host === '') return 'direct'
  const name = host.toLowerCase()
  if (searchEngines.test(name)) return 'search'
  return networks.test(name) ? 'social' : 'site'
}
