import type { Config } from '#server/config/config.ts'
import { paths } from '#contract/paths.ts'

/** Pages on which a payment provider's script runs; only they may talk to the provider's hosts. */
const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/** @returns the policy header for an address. No nonce and no inline script: pages are the same for everybody and may be cached. */
export function contentSecurityPolicy({
  stripe,
  paypal,
  publicUrl,
}: Pick<Config, 'stripe' | 'paypal' | 'publicUrl'>): (url: string) => string {
  const origins = [stripe.scriptUrl, stripe.apiBase, paypal.scriptUrl, paypal.apiBase].map((url) => new URL(url).origin)
  // PayPal's pages name these as the hosts that its script and its window need.
  const isPaypal = origins.some((origin) => /^https:\/\/(?:[\w-]+\.)*paypal\.com$/.test(origin))
  const hosts = [...new Set([...origins, ...(isPaypal ? PAYPAL_HOSTS : [])])]
  // Stripe's own frames come from these hosts as well (providers' documentation on content security policies).
  const frames = hosts.some((host) => host === 'https://js.stripe.com')
    ? [...hosts, 'https://*.js.stripe.com', 'https://hooks.stripe.com']
    : hosts
  const policyWith = (extra: { scripts: string[]; connections: string[]; frames: string[]; images: string[] }) =>
    [
      `default-src 'self'`,
      `script-src ${["'self'", ...extra.scripts].join(' ')}`,
      `style-src 'self'`,
      // Payment forms and charts size themselves by style attributes; no style sheet may be injected.
      `style-src-attr 'unsafe-inline'`,
      `img-src ${["'self'", 'data:', ...extra.images].join(' ')}`,
      `font-src 'self'`,
      `connect-src ${["'self'", ...extra.connections].join(' ')}`,
      `frame-src ${extra.frames.length ? extra.frames.join(' ') : "'none'"}`,
      `object-src 'none'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
      ...(publicUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    ].join('; ')
  const plain = policyWith({ scripts: [], connections: [], frames: [], images: [] })
  const payment = policyWith({ scripts: hosts, connections: hosts, frames, images: isPaypal ? PAYPAL_HOSTS : [] })
  return (url) => (isPaymentPage(url) ? payment : plain)
}

const PAYPAL_HOSTS = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com']

const isPaymentPage = (url: string): boolean => paymentPages.includes(url.split('?')[0] ?? '')

/** The wallet opens a window of its own and has to stay in touch with it; no other page needs that. */
export const openerPolicy = (url: string): string => (isPaymentPage(url) ? 'same-origin-allow-popups' : 'same-origin')
