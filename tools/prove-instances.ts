import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { sandboxPort, shopPort } from '../test/e2e/addresses.ts'
import { startRoundRobin } from '../test/journeys/round-robin.ts'
import { startProviders, startShop, type RunningProcess } from './bench/processes.ts'
import { build } from './build.ts'
import { findChromium } from './chromium.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

// The browser tests against several instances of the shop on one PostgreSQL server. The proxy has no sticky sessions: each request
// goes to the next instance. Exits 1 when a test fails or an instance received no request.

const USAGE = `npm run prove:instances -- [--count 3] [FILE…]
FILE: part of the name of files in test/e2e; all of them by default.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '3' }, help: { type: 'boolean', default: false } },
})
const count = Number(values.count)
if (values.help || !Number.isInteger(count) || count < 1) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

const chromium = findChromium()
const postgres = await startPostgres()
if (!chromium || !postgres) {
  console.error('Chromium or PostgreSQL is missing and could not be installed.')
  process.exit(1)
}
await build()

/** The same setup as in `npm test`: ports, fast parcels, production rate limits. */
const address = `http://127.0.0.1:${shopPort(0)}`
const running: RunningProcess[] = []
const trackProcess = async (starting: Promise<RunningProcess>): Promise<RunningProcess> => {
  const started = await starting
  running.push(started)
  return started
}
let code = 1
try {
  await trackProcess(startProviders(shopPort(0), { port: sandboxPort(0), env: { SANDBOX_SPEED: '1440' } }))
  const servers: string[] = []
  for (let instance = 0; instance < count; instance += 1) {
    const settings = { PUBLIC_URL: address, RATE_LIMIT_SCALE: '1', SWEEP_INTERVAL_S: '15', CHANGE_WINDOW_S: '0' }
    servers.push((await trackProcess(startShop(await freePort(), sandboxPort(0), postgres.url, settings))).address)
  }
  const proxy = await startRoundRobin(servers, shopPort(0))
  console.log(`${count} instances behind ${proxy.address}: ${servers.join(', ')}`)
  code = await runBrowserTests(chromium)
  const requestCounts = proxy.taken()
  proxy.close()
  console.log(`Requests per instance: ${requestCounts.join(', ')}`)
  if (!requestCounts.every(Boolean)) code = 1
} finally {
  for (const started of running.toReversed()) await started.stop()
  await postgres.stop()
}
process.exit(code)

/** @returns Playwright's exit code */
function runBrowserTests(browser: string): Promise<number> {
  const tests = spawn('playwright', ['test', ...positionals], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CHROMIUM: browser, WORLD_IS_UP: '1' },
  })
  return new Promise((resolve) => {
    tests.once('error', () => resolve(127))
    tests.once('exit', (ended) => resolve(ended ?? 1))
  })
}
