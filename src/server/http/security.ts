import type { Config } from '#server/config/config.ts'
import { paths } from '#contract/paths.ts'
import { payPaths } from '#contract/pay-paths.ts'

type SecurityConfig = Pick<Config, 'stripe' | 'paypal' | 'publicUrl'>
type Headers = Readonly<Record<string, string>>

/** Pages on which a payment provider's script runs; only they may talk to the provider's hosts. */
const paymentPages: readonly string[] = [
  ...[paths.checkout, paths.directCheckout, paths.alternateCheckout],
  ...Object.values(payPaths),
]

/** The group name of the browsers' reports in `Reporting-Endpoints`. */
export const POLICY_REPORTS = { name: 'policy', path: '/policy-reports' } as const

/** What a payment provider's script needs in a page's policy, by directive. */
type Sources = { scripts: string[]; styles: string[]; connections: string[]; frames: string[]; images: string[] }

const NO_SOURCES: Sources = { scripts: [], styles: [], connections: [], frames: [], images: [] }

/** Published for Stripe.js at docs.stripe.com/security/guide, plus the hosts of Link's windows and calls. */
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
 * Published at developer.paypal.com/sdk/js/csp. Its script creates the overlay's styles at run time, which the nonce of a cached page
 * cannot allow: see docs/decisions/0059-pages-that-take-payment-allow-paypals-styles.md.
 */
const PAYPAL: Sources = {
  scripts: PAYPAL_HOSTS,
  styles: ["'unsafe-inline'"],
  connections: PAYPAL_HOSTS,
  frames: PAYPAL_HOSTS,
  images: PAYPAL_HOSTS,
}

/** Two years, as the browsers' preload lists require. */
const TLS_ONLY = 'max-age=63072000; includeSubDomains'

/**
 * Security headers of a response, by its path.
 * @returns for payment pages what the providers' scripts and windows need, for all others the strictest
 */
export function securityHeaders(config: SecurityConfig): { of(url: string): Headers; plain: Headers } {
  const plain = headersWith(config, { policy: policyWith(config, NO_SOURCES), opener: 'same-origin', payment: '()' })
  const sources = sourcesOf(config)
  const payment = headersWith(config, {
    policy: policyWith(config, sources),
    // The wallet's script communicates with its popup; no other page needs that.
    opener: 'same-origin-allow-popups',
    // The providers' frames may open the browser's payment sheet. The header has no wildcards.
    payment: `(${['self', ...sources.frames.flatMap((host) => (host.includes('*') ? [] : [`"${host}"`]))].join(' ')})`,
  })
  // Emails show and load them, in webmail on other sites.
  const inMails = { ...plain, 'cross-origin-resource-policy': 'cross-origin' }
  // The form of a new product shows the product's page in a frame; nothing else is framed.
  const framing = {
    ...plain,
    'content-security-policy': plain['content-security-policy'].replace(NO_FRAMES, FRAMES_OWN),
  }
  const framed = {
    ...plain,
    'content-security-policy': plain['content-security-policy'].replace(NO_ANCESTORS, `frame-ancestors 'self'`),
    'x-frame-options': 'SAMEORIGIN',
  }
  // The page of an email's texts shows the email in a frame without scripts, which inherits its policy.
  const mails = headersWith(config, {
    policy: policyWith(config, { ...NO_SOURCES, styles: [`'unsafe-inline'`] }),
    opener: 'same-origin',
    payment: '()',
  })
  return {
    plain,
    of(url) {
      const path = url.split('?', 1)[0] ?? ''
      if (/^\/(?:pictures|icons|fonts)\//.test(url)) return inMails
      if (path === paths.newProduct) return framing
      if (path.startsWith(PREVIEWS)) return framed
      if (path.startsWith(paths.adminMail(''))) return mails
      return paymentPages.includes(path) ? payment : plain
    },
  }
}

const NO_FRAMES = `frame-src 'none'`
const FRAMES_OWN = `frame-src 'self'`
const NO_ANCESTORS = `frame-ancestors 'none'`
const PREVIEWS = paths.productPreview('')

function headersWith(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { policy, opener, payment }: { policy: string; opener: string; payment: string },
): Headers & { 'content-security-policy': string } {
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

/** What both providers need. API hosts are for calls only, not for scripts. */
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

/** With configured script addresses, only those two hosts are allowed. */
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
    extra.frames.length ? `frame-src ${extra.frames.join(' ')}` : NO_FRAMES,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    NO_ANCESTORS,
    ...(publicUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    `report-uri ${POLICY_REPORTS.path}`,
    `report-to ${POLICY_REPORTS.name}`,
  ].join('; ')
