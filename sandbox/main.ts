import { spawn, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import { buildApart } from '../tools/build.ts'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { startControl } from './control/control.ts'
import { chooseBeginning, saveBooks } from './beginning.ts'
import { startSimulators } from './simulators.ts'

// The whole world on one machine: simulators in this process, the shop as its child, so
// killing the shop leaves the witnesses alive.

const DEFAULT_PORT = 3000
const DEFAULT_SPEED = 1440
const RESTART_DELAY_MS = 300
const onlySandbox = process.argv.includes('--only-sandbox')
const isWatching = process.argv.includes('--watch')
const isEmpty = process.argv.includes('--empty')

function exitWith(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

const host = process.env['HOST'] ?? '127.0.0.1'

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** A port from the environment must be free; a default one moves to the next free one and prints it. */
async function choosePort(name: string, fallback: number): Promise<number> {
  const setting = process.env[name]
  if (setting !== undefined) {
    const port = Number(setting)
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      exitWith(`${name} must be a whole number from 1 to 65535.`)
    if (BLOCKED_PORTS.has(port))
      exitWith(`Browsers refuse to open port ${port} (${name}). Choose another one with ${name}.`)
    if (!(await isFree(port))) exitWith(`Port ${port} (${name}) on ${host} is taken. Choose another one with ${name}.`)
    return port
  }
  for (let port = fallback; port < fallback + 200; port += 20)
    if (await isFree(port)) {
      if (port !== fallback) console.log(`Port ${fallback} is taken; using ${port} (set ${name} to choose).`)
      return port
    }
  return exitWith(`Found no free port starting at ${fallback}. Choose one with ${name}.`)
}

function speedFromEnvironment(): number {
  const speed = Number(process.env['SANDBOX_SPEED'] ?? DEFAULT_SPEED)
  return Number.isFinite(speed) && speed >= 0 ? speed : exitWith('SANDBOX_SPEED must be a number of at least 0.')
}

const startedAtMs = performance.now()
const dataDir = process.env['DATA_DIR'] ?? './data'
const port = onlySandbox ? Number(process.env['PORT'] ?? DEFAULT_PORT) : await choosePort('PORT', DEFAULT_PORT)
const sandboxPort = await choosePort('SANDBOX_PORT', port + 10)
const speed = speedFromEnvironment()

if (!onlySandbox && (await buildApart())) console.log('Built the pages.')
const real = (['stripe', 'paypal', 'printful'] as const).filter(
  (name) => process.env[{ stripe: 'STRIPE_SECRET_KEY', paypal: 'PAYPAL_CLIENT_ID', printful: 'PRINTFUL_TOKEN' }[name]],
)
// In another database, or with a catalog of your own, the demo's days would be somebody else's.
const isPlain = isEmpty || ['DATABASE_URL', 'CATALOGUE_FILE'].some((name) => process.env[name])
const beginning = onlySandbox || real.length > 0 ? undefined : chooseBeginning(dataDir, isPlain)
const simulators = await startSimulators({
  ...{ speed, firstPort: sandboxPort + 1, folder: dataDir, real },
  aheadMs: beginning?.aheadMs ?? 0,
})
const shopAddress = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
simulators.announceShop(shopAddress)
if (beginning?.books) simulators.load(beginning.books)
const settings = { ...simulators.settings, SANDBOX_PORT: String(sandboxPort) }
const control = await startControl(simulators.kit, simulators.providers, simulators.mailbox, {
  port: sandboxPort,
  shopUrl: shopAddress,
  settings,
})

/** Parcels travel in minutes here, so the shop checks them more often than in production. */
const HURRIED_SWEEP_S = '15'
/** Long enough to see that an order can be changed. */
const SHORT_CHANGE_WINDOW_S = '30'

const SAVED_EVERY_MS = 60_000

/** For the next start. A sandbox that is killed forgets at most a minute's payments. */
function keepBooks(): void {
  if (beginning) saveBooks(dataDir, simulators.save())
}
keepBooks()
setInterval(keepBooks, SAVED_EVERY_MS).unref()

let child: ChildProcess | undefined
let stopping = false

/** @param first whether a failure to start ends the whole program */
function startShop(first: boolean): Promise<void> {
  return new Promise((resolve) => {
    const shop = spawn(process.execPath, [...process.execArgv, 'src/main.ts'], {
      cwd: new URL('..', import.meta.url),
      env: {
        ...settings,
        ...(beginning?.backup && { INITIAL_BACKUP: beginning.backup }),
        ...(speed > 0 && { SWEEP_INTERVAL_S: HURRIED_SWEEP_S }),
        CHANGE_WINDOW_S: SHORT_CHANGE_WINDOW_S,
        ...process.env,
        PORT: String(port),
        HOST: host,
        DATA_DIR: dataDir,
        SANDBOX_PORT: String(sandboxPort),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = shop
    let wasReady = false
    shop.once('message', () => {
      wasReady = true
      console.log(`Shop process: ${shop.pid}`)
      resolve()
    })
    shop.once('exit', (code) => {
      if (stopping) return
      if (first && !wasReady) {
        // The shop has already printed the reason.
        void simulators.close().then(() => process.exit(code || 1))
        return
      }
      console.log(`The shop has stopped (${code ?? 'killed'}); restarting it.`)
      setTimeout(() => void startShop(false), RESTART_DELAY_MS)
    })
  })
}

async function stopShop(): Promise<void> {
  const shop = child
  if (!shop || shop.exitCode !== null || shop.signalCode !== null) return
  await new Promise<void>((resolve) => {
    shop.once('exit', () => resolve())
    shop.kill('SIGTERM')
  })
}

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await stopShop()
  keepBooks()
  await control.close()
  await simulators.close()
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())

if (onlySandbox) {
  console.log(`Sandbox:  ${control.url}\nMailbox:  ${control.url}/mail`)
  for (const [name, value] of Object.entries(settings)) console.log(`${name}=${value}`)
} else {
  await startShop(true)
  await untilReady()
  console.log(`Shop:     ${shopAddress}`)
  console.log(`Sandbox:  ${control.url}`)
  console.log(`Mailbox:  ${control.url}/mail`)
  const owner = process.env['OWNER_USERNAME']
  console.log(`Owner:    ${owner ? `${owner} / as configured` : 'owner / owner-demo'}`)
  console.log('Partner:  partner / partner-demo')
  const products = (await (await fetch(`${shopAddress}/api/products`)).json()) as { variantCount: number }[]
  const variants = products.reduce((sum, { variantCount }) => sum + variantCount, 0)
  console.log(
    `${products.length} products in ${variants} variants, ready in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s.`,
  )
  if (isWatching) watchSources()
}

async function untilReady(): Promise<void> {
  const exitWithAt = Date.now() + 60_000
  while (Date.now() < exitWithAt) {
    const answer = await fetch(`${shopAddress}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  exitWith('The shop did not become ready within a minute.')
}

/** Development: changed files are rebuilt and the shop restarts; the providers and their orders stay. */
function watchSources(): void {
  let timer: NodeJS.Timeout | undefined
  watch(new URL('../src', import.meta.url), { recursive: true }, (_event, file) => {
    if (!file || file.includes('.test.')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      console.log(`${file} changed.`)
      buildApart().then(
        () => child?.kill('SIGTERM'),
        (error: unknown) => console.error(error instanceof Error ? error.message : error),
      )
    }, 150)
  })
}
