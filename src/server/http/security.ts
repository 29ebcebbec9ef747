import type { Config } from '#server/config/config.ts'
import { paths } from '#contract/paths.ts'

type SecurityConfig = Pick<Config, 'stripe' | 'paypal' | 'publicUrl'>
type Headers = Readonly<Record<string, string>>

/** Pages on which a payment provider's script runs; only they may talk to the provider's hosts. */
const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/** The path that browsers send their reports to; `Reporting-Endpoints` calls it by this name. */
export const POLICY_REPORTS = { name: 'policy', path: '/policy-reports' } as const

/** What a payment provider's script needs of a page's policy, by directive. */
type Sources = { scripts: string[]; styles: string[]; connections: string[]; frames: string[]; images: string[] }

const NO_SOURCES: Sources = { scripts: [], styles: [], connections: [], frames: [], images: [] }

/** As docs.stripe.com/security/guide publishes it for Stripe.js, with the hosts that Link's own windows and calls need. */
const STRIPE: Sources = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  styles: [],
  connections: ['https://api.stripe.com', 'https://link.com', 'https://*.link.com'],
  frames: [
    ...['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    ...['https://link.com', 'https://*.link.com'],
  ],
  images: ['https://*.stripe.com'],
}

const PAYPAL_HOSTS = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com']

/**
 * As developer.paypal.com/sdk/js/csp publishes it. Its script draws the veil over the page with styles of its own making, which
 * no nonce of a cached page can allow: see docs/decisions/0059-pages-that-take-payment-allow-paypals-styles.md.
 */
const PAYPAL: Sources = {
  scripts: PAYPAL_HOSTS,
  styles: ["'unsafe-inline'"],
  connections: PAYPAL_HOSTS,
  frames: PAYPAL_HOSTS,
  images: PAYPAL_HOSTS,
}

/** Two years, as the lists of browsers ask for. */
const TLS_ONLY = 'max-age=63072000; includeSubDomains'

/**
 * The headers of every answer, by its address.
 * @returns of payment pages those with which the providers' scripts and windows work, of all others the strictest
 */
export function securityHeaders(config: SecurityConfig): { of(url: string): Headers; plain: Headers } {
  const plain = headersWith(config, { policy: policyWith(config, NO_SOURCES), opener: 'same-origin', payment: '()' })
  const sources = sourcesOf(config)
  const payment = headersWith(config, {
    policy: policyWith(config, sources),
    // The wallet opens a window of its own and has to stay in touch with it; no other page needs that.
    opener: 'same-origin-allow-popups',
    // The providers' frames may open the browser's own payment sheet. The header knows no wildcards.
    payment: `(${['self', ...sources.frames.flatMap((host) => (host.includes('*') ? [] : [`"${host}"`]))].join(' ')})`,
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
    'reporting-endpoints': `${POLICY_REPORTS.name}="${POLICY_REPORTS.path}"`,
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': TLS_ONLY }),
  }
}

/** What both providers need. An interface's host is called, and gives no script. */
function sourcesOf({ stripe, paypal }: SecurityConfig): Sources {
  const cards = isHostOf(stripe.scriptUrl, 'js.stripe.com') ? STRIPE : sourcesAt(stripe)
  const wallet = isHostOf(paypal.scriptUrl, 'paypal.com') ? PAYPAL : sourcesAt(paypal)
  const both = (directive: keyof Sources) => [...new Set([...cards[directive], ...wallet[directive]])]
  return {
    scripts: both('scripts'),
    styles: both('styles'),
    connections: both('connections'),
    frames: both('frames'),
    images: both('images'),
  }
}

const isHostOf = (url: string, domain: string): boolean =>
  url.startsWith('https:') && `.${new URL(url).hostname}`.endsWith(`.${domain}`)

/** Of a script from elsewhere only the two configured addresses are known. */
function sourcesAt({ scriptUrl, apiBase }: { scriptUrl: string; apiBase: string }): Sources {
  const script = new URL(scriptUrl).origin
  const both = [...new Set([script, new URL(apiBase).origin])]
  return { ...NO_SOURCES, scripts: [script], connections: both, frames: both }
}

/** No nonce and no inline script: pages are the same for everybody and may be cached. */
const policyWith = ({ publicUrl }: Pick<Config, 'publicUrl'>, extra: Sources): string =>
  [
    `default-src 'none'`,
    `script-src ${["'self'", ...extra.scripts].join(' ')}`,
    `style-src ${["'self'", ...extra.styles].join(' ')}`,
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
    `report-uri ${POLICY_REPORTS.path}`,
    `report-to ${POLICY_REPORTS.name}`,
  ].join('; ')
