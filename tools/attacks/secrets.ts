import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const HISTORY_MAX_BYTES = 1024 ** 3

/** Patterns of keys and passwords of services a shop uses. The simulators' invented keys are shorter. */
const patterns: readonly [kind: string, pattern: RegExp][] = [
  ['a live Stripe key', /\b[sr]k_live_[A-Za-z0-9]{16,}/],
  ['a Stripe test key', /\b[sr]k_test_[A-Za-z0-9]{40,}/],
  ['a Stripe webhook secret', /\bwhsec_[A-Za-z0-9+/]{24,}/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/]{32}/],
  ['an AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{50,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/],
  [
    'a password in a URL',
    /\b(?:postgres(?:ql)?|smtps?|https?):\/\/[^\s:/@'"`$<{]+:(?!password@|secret@|…)[^\s:/@'"`$<{]{6,}@(?!127\.0\.0\.1|localhost|[\w.-]*\.example)/,
  ],
]

/** @returns the kinds of possible secrets in a text, each with its first index */
export const secretsIn = (text: string): { kind: string; index: number }[] =>
  patterns.flatMap(([kind, pattern]) => {
    const found = pattern.exec(text)
    return found ? [{ kind, index: found.index }] : []
  })

/** Binary files, which would be slow to scan. */
const pictures = ['webp', 'png', 'woff2', 'ico', 'pdf'].map((kind) => `:!*.${kind}`)

/** @returns every line ever added to a text file, on any branch, by commit */
export function historyByCommit(): { commit: string; text: string }[] {
  const log = execFileSync(
    'git',
    ['log', '--all', '-p', '--no-color', '--no-textconv', '--unified=0', '--format=%x00%h', '--', '.', ...pictures],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: HISTORY_MAX_BYTES,
    },
  )
  return log
    .split('\0')
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      const added = part
        .slice(end)
        .split('\n')
        .filter((line) => line.startsWith('+') && !line.startsWith('+++'))
      return { commit: part.slice(0, end), text: added.join('\n') }
    })
}
