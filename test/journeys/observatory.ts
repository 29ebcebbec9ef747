// The published rules of Mozilla's HTTP observatory: https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring,
// and the modifiers of its grader (github.com/mdn/mdn-http-observatory, src/grader/charts.js and src/analyzer/tests). A site
// starts with 100 and loses points for what is missing; bonus points count only from 90 on; 100 and more is an A+.

type Answer = { headers: Headers; html: string }
type Rule = (answer: Answer) => readonly [result: string, modifier: number]

const directives = (headers: Headers): Map<string, string[]> =>
  new Map(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name, sources]
    }),
  )

const BROAD = new Set(['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*'])
const isInline = (source: string) => source === "'unsafe-inline'" || source === 'data:' || BROAD.has(source)

const contentSecurityPolicy: Rule = ({ headers }) => {
  if (!headers.has('content-security-policy')) return ['csp-not-implemented', -25]
  const csp = directives(headers)
  const of = (name: string) => csp.get(name) ?? csp.get('default-src') ?? ['*']
  if (of('script-src').some(isInline) || of('object-src').some((source) => BROAD.has(source)))
    return ['csp-implemented-with-unsafe-inline', -20]
  const active = [...csp].flatMap(([name, sources]) => (/^(?:img|media)-src$/.test(name) ? [] : sources))
  if (active.some((source) => /^(?:http|ftp):/.test(source))) return ['csp-implemented-with-insecure-scheme', -20]
  if ([...of('script-src'), ...of('style-src')].includes("'unsafe-eval'"))
    return ['csp-implemented-with-unsafe-eval', -10]
  if ([...of('img-src'), ...of('media-src')].some((source) => /^(?:http|ftp):/.test(source)))
    return ['csp-implemented-with-insecure-scheme-in-passive-content-only', -10]
  if (of('style-src').some(isInline)) return ['csp-implemented-with-unsafe-inline-in-style-src-only', 0]
  return csp.get('default-src')?.join(' ') === "'none'"
    ? ['csp-implemented-with-no-unsafe-default-src-none', 10]
    : ['csp-implemented-with-no-unsafe', 5]
}

const cookies: Rule = ({ headers }) => {
  const set = headers.getSetCookie()
  if (set.length === 0) return ['cookies-not-found', 0]
  if (set.some((cookie) => !/; Secure/i.test(cookie))) return ['cookies-without-secure-flag', -20]
  if (set.some((cookie) => !/; HttpOnly/i.test(cookie))) return ['cookies-session-without-httponly-flag', -30]
  return set.every((cookie) => /; SameSite=(?:Lax|Strict)/i.test(cookie))
    ? ['cookies-secure-with-httponly-sessions-and-samesite', 5]
    : ['cookies-secure-with-httponly-sessions', 0]
}

const crossOriginSharing: Rule = ({ headers }) =>
  headers.has('access-control-allow-credentials') && headers.has('access-control-allow-origin')
    ? ['cross-origin-resource-sharing-implemented-with-universal-access', -50]
    : ['cross-origin-resource-sharing-not-implemented', 0]

const crossOriginResources: Rule = ({ headers }) => {
  const policy = headers.get('cross-origin-resource-policy')
  if (policy === 'same-origin') return ['cross-origin-resource-policy-implemented-with-same-origin', 10]
  if (policy === 'same-site') return ['cross-origin-resource-policy-implemented-with-same-site', 10]
  return ['cross-origin-resource-policy-not-implemented', 0]
}

const referrers: Rule = ({ headers }) => {
  const policy = headers.get('referrer-policy')
  if (policy === null) return ['referrer-policy-not-implemented', 0]
  return /^(?:no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(policy)
    ? ['referrer-policy-private', 5]
    : ['referrer-policy-unsafe', -5]
}

const SIX_MONTHS_S = 15_768_000

const transport: Rule = ({ headers }) => {
  const [, maxAge] = /max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '') ?? []
  if (maxAge === undefined) return ['hsts-not-implemented', -20]
  return Number(maxAge) >= SIX_MONTHS_S
    ? ['hsts-implemented-max-age-at-least-six-months', 0]
    : ['hsts-implemented-max-age-less-than-six-months', -10]
}

const integrity: Rule = ({ html }) => {
  const scripts = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]*)"[^>]*>/g)]
  const foreign = scripts.filter(([, src = '']) => /^(?:https?:)?\/\//.test(src))
  if (foreign.some(([tag]) => !tag.includes(' integrity=')))
    return ['sri-not-implemented-but-external-scripts-loaded-securely', -5]
  return scripts.length > foreign.length && scripts.every(([tag]) => tag.includes(' integrity='))
    ? ['sri-implemented-and-all-scripts-loaded-securely', 5]
    : ['sri-not-implemented-but-all-scripts-loaded-from-secure-origin', 0]
}

const contentTypes: Rule = ({ headers }) =>
  headers.get('x-content-type-options') === 'nosniff'
    ? ['x-content-type-options-nosniff', 0]
    : ['x-content-type-options-not-implemented', -5]

const frames: Rule = ({ headers }) => {
  const ancestors = directives(headers).get('frame-ancestors')
  if (ancestors && !ancestors.some((source) => BROAD.has(source))) return ['x-frame-options-implemented-via-csp', 5]
  return /^(?:DENY|SAMEORIGIN)$/i.test(headers.get('x-frame-options') ?? '')
    ? ['x-frame-options-sameorigin-or-deny', 0]
    : ['x-frame-options-not-implemented', -20]
}

const rules = [
  ...[contentSecurityPolicy, cookies, crossOriginSharing, crossOriginResources, referrers],
  ...[transport, integrity, contentTypes, frames],
]

/** @returns the score of a page over TLS, and its parts */
export function scorePage(answer: Answer): { score: number; results: (readonly [string, number])[] } {
  const results = rules.map((rule) => rule(answer))
  const sumOf = (some: typeof results) => some.reduce((sum, [, modifier]) => sum + modifier, 0)
  const base = 100 + sumOf(results.filter(([, modifier]) => modifier < 0))
  const score = base < 90 ? base : base + sumOf(results.filter(([, modifier]) => modifier > 0))
  return { score: Math.max(0, score), results }
}
