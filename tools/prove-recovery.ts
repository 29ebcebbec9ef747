import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startSimulators } from '#sandbox/simulators.ts'
import { createShopper } from '#sandbox/world.ts'
import { readAudit } from '#server/db/audit.ts'
import { findViolations, paidIn } from '../test/properties/restored-backup.ts'
import { retryWhileBusy } from '../test/properties/retry-while-busy.ts'
import { DAY_MS } from '#shared/time.ts'
import { build } from './build.ts'
import { installFromDebian } from './chromium.ts'
import { superviseInstance, type Instance } from './faults/instance.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

// People buy, somebody ruins the orders by hand, people go on buying, and the owner follows docs/operations.md to the letter: its commands
// are read from there and run as they are. Only systemctl and the owner's command are this program's. Exits 1 when a payment has not
// exactly the order it should have, or anything of the mistake is left.

const SECTION = '### Back to a second'
const EXAMPLE = /'[\d-]+ [\d:]+\+00'/
const MISTAKE = `
  update shop_order set customer_email = 'oops@mail.example', total_cents = total_cents + 1, subtotal_cents = subtotal_cents + 1;
  delete from order_line;`
const SETTLED_WITHIN_MS = 120_000
const ROOT = join(import.meta.dirname, '..')

const { values } = parseArgs({ options: { purchases: { type: 'string', default: '12' } } })
const count = Number(values.purchases)
if (!(Number.isInteger(count) && count >= 4)) {
  console.error(
    'npm run prove:recovery -- [--purchases 12]\n--purchases: a whole number, at least 4, before and after the mistake.',
  )
  process.exit(2)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

/** The commands of the guide's section, in their order. */
const [archive, restore] =
  (readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(`\n${SECTION}\n`)[1] ?? '')
    .split('\n###')[0]
    ?.matchAll(/^ {4}(pawtelier-[^#\n]*[^#\s])/gm)
    .map(([, command = '']) => command) ?? []
if (!archive || !restore || !EXAMPLE.test(restore)) throw new Error(`docs/operations.md, ${SECTION}: no commands`)

if (!existsSync('/usr/bin/pgbackrest')) installFromDebian(['pgbackrest'])
const folder = mkdtempSync(join(tmpdir(), 'pawtelier-recovery-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
/** A folder that PostgreSQL's user may write to. */
const folderOfPostgres = (name: string): string => {
  mkdirSync(join(folder, name))
  spawnSync('chown', ['postgres', join(folder, name)])
  return join(folder, name)
}
chmodSync(folder, 0o755)
const home = folderOfPostgres('home')
// What every PostgreSQL that this program starts, and pgBackRest in it, goes by.
Object.assign(process.env, {
  PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
  PGBACKREST_REPO1_PATH: folderOfPostgres('repository'),
  PGBACKREST_LOG_PATH: folderOfPostgres('log'),
  PGBACKREST_LOCK_PATH: folderOfPostgres('lock'),
  PGBACKREST_SPOOL_PATH: folderOfPostgres('spool'),
})
const postgres = process.getuid?.() === 0 && existsSync('/usr/bin/pgbackrest') ? await startPostgres(home) : undefined
if (!postgres) {
  console.error('This needs root on Linux, with PostgreSQL and pgBackRest, which come from Debian’s packages.')
  process.exit(1)
}
const { port: databasePort } = new URL(postgres.url)
writeFileSync(
  join(folder, 'pgbackrest.conf'),
  readFileSync(join(ROOT, 'deploy/server/pgbackrest.conf'), 'utf8').replace('PG_DATA', join(home, 'data')),
)
Object.assign(process.env, {
  ...{ PGHOST: home, PGPORT: databasePort, PGBACKREST_PG1_SOCKET_PATH: home, PGBACKREST_PG1_PORT: databasePort },
})

await build()
const simulators = await startSimulators({ speed: 0, firstPort: 0, folder })
await simulators.printful.change({ change: 'rate_limit', perMinute: 1_000_000 })
const port = await freePort()
const shopUrl = `http://127.0.0.1:${port}`
simulators.announceShop(shopUrl)
const env = {
  ...simulators.settings,
  DATABASE_URL: postgres.url,
  DATA_DIR: join(folder, 'shop'),
  RATE_LIMIT_SCALE: '1000',
  SWEEP_INTERVAL_S: '3',
  SYNC_INTERVAL_S: '86400',
  CHANGE_WINDOW_S: '0',
}
mkdirSync(env.DATA_DIR)
let shop: Instance | undefined
/** What happens when the database has stopped. */
let onceStopped = (): Promise<unknown> => Promise.resolve()
const startShop = async () => {
  shop = superviseInstance({ env, port, logFile: join(folder, 'shop.log') })
  await shop.whenReady()
}
const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
pool.on('error', () => {})

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
const violations: string[] = []
try {
  await prove()
} catch (error) {
  violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
} finally {
  await shop?.stop()
  await pool.end()
  await postgres.stop()
  await simulators.close()
}
for (const violation of violations) console.log(`✗ ${violation}`)
console.log(violations.length > 0 ? 'Something broke.' : 'Nothing was lost, doubled or wrong.')
process.exit(violations.length > 0 ? 1 : 0)

async function prove(): Promise<void> {
  const run = await openCommands()
  let at = performance.now()
  await run(archive ?? '')
  console.log(`${archive}: the archive is on after ${seconds(at)}`)
  await startShop()

  for (let purchase = 0; purchase < count; purchase += 1) await (await begins(purchase))()
  at = performance.now()
  await run(archive ?? '')
  console.log(`${archive}: the next night’s took ${seconds(at)}`)
  for (let purchase = 0; purchase < count; purchase += 1) await (await begins(purchase))()
  const begun = await Promise.all(Array.from({ length: 4 }, (_, purchase) => begins(purchase)))
  await idle()
  const before = await readOrders()
  // A moment is a whole second, and the last order is before it.
  await wait(1000)
  const { rows } = await pool.query<{ moment: string }>(`select date_trunc('second', now())::text as moment`)
  const moment = rows[0]?.moment ?? ''
  // The mistake comes a second after the moment, and it is committed, not only made.
  await wait(2000)
  await pool.query(MISTAKE)

  for (const pays of begun) await pays()
  for (let purchase = 0; purchase < count; purchase += 1) await (await begins(purchase))()
  await idle()
  const told = await readOrders()
  // These pay while nobody is there to hear of it.
  const away = await Promise.all([0, 1, 3, 4].map((purchase) => begins(purchase)))
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString()
  const refused = await run((restore ?? '').replace(EXAMPLE, `'${tomorrow}'`)).catch((error: Error) => error.message)
  if (!/ended with 1:.*goes on with the database of now/s.test(refused) || (await readOrders()).size < told.size)
    violations.push(`a moment that the archive does not have left something else than before:\n${refused}`)

  onceStopped = () => Promise.all(away.map((pays) => pays()))
  at = performance.now()
  const output = await run((restore ?? '').replace(EXAMPLE, `'${moment}'`))
  console.log(`${restore}: the shop of ${moment} sells after ${seconds(at)}`)
  if (!output.includes('"intact": true')) violations.push(`verify does not say that the books are intact:\n${output}`)
  await judge(before, told)
}

type Orders = Map<string, { number: string; row: string }>

/** By payment: the order's number, and all that the mistake could have changed of it. */
async function readOrders(): Promise<Orders> {
  const { rows } = await pool.query<{ key: string; number: string; row: string }>(
    `select o.payment_key as key, o.order_number as number, concat_ws(' ', o.customer_email, o.total_cents, o.shipping_address,
       (select jsonb_agg(i order by i::text) from order_line i where i.order_id = o.id)) as row
     from shop_order o where o.payment_key is not null`,
  )
  return new Map(rows.map(({ key, number, row }) => [key, { number, row }]))
}

async function judge(before: Orders, told: Orders): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  let after = await readOrders()
  while (after.size < paidIn({ simulators }).size && Date.now() < giveUpAt) {
    await wait(500)
    after = await readOrders()
  }
  await idle()
  for (const [key, { number, row }] of before)
    if (after.get(key)?.row !== row)
      violations.push(`${number}, paid before, is not as it was: ${after.get(key)?.row ?? 'gone'}`)
  for (const [key, { number }] of told)
    if (after.get(key)?.number !== number)
      violations.push(`${key} was order ${number} and is ${after.get(key)?.number ?? 'gone'}`)
  const audit = await readAudit(pool)
  violations.push(...findViolations({ simulators }, audit, new Map(), 0).violations)
  // Others are about the machine, or say truly that payments came without an event.
  const open = audit.audit_exceptions.filter(
    (row) => row['resolved_at'] === null && (row['payment_key'] !== null || row['order_id'] !== null),
  )
  violations.push(...open.map((row) => `an exception is left: ${JSON.stringify(row)}`))
  const sinceRestored = [...paidIn({ simulators }).keys()].filter((key) => !before.has(key))
  console.log(
    `${before.size} orders paid before are as they were; ${sinceRestored.filter((key) => told.has(key)).length} paid after the mistake have their number again, ${sinceRestored.filter((key) => !told.has(key)).length} paid during the restore have an order; ${open.length} exceptions`,
  )
}

/** Waits until the simulators have delivered everything and no job is due. */
async function idle(): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    await simulators.kit.idle()
    const { rows } = await pool.query<{ left: number }>(
      `select count(*)::int as left from pgboss.job where name = 'submit-order' and state in ('created', 'retry', 'active')`,
    )
    if (rows[0]?.left === 0 || Date.now() > giveUpAt) return
    await wait(200)
  }
}

/** Somebody with a hat in the cart; every third pays by PayPal. @returns the step that pays. By card, it works without the shop */
async function begins(purchase: number): Promise<() => Promise<unknown>> {
  const shopper = createShopper(shopUrl, simulators)
  const start = <Body>(ask: () => Promise<{ status: number; body: Body }>): Promise<Body> =>
    retryWhileBusy(async () => {
      if ((await shopper.cart()).length === 0) await shopper.adds('hat')
      const { status, body } = await ask()
      if (status !== 200) throw new Error(`payment start answered ${status}: ${JSON.stringify(body)}`)
      return body
    })
  if (purchase % 3 === 2) {
    const { id } = await start(() => shopper.startsWallet())
    return async () => {
      await shopper.approves(id)
      const { body } = await shopper.captures(id)
      if (body.status !== 'COMPLETED') throw new Error(`taking the money answered ${JSON.stringify(body)}`)
    }
  }
  const payment = await start(() => shopper.startsPayment())
  return async () => {
    await shopper.confirms(payment)
    await shopper.returnsToShop(payment.payment_intent).catch(() => undefined)
  }
}

/** The server's commands as `install` puts them in place, over this program's processes. @returns runs one, and returns what it printed */
async function openCommands(): Promise<(command: string) => Promise<string>> {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['archive', 'restore-to'])
    symlinkSync(join(ROOT, 'deploy/server', name), join(bin, `pawtelier-${name}`))
  const services = createServer((request, answer) => {
    let words = ''
    request.on('data', (part: Buffer) => (words += part.toString()))
    request.on('end', () => {
      systemctl(words.split(' ')).then(
        (text) => answer.end(text),
        (error: unknown) => answer.writeHead(500).end(String(error)),
      )
    })
  })
  await new Promise<void>((listening) => services.listen(0, '127.0.0.1', listening))
  services.unref()
  const script = (name: string, text: string) => writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  script('systemctl', `exec curl -fsS -d "$*" http://127.0.0.1:${(services.address() as AddressInfo).port}/`)
  script('pawtelier-owner', `cd '${ROOT}' && exec '${process.execPath}' src/owner.ts "$@"`)
  return (command) =>
    new Promise((resolve, reject) => {
      const child = spawn('sh', ['-ec', command], {
        env: { ...process.env, ...env, PATH: `${bin}:${process.env['PATH']}` },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (output += part.toString()))
      child.once('exit', (code) =>
        code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}:\n${output}`)),
      )
    })
}

async function systemctl([verb, ...units]: readonly string[]): Promise<string> {
  if (verb === 'list-units') return `pawtelier@${port}.service loaded active running\n`
  for (const unit of units) {
    const isDatabase = unit === 'postgresql'
    if (verb === 'stop' || verb === 'restart') await (isDatabase ? postgres?.halt() : shop?.stop())
    if (verb === 'stop' && isDatabase) await onceStopped()
    if (verb === 'start' || verb === 'restart') await (isDatabase ? postgres?.start() : startShop())
  }
  return ''
}
