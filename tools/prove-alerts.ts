import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Rule } from '#sandbox/kit/types.ts'
import { startSimulators } from '#sandbox/simulators.ts'
import { createShopper } from '#sandbox/world.ts'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { build } from './build.ts'
import { installFromDebian } from './chromium.ts'
import { superviseInstance } from './faults/instance.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

// Debian's Prometheus reads two instances of the shop, and each rule of deploy/prometheus/alerts.yml gets its real trouble, one after the
// other: it must fire, and stop when the trouble ends. Only durations are divided; thresholds and expressions are as they are. Exits 1
// when a rule is silent, or fires without a reason.

/** An alert of 15 minutes takes half a minute. */
const DIVISOR = 30
const shorten = (rules: string) =>
  rules.replaceAll(/\b(\d+)([mh])\b/g, (_, count, unit) => `${(Number(count) * (unit === 'h' ? 3600 : 60)) / DIVISOR}s`)
const FIRES_WITHIN_MS = 240_000
const FOREVER = 1_000_000_000
const TOKEN = 'a-token-for-prometheus'
const ROOT = join(import.meta.dirname, '..')
const RULES = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const only = values.only.split(',').filter(Boolean)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

if (spawnSync('which', ['prometheus']).status !== 0) installFromDebian(['prometheus'])
const folder = mkdtempSync(join(tmpdir(), 'pawtelier-alerts-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const postgres = await startPostgres()
if (!postgres || spawnSync('which', ['prometheus', 'promtool']).status !== 0) {
  console.error('This needs PostgreSQL and Prometheus, which come from Debian’s packages.')
  process.exit(1)
}
await build()
const simulators = await startSimulators({ speed: 0, firstPort: 0, folder })
await simulators.printful.change({ change: 'rate_limit', perMinute: 1_000_000 })
const mailLine = await openLine(Number(new URL(simulators.settings['SMTP_URL'] ?? '').port))
const ports = [await freePort(), await freePort()] as const
const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
const [shopUrl = ''] = addresses
simulators.announceShop(shopUrl)
const startInstance = (port: number) => {
  const dataDir = join(folder, `data-${port}`)
  mkdirSync(dataDir, { recursive: true })
  return superviseInstance({
    env: {
      ...simulators.settings,
      SMTP_URL: `smtp://127.0.0.1:${mailLine.port}`,
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      PUBLIC_URL: shopUrl,
      METRICS_TOKEN: TOKEN,
      RATE_LIMIT_SCALE: '100000',
      SWEEP_INTERVAL_S: '3',
      SYNC_INTERVAL_S: '86400',
      CHANGE_WINDOW_S: '0',
    },
    port,
    logFile: join(folder, `shop-${port}.log`),
  })
}
const instances = ports.map(startInstance)
const pool = new pg.Pool({ connectionString: postgres.url, max: 3 })
pool.on('error', () => {})
const prometheusUrl = await startPrometheus()
const shopper = () => createShopper(shopUrl, simulators)

/** Causes the trouble. @returns ends it */
type Trouble = { what: string; causes: () => Promise<() => Promise<unknown>> }

const rule = (provider: Rule['provider'], match: Rule['match'], answer: Rule['do']) =>
  simulators.kit.rules.add({ provider, match, when: 'before', do: answer, times: FOREVER })
const endRules = async () => simulators.kit.rules.clear()
const owner = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/owner.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...simulators.settings,
      DATABASE_URL: postgres.url,
      DATA_DIR: join(folder, 'owner'),
      PUBLIC_URL: shopUrl,
    },
  })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout
}
const repairAll = async (kind: string) => {
  const { rows } = await pool.query<{ id: number }>(
    'select id from audit_exceptions where kind = $1 and resolved_at is null',
    [kind],
  )
  for (const { id } of rows) owner('reconcile', '--repair', String(id))
}
/** Asks again and again until it is ended. */
const flood = (atOnce: number, ask: (time: number) => Promise<unknown>) => {
  const over = new AbortController()
  let time = 0
  const all = Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!over.signal.aborted) await ask((time += 1)).catch(() => wait(50))
    }),
  )
  return async () => {
    over.abort()
    await all
  }
}
const get = async (path: string) => (await fetch(`${shopUrl}${path}`)).text()
const advance = (ms: number) => simulators.kit.clock.advance(ms)

const troubles: Readonly<Record<string, Trouble>> = {
  PaymentWithoutOrder: {
    what: 'the checkout of a payment is gone',
    async causes() {
      const buyer = shopper()
      await buyer.adds('hat')
      const { body } = await buyer.startsPayment()
      await pool.query('delete from checkout where provider_payment_id = $1', [body.payment_intent])
      await buyer.confirms(body)
      return () => repairAll('unknown_checkout')
    },
  },
  LedgerOutOfBalance: {
    what: 'an entry is changed by a superuser',
    async causes() {
      await (await shopper().paysByCard()).returnsToShop()
      const change = (by: number) =>
        pool.query(
          `alter table ledger_entry disable trigger all;
           update ledger_entry set amount_cents = amount_cents + (${by}) where (posting_id, account) = (select posting_id, account from ledger_entry order by 1, 2 limit 1);
           alter table ledger_entry enable trigger all`,
        )
      await change(1)
      return () => change(-1)
    },
  },
  BooksDiffer: {
    what: 'Stripe takes a fee for no payment',
    async causes() {
      await simulators.stripe.change({ change: 'take_fee', amount: 700 })
      // What PayPal has not reported for three hours is not judged.
      await advance(4 * HOUR_MS)
      return () => repairAll('adjustment')
    },
  },
  OrderNotSubmitted: {
    what: 'the printer is down',
    async causes() {
      const buyer = shopper()
      await buyer.adds('hat')
      const { body } = await buyer.startsPayment()
      rule('printful', {}, { status: 503 })
      await buyer.confirms(body)
      await buyer.returnsToShop(body.payment_intent)
      return endRules
    },
  },
  WebhookSilent: {
    what: 'Stripe’s events are lost',
    async causes() {
      await simulators.kit.webhooks.set({ provider: 'stripe', drop: FOREVER })
      for (let time = 0; time < 3; time += 1) await (await shopper().paysByCard()).returnsToShop()
      return async () => {
        await simulators.kit.webhooks.stop('stripe')
        await (await shopper().paysByCard()).returnsToShop()
      }
    },
  },
  SetupWrong: {
    what: 'Stripe’s webhook is deleted',
    async causes() {
      rule(
        'stripe',
        { path: '/v1/webhook_endpoints' },
        {
          status: 200,
          body: { object: 'list', url: '/v1/webhook_endpoints', has_more: false, data: [] },
        },
      )
      await instances[1]?.restart()
      return async () => {
        await endRules()
        await instances[1]?.restart()
      }
    },
  },
  ShopDown: {
    what: 'an instance is stopped',
    async causes() {
      const [, second] = ports
      await instances[1]?.stop()
      return async () => {
        instances[1] = startInstance(second)
        await instances[1].whenReady()
      }
    },
  },
  AnswersFail: {
    what: 'the database is stopped, and people put hats into carts',
    async causes() {
      await postgres.halt()
      const end = flood(2, async () => {
        await fetch(`${shopUrl}/api/cart`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"productId":"1","variantId":null,"quantity":1}',
        })
        await wait(200)
      })
      return async () => {
        await end()
        await postgres.start()
      }
    },
  },
  AnswersSlow: {
    what: 'Stripe Tax takes three seconds',
    async causes() {
      rule('stripe', { path: '/v1/tax/calculations' }, { delayMs: 3000 })
      const end = flood(2, async (time) => {
        const buyer = shopper()
        await buyer.adds('hat')
        await buyer.startsPayment({
          line1: `${time} Main St`,
          line2: null,
          city: 'New York',
          state: 'NY',
          postal_code: '10118',
          country: 'US',
        })
      })
      return async () => {
        await endRules()
        await end()
      }
    },
  },
  ReadersTurnedAway: {
    what: '700 people read at once',
    causes: async () => flood(700, (time) => get(`/products?page=${(time % 3) + 1}`)),
  },
  PoolExhausted: {
    what: 'somebody locks the carts',
    async causes() {
      const client = await pool.connect()
      await client.query('begin')
      await client.query('lock table cart_line in access exclusive mode')
      const buyers = await Promise.all(Array.from({ length: 3 }, async () => shopper()))
      const end = flood(30, (time) => buyers[time % 3]?.adds('hat') ?? Promise.resolve())
      return async () => {
        await client.query('rollback')
        client.release()
        await end()
      }
    },
  },
  EventsWait: {
    what: 'Stripe does not answer when the shop asks about an event for 20 minutes',
    async causes() {
      rule('stripe', { method: 'GET' }, { status: 500 })
      await shopper().paysByCard()
      await wait(2000)
      await advance(20 * MINUTE_MS)
      return endRules
    },
  },
  MailWaits: {
    what: 'the mail server is down for 20 minutes',
    async causes() {
      mailLine.cut(true)
      await (await shopper().paysByCard()).returnsToShop()
      await wait(2000)
      await advance(20 * MINUTE_MS)
      return async () => mailLine.cut(false)
    },
  },
  JobGivenUp: {
    what: 'Stripe Tax refuses to record a sale, and the retries of two days are used up',
    async causes() {
      rule('stripe', { path: '/v1/tax/transactions/*' }, { status: 500 })
      await (await shopper().paysByCard()).returnsToShop()
      const giveUpAt = Date.now() + MINUTE_MS
      for (;;) {
        const { rows } = await pool.query(`select from pgboss.job where name = 'record-tax' and state = 'failed'`)
        if (rows.length > 0 || Date.now() > giveUpAt) return endRules
        await pool.query(
          `update pgboss.job set retry_limit = retry_count, start_after = now() where name = 'record-tax' and state = 'retry'`,
        )
        await wait(500)
      }
    },
  },
}

const misses: string[] = []
try {
  await Promise.all(instances.map((instance) => instance.whenReady()))
  await prove()
} catch (error) {
  misses.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
} finally {
  for (const instance of instances) await instance.stop()
  await pool.end()
  await postgres.stop()
  mailLine.close()
  await simulators.close()
}
for (const miss of misses) console.log(`✗ ${miss}`)
console.log(misses.length > 0 ? 'An alert does not do what it says.' : 'Each alert fired once, and ended.')
process.exit(misses.length > 0 ? 1 : 0)

async function prove(): Promise<void> {
  const names = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  misses.push(...names.filter((name) => !troubles[name]).map((name) => `${name} has no trouble here`))
  await shopper().adds('hat')
  await wait(15_000)
  const quiet = await firing()
  if (quiet.size > 0) misses.push(`without any trouble: ${[...quiet].join(', ')}`)
  for (const [name, { what, causes }] of Object.entries(troubles)) {
    if (only.length > 0 && !only.includes(name)) continue
    const causedAt = performance.now()
    const ends = await causes().catch((error: unknown) => {
      misses.push(`${name}: the trouble could not be caused: ${String(error)}`)
      return async () => {}
    })
    const fired = await waitFor(async () => (await firing()).has(name))
    const firedAfter = seconds(causedAt)
    const endedAt = performance.now()
    await ends()
    const resolved = fired && (await waitFor(async () => !(await firing()).has(name)))
    console.log(
      `${resolved ? '✓' : '✗'} ${name.padEnd(20)} ${fired ? `fired after ${firedAfter}` : 'did not fire'}${resolved ? `, over ${seconds(endedAt)} after the end` : ''}  (${what})`,
    )
    if (!fired) misses.push(`${name} did not fire: ${what}`)
    else if (!resolved) misses.push(`${name} did not end`)
  }
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<boolean> {
  const giveUpAt = Date.now() + FIRES_WITHIN_MS
  while (Date.now() < giveUpAt) {
    if (await isTrue()) return true
    await wait(250)
  }
  return false
}

async function firing(): Promise<Set<string>> {
  const answer = await fetch(`${prometheusUrl}/api/v1/alerts`)
  const { data } = (await answer.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } }
  return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))
}

async function startPrometheus(): Promise<string> {
  writeFileSync(join(folder, 'alerts.yml'), shorten(RULES))
  for (const [what, file] of [
    ['check', join(folder, 'alerts.yml')],
    ['test', join(ROOT, 'deploy/prometheus/alerts.test.yml')],
  ] as const) {
    const judged = spawnSync('promtool', [what, 'rules', file], { encoding: 'utf8' })
    if (judged.status !== 0) throw new Error(judged.stdout + judged.stderr)
  }
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 2s, evaluation_interval: 1s, scrape_timeout: 2s }
rule_files: [${join(folder, 'alerts.yml')}]
scrape_configs:
  - job_name: shop
    authorization: { credentials: ${TOKEN} }
    static_configs: [{ targets: [${ports.map((port) => `"127.0.0.1:${port}"`).join(', ')}] }]
`,
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  process.once('exit', () => child.kill('SIGKILL'))
  return `http://127.0.0.1:${port}`
}

/** A way to a server on loopback that can be cut. */
async function openLine(to: number) {
  let isCut = false
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect({ host: '127.0.0.1', port: to })
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => into.destroy()).on('close', () => open.delete(from) && into.destroy())
      from.pipe(into)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as { port: number }).port,
    cut(now: boolean) {
      isCut = now
      if (now) for (const socket of open) socket.destroy()
    },
    close: () => server.close(),
  }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`
}
