import type { Config } from '#server/config/config.ts'
import { paths } from '#contract/paths.ts'

/** Pages on which a payment provider's script runs; only they may talk to the provider's hosts. */
const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/** @returns the policy header for an address. No nonce and no inline script: pages are the same for everybody and may be cached. */
export function contentSecurityPolicy({
  stripe,
  publicUrl,
}: Pick<Config, 'stripe' | 'publicUrl'>): (url: string) => string {
  const hosts = [...new Set([new URL(stripe.scriptUrl).origin, new URL(stripe.apiBase).origin])]
  // Stripe's own frames come from these hosts as well (providers' documentation on content security policies).
  const frames = hosts.some((host) => host === 'https://js.stripe.com')
    ? [...hosts, 'https://*.js.stripe.com', 'https://hooks.stripe.com']
    : hosts
  const policyWith = (extra: { scripts: string[]; connections: string[]; frames: string[] }) =>
    [
      `default-src 'self'`,
      `script-src ${["'self'", ...extra.scripts].join(' ')}`,
      `style-src 'self'`,
      // Payment forms and charts size themselves by style attributes; no style sheet may be injected.
      `style-src-attr 'unsafe-inline'`,
      `img-src 'self' data:`,
      `font-src 'self'`,
      `connect-src ${["'self'", ...extra.connections].join(' ')}`,
      `frame-src ${extra.frames.length ? extra.frames.join(' ') : "'none'"}`,
      `object-src 'none'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
      ...(publicUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    ].join('; ')
  const plain = policyWith({ scripts: [], connections: [], frames: [] })
  const payment = policyWith({ scripts: hosts, connections: hosts, frames })
  return (url) => (paymentPages.includes(url.split('?')[0] ?? '') ? payment : plain)
}
