import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { paths } from '#contract/paths.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { loadConfig } from '#server/config/load-config.ts'
import { dist } from '#server/http/bundle.ts'
import { securityHeaders } from '#server/http/security.ts'
import { listDifferences, type PaymentPage } from './payment-pages.ts'

// Compares the live payment pages with this release, and the providers' scripts with the last accepted ones (PCI DSS 4.0.1,
// 11.6.1: at least once a week). Exits 1 with one line per difference.

const USAGE = 'npm run check:scripts -- [--url https://shop.example] [--accepted FILE] [--accept]'
const ANSWER_WITHIN_MS = 20_000
const SCRIPT_MAX_BYTES = 8 * 1024 * 1024

const { values } = parseArgs({
  options: { url: { type: 'string' }, accepted: { type: 'string' }, accept: { type: 'boolean' } },
})
const config = await loadConfig(process.env)
const url = (values.url ?? baseUrlOf(config)).replace(/\/$/, '')
const acceptedFile = resolve(values.accepted ?? join(config.dataDir, 'accepted-scripts.json'))

const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

async function fetchBytes(address: string): Promise<{ bytes: Buffer; headers: Headers }> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'error' })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.length > SCRIPT_MAX_BYTES) throw new Error(`${address} is larger than ${SCRIPT_MAX_BYTES} bytes.`)
  return { bytes, headers: answer.headers }
}

/** @returns the digest of the shop's own script at a path, as built; undefined when there is no such script */
function builtDigest(path: string): string | undefined {
  const file = new URL(`client${path}`, dist)
  return existsSync(file) ? digest(readFileSync(file)) : undefined
}

async function readPage(path: string): Promise<PaymentPage> {
  const { bytes, headers } = await fetchBytes(url + path)
  return { path, html: bytes.toString('utf8'), headers: Object.fromEntries(headers) }
}

const differences: string[] = []
const expectedHeaders = securityHeaders(config)
for (const path of [paths.checkout, paths.directCheckout, paths.alternateCheckout])
  differences.push(
    ...(await listDifferences(await readPage(path), expectedHeaders.of(path), {
      builtDigest,
      servedDigest: async (script) => digest((await fetchBytes(url + script)).bytes),
    })),
  )

const accepted = existsSync(acceptedFile)
  ? (JSON.parse(readFileSync(acceptedFile, 'utf8')) as Record<string, string>)
  : undefined
const current: Record<string, string> = {}
for (const script of [config.stripe.scriptUrl, config.paypal.scriptUrl]) {
  current[script] = digest((await fetchBytes(script)).bytes)
  if (accepted && !values.accept && accepted[script] !== current[script])
    differences.push(
      `${script} has changed since it was accepted. Read the provider's release notes, then run with --accept.`,
    )
}
if (!accepted || values.accept) {
  writeFileSync(acceptedFile, `${JSON.stringify(current, null, 2)}\n`)
  console.log(`Accepted the providers' current scripts: ${acceptedFile}`)
}

for (const difference of differences) console.log(difference)
console.log(
  differences.length === 0
    ? `The payment pages of ${url} match this release: same scripts, same headers.`
    : `${differences.length} differences. Usage: ${USAGE}`,
)
process.exit(differences.length === 0 ? 0 : 1)
