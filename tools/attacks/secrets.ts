import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const HISTORY_MAX_BYTES = 1024 ** 3

/** What keys and passwords of the services that a shop uses look like. Test keys of simulators are made up and carry no length. */
const patterns: readonly [kind: string, pattern: RegExp][] = [
  ['a live Stripe key', /\b[sr]k_live_[A-Za-z0-9]{16,}/],
  ['a Stripe test key', /\b[sr]k_test_[A-Za-z0-9]{40,}/],
  ['a webhook secret of Stripe', /\bwhsec_[A-Za-z0-9+/]{24,}/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/]{32}/],
  ['a key of Amazon', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{50,}/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a web token', /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/],
  [
    'a password in an address',
    /\b(?:postgres(?:ql)?|smtps?|https?):\/\/[^\s:/@'"`$<{]+:(?!password@|secret@|…)[^\s:/@'"`$<{]{6,}@(?!127\.0\.0\.1|localhost|[\w.-]*\.example)/,
  ],
]

/** @returns what kinds of secrets a text seems to hold, each with where it begins */
export const secretsIn = (text: string): { kind: string; index: number }[] =>
  patterns.flatMap(([kind, pattern]) => {
    const found = pattern.exec(text)
    return found ? [{ kind, index: found.index }] : []
  })

/** What holds no text, and takes long to find that out of. */
const pictures = ['webp', 'png', 'woff2', 'ico', 'pdf'].map((kind) => `:!*.${kind}`)

/** Every line that was ever added to a text file, on any branch, by commit. */
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
