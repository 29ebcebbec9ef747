import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isOneOf } from '#shared/one-of.ts'
import { ConfigError } from '#server/config/config.ts'
import { startSimulators } from '#sandbox/simulators.ts'
import { findChromium } from './chromium.ts'
import {
  checkoutOf,
  readKeys,
  rehearse,
  REHEARSED,
  simulatedPayer,
  type Payer,
  type Rehearsal,
} from './rehearsal/rehearse.ts'
import { loadScripts } from './rehearsal/scripts.ts'

// Makes the calls of the simulators' tests to the real providers, with test keys, and prints every difference. Then loads the providers'
// scripts once under the policy of the checkout. Exits 1 when something differs.

const USAGE = `npm run rehearse -- [--only stripe,paypal,printful] [--payer] [--without-browser] [--json FILE]
  --only             only these providers
  --payer            waits until you approve each order of PayPal's sandbox in a browser; otherwise nobody pays there
  --without-browser  does not load the providers' scripts
  --json             writes every call and difference to a file
Keys and addresses come from the shop's settings. Without any, simulators are compared with simulators.`

const PAYER_WITHIN_MS = 10 * 60_000

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    payer: { type: 'boolean', default: false },
    'without-browser': { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const names = values.only?.split(',') ?? REHEARSED
const wanted = REHEARSED.filter((name) => names.includes(name))
if (values.help || !names.every((name) => isOneOf(REHEARSED, name))) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

/** Somebody approves the order on PayPal's page. */
const payerInBrowser =
  (base: string): Payer =>
  async (orderId) => {
    const page = base.includes('sandbox') ? 'https://www.sandbox.paypal.com' : base
    console.log(`Approve this order: ${page}/checkoutnow?token=${orderId}, then press Enter.`)
    await Promise.race([new Promise((resolve) => process.stdin.once('data', resolve)), pause(PAYER_WITHIN_MS)])
  }

const simulators = await startSimulators({ speed: 0, firstPort: 0, folder: 'memory://' })
const rehearsals: Rehearsal[] = []
let troubles: string[] = []
try {
  const { keys, given } = readKeys(process.env, simulators.settings)
  if (given.length === 0) console.log('No keys are set: simulators are compared with simulators.')
  const contracts = process.env['PROVIDER_CONTRACTS']
  if (!contracts)
    console.log('The published schemas of PayPal and Printful are not compared: PROVIDER_CONTRACTS names no folder.')
  for (const provider of wanted.filter((name) => given.length === 0 || given.includes(name))) {
    const { apiBase } = keys.paypal
    const payer = given.includes('paypal')
      ? values.payer
        ? payerInBrowser(apiBase)
        : undefined
      : simulatedPayer(apiBase)
    const rehearsal = await rehearse(provider, keys, {
      payer,
      pass: given.length === 0 ? (ms) => simulators.kit.clock.advance(ms) : undefined,
      contracts,
    })
    rehearsals.push(rehearsal)
    const { calls, differences } = rehearsal
    console.log(
      `${differences.length === 0 ? '✓' : '✗'} ${provider}: ${calls} calls, ${differences.length === 1 ? '1 difference' : `${differences.length} differences`}`,
    )
    for (const difference of differences) console.log(`    ${difference}`)
    if (provider === 'paypal' && !payer)
      console.log('    Not rehearsed: captures and refunds, as nobody paid. Use --payer.')
  }
  const chromium = values['without-browser'] ? undefined : findChromium()
  const checkout = checkoutOf(rehearsals)
  if (chromium && checkout.clientSecret && checkout.clientToken) {
    const loaded = await loadScripts(keys, checkout, chromium)
    troubles = loaded.troubles
    console.log(
      `${troubles.length === 0 ? '✓' : '✗'} scripts: ${loaded.ready.join(', ') || 'nothing'} ready under the policy of the checkout`,
    )
    for (const trouble of troubles) console.log(`    ${trouble}`)
  } else console.log('Scripts were not loaded: that needs Chromium and both Stripe and PayPal.')
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 2
} finally {
  await simulators.close()
}
if (values.json) {
  // Without the answers: they hold tokens and secrets.
  const report = rehearsals.map(({ provider, exchanges, differences }) => ({
    provider,
    calls: exchanges.map(({ step, method, path, status }) => ({ step, method, path, status })),
    differences,
  }))
  writeFileSync(values.json, `${JSON.stringify({ rehearsals: report, troubles }, null, 2)}\n`)
}
const differs = troubles.length > 0 || rehearsals.some(({ differences }) => differences.length > 0)
process.exit(process.exitCode ?? (differs ? 1 : 0))
