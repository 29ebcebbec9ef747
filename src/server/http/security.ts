import type { Config } from '#server/config/config.ts'
import { paths } from '#contract/paths.ts'

type SecurityConfig = Pick<Config, 'stripe' | 'paypal' | 'publicUrl'>
type Headers = Readonly<Record<string, string>>

/** Pages on which a payment provider's script runs; only they may talk to the provider's hosts. */
const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

const PAYPAL_HOSTS = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com']

/** Two years, as the lists of browsers ask for. */
const TLS_ONLY = 'max-age=63072000; includeSubDomains'

/**
 * The headers of every answer, by its address.
 * @returns of payment pages those with which the providers' scripts and windows work, of all others the strictest
 */
export function securityHeaders(config: SecurityConfig): { of(url: string): Headers; plain: Headers } {
  const plain = headersWith(config, {
    policy: policyWith(config, { scripts: [], connections: [], frames: [], images: [] }),
    opener: 'same-origin',
    payment: '()',
  })
  const hosts = hostsOf(config)
  const payment = headersWith(config, {
    policy: policyWith(config, {
      scripts: hosts,
      connections: hosts,
      frames: framesOf(hosts),
      images: isPaypalIn(hosts) ? PAYPAL_HOSTS : [],
    }),
    // The wallet opens a window of its own and has to stay in touch with it; no other page needs that.
    opener: 'same-origin-allow-popups',
    // The providers' frames may open the browser's own payment sheet. The header knows no wildcards.
    payment: `(${['self', ...framesOf(hosts).flatMap((host) => (host.includes('*') ? [] : [`"${host}"`]))].join(' ')})`,
  })
  // Mails show them, in mailboxes that are pages of other sites.
  const pictures = { ...plain, 'cross-origin-resource-policy': 'cross-origin' }
  return {
    plain,
    of: (url) =>
      url.startsWith('/pictures/') ? pictures : paymentPages.includes(url.split('?', 1)[0] ?? '') ? payment : plain,
  }
}

function headersWith(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { policy, opener, payment }: { policy: string; opener: string; payment: string },
): Headers {
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': opener,
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': `accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=${payment}, usb=()`,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': TLS_ONLY }),
  }
}

/** Where the providers' scripts come from and talk to. */
function hostsOf({ stripe, paypal }: SecurityConfig): string[] {
  const origins = [stripe.scriptUrl, stripe.apiBase, paypal.scriptUrl, paypal.apiBase].map((url) => new URL(url).origin)
  // PayPal's pages name these as the hosts that its script and its window need.
  return [...new Set([...origins, ...(isPaypalIn(origins) ? PAYPAL_HOSTS : [])])]
}

const isPaypalIn = (hosts: readonly string[]): boolean =>
  hosts.some((host) => /^https:\/\/(?:[\w-]+\.)*paypal\.com$/.test(host))

/** Stripe's own frames come from these hosts as well (providers' documentation on content security policies). */
const framesOf = (hosts: readonly string[]): string[] =>
  hosts.includes('https://js.stripe.com')
    ? [...hosts, 'https://*.js.stripe.com', 'https://hooks.stripe.com']
    : [...hosts]

/** No nonce and no inline script: pages are the same for everybody and may be cached. */
const policyWith = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  extra: { scripts: string[]; connections: string[]; frames: string[]; images: string[] },
): string =>
  [
    `default-src 'none'`,
    `script-src ${["'self'", ...extra.scripts].join(' ')}`,
    `style-src 'self'`,
    // Payment forms and charts size themselves by style attributes; no style sheet may be injected.
    `style-src-attr 'unsafe-inline'`,
    `img-src ${["'self'", 'data:', ...extra.images].join(' ')}`,
    `font-src 'self'`,
    `connect-src ${["'self'", ...extra.connections].join(' ')}`,
    `manifest-src 'self'`,
    `frame-src ${extra.frames.length ? extra.frames.join(' ') : "'none'"}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(publicUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
