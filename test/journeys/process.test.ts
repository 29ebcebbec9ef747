import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { loadRenderer } from '#server/http/pages.ts'
import { createLog } from '#server/log/log.ts'
import { startSimulators, type Simulators } from '#sandbox/simulators.ts'
import { createShopper, databaseOnServer } from '#sandbox/world.ts'
import { createShop } from '../../src/shop.ts'
import { freePort } from '../../tools/free-port.ts'

// The shop as its own process: started, killed and restarted.

const onServer = process.env['TEST_DATABASE'] === 'postgresql'
const ROOT = join(import.meta.dirname, '../..')

type Started = { process: ChildProcess; ready: Promise<string>; ended: Promise<{ code: number | null; said: string }> }

/** A migrated and seeded embedded database; each test gets a copy. */
let stocked: string
let folder: string
let simulators: Simulators
let database: Awaited<ReturnType<typeof databaseOnServer>> | undefined
let port: number
let running: ChildProcess[]

beforeAll(async () => {
  stocked = mkdtempSync(join(tmpdir(), 'pawtelier-stocked-'))
  if (onServer) return
  const snapshot = new Blob([readFileSync(process.env['WORLD_SNAPSHOT'] ?? '')])
  await (await openEmbedded(stocked, snapshot)).close()
})
afterAll(() => rmSync(stocked, { recursive: true, force: true }))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pawtelier-process-'))
  cpSync(stocked, folder, { recursive: true })
  simulators = await startSimulators({ speed: 0, firstPort: 0, folder: 'memory://' })
  database = onServer ? await databaseOnServer(false) : undefined
  port = await freePort()
  running = []
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await simulators.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      ...simulators.settings,
      ...(database && { DATABASE_URL: database.url }),
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMIT_SCALE: '1000',
      SWEEP_INTERVAL_S: '1',
      CHANGE_WINDOW_S: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.push(child)
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return {
    process: child,
    ready: new Promise((resolve, fail) => {
      child.once('message', (message) => resolve((message as { ready: string }).ready))
      child.once('exit', () => fail(new Error(`the shop ended: ${said}`)))
    }),
    ended: new Promise((resolve) => child.once('exit', (code) => resolve({ code, said }))),
  }
}

/** Output of the owner's command, which calls the running shop if the database is embedded. */
type OwnerTold = { code: number | null; said: string; complained: string }

const asOwner = (...args: string[]): Promise<OwnerTold> => asOwnerWith({}, ...args)

async function asOwnerWith(env: Record<string, string>, ...args: string[]): Promise<OwnerTold> {
  const command = spawn(process.execPath, ['src/owner.ts', ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      ...simulators.settings,
      DATA_DIR: folder,
      ...(database && { DATABASE_URL: database.url }),
      ...env,
    },
  })
  let [said, complained] = ['', '']
  command.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  command.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  const code = await new Promise<number | null>((ended) => command.once('close', ended))
  return { code, said, complained }
}

const countOrders = async (): Promise<number> =>
  (JSON.parse((await asOwner('audit', '--json')).said) as { audit_orders: unknown[] }).audit_orders.length

test('a shop killed with kill -9 between payment and order has one order after the restart', async () => {
  // Only the sweep after the restart can find the payment.
  await simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  const first = start({ SWEEP_INTERVAL_S: '86400' })
  const address = await first.ready
  simulators.announceShop(address)
  await createShopper(address, simulators).paysByCard()
  first.process.kill('SIGKILL')
  await first.ended

  const second = start()
  await second.ready
  // The buyer and the printer are told by jobs of their own, in any order.
  await expect.poll(() => simulators.mailbox.list().length, { timeout: 60_000 }).toBe(1)
  await expect.poll(() => simulators.printful.ledger().partner_orders, { timeout: 60_000 }).toHaveLength(1)
  expect(await countOrders()).toBe(1)
})

test('SIGTERM stops the shop cleanly, with exit code 0', async () => {
  const shop = start()
  await shop.ready
  shop.process.kill('SIGTERM')
  expect((await shop.ended).code).toBe(0)
})

test('SIGTERM lets a running request finish, and an open connection does not delay the stop (F53)', async () => {
  const shop = start()
  const shopper = createShopper(await shop.ready, simulators)
  await shopper.adds('hat')
  const late = { delayMs: 1000 }
  simulators.kit.rules.add({ provider: 'stripe', match: { path: '/v1/payment_intents' }, when: 'before', do: late })
  const answered = shopper.startsPayment()
  await expect
    .poll(() => simulators.kit.log.since(0).some(({ path }) => path === '/v1/tax/calculations'), {
      interval: 10,
      timeout: 20_000,
    })
    .toBe(true)
  shop.process.kill('SIGTERM')
  expect((await answered).status).toBe(200)
  const answeredAt = Date.now()
  expect((await shop.ended).code).toBe(0)
  expect(Date.now() - answeredAt).toBeLessThan(5000)
})

const LOOKS_EVERY_MS = 200

/** A load balancer that takes turns among the instances that report ready. */
async function balancer(ports: readonly number[]) {
  let turn = 0
  let ready: readonly number[] = ports
  const isReady = (port: number) =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const looking = setInterval(() => {
    void Promise.all(ports.map(isReady)).then((answers) => (ready = ports.filter((_, at) => answers[at])))
  }, LOOKS_EVERY_MS)
  const forward = (incoming: IncomingMessage, body: Buffer) =>
    new Promise<{ answer: IncomingMessage; said: Buffer }>((resolve, fail) => {
      const { method, url: path, headers } = incoming
      const to = ready[turn++ % ready.length]
      const outgoing = ask({ host: '127.0.0.1', port: to, method, path, headers, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('end', () => resolve({ answer, said: Buffer.concat(chunks) }))
        answer.once('error', fail)
      })
      outgoing.once('error', fail)
      outgoing.end(body)
    })
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>))
      try {
        const { answer, said } = await forward(incoming, body)
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(said)
      } catch (error) {
        outgoing.writeHead(502).end(String(error))
      }
    })()
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready.length,
    [Symbol.dispose]() {
      clearInterval(looking)
      server.close()
    },
  }
}

test.runIf(onServer)(
  'two instances are replaced in turn, and no request of a shopper fails',
  { timeout: 120_000 },
  async () => {
    const ports = [port, await freePort()]
    using front = await balancer(ports)
    const startOn = (port: number) => start({ PORT: String(port), PUBLIC_URL: front.address, DRAIN_S: '2' })
    let instances = ports.map(startOn)
    await Promise.all(instances.map(({ ready }) => ready))

    const over = new AbortController()
    const answered = new Map<string, number>()
    const visits = Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) {
        const shopper = createShopper(front.address, simulators)
        const { body: products } = await shopper.send<{ id: number }[]>('GET', '/api/products')
        const requests = [
          ['products', { status: Array.isArray(products) ? 200 : 502 }],
          ['page', await shopper.send('GET', '/products')],
          ['cart', await shopper.adds('mug')],
          ['payment', await shopper.startsPayment()],
        ] as const
        for (const [what, { status }] of requests) {
          const name = `${what} ${status}`
          answered.set(name, (answered.get(name) ?? 0) + 1)
        }
      }
    })
    for (const [at, port] of ports.entries()) {
      const old = instances[at]
      old?.process.kill('SIGTERM')
      expect((await old?.ended)?.code).toBe(0)
      const fresh = startOn(port)
      await fresh.ready
      await expect.poll(front.ready, { timeout: 20_000 }).toBe(ports.length)
      instances = instances.toSpliced(at, 1, fresh)
    }
    over.abort()
    await Promise.all(visits)
    expect([...answered.keys()].toSorted()).toEqual(['cart 200', 'page 200', 'payment 200', 'products 200'])
  },
)

test.skipIf(onServer)('a port in use ends the start with one sentence that names it', async () => {
  const first = start()
  await first.ready
  const second = start({ DATA_DIR: 'memory://' })
  second.ready.catch(() => {})
  const { code, said } = await second.ended
  expect(code).toBe(1)
  expect(said).toContain(`Port ${port} on 127.0.0.1 is taken.`)
})

test.skipIf(onServer)(
  'a second process on the same embedded folder is refused in one sentence, and the doctor passes the first (F47)',
  async () => {
    const first = start()
    const address = await first.ready
    const second = start({ PORT: String(await freePort()) })
    second.ready.catch(() => {})
    const { code, said } = await second.ended
    expect(code).toBe(1)
    expect(said.trim().split('\n')).toEqual([
      expect.stringMatching(/^The embedded database in .* is in use by process \d+\. /),
    ])
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const ill = await asOwner('doctor', '--json')
    expect([ill.code, ill.complained]).toEqual([1, ''])
    expect(JSON.parse(ill.said)).toMatchObject({ healthy: false })
    simulators.announceShop(address)
    const well = await asOwner('doctor')
    expect(well.said).toMatch(/^passed +modes +All keys move test money\.$/m)
    expect(well.said).toMatch(/\n\d+ passed, 0 failed, [123] inconclusive\n$/)
    expect(Math.max(...well.said.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
    expect(well.code).toBe(0)
  },
)

type Diagnosis = { healthy: boolean; findings: { name: string; state: string; what: string }[] }

test.skipIf(onServer)(
  'the doctor checks everything before the first start, and names the settings that prevent a check',
  async () => {
    const result = await asOwnerWith(
      { DATA_DIR: join(folder, 'not', 'there', 'yet'), DATABASE_URL: '' },
      'doctor',
      '--json',
    )
    expect(result.complained).toBe('')
    const { findings } = JSON.parse(result.said) as Diagnosis
    expect(findings.length).toBeGreaterThan(15)
    const stateOf = (name: string) => findings.find((finding) => finding.name === name)?.state
    for (const name of ['stripe key', 'stripe tax', 'printful scopes', 'mail', 'disk', 'clock'])
      expect(stateOf(name), name).toBe('passed')
    for (const name of ['stripe signature', 'paypal signature', 'mapping', 'address', 'database'])
      expect(stateOf(name), name).toBe('inconclusive')
    expect(existsSync(join(folder, 'not'))).toBe(false)

    const away = await asOwnerWith({ DATABASE_URL: 'postgres://127.0.0.1:1/shop' }, 'doctor')
    expect([away.code, away.complained]).toEqual([1, ''])
    expect(away.said).toMatch(/^FAILED +database +The database cannot be opened: .*ECONNREFUSED/m)
    expect(away.said).toMatch(/^passed +stripe key /m)

    const wrong = await asOwnerWith({ STRIPE_WEBHOOK_SECRET: 'whsec_', PAYPAL_WEBHOOK_ID: '' }, 'doctor')
    expect(wrong.code).toBe(1)
    expect(wrong.said).toContain('STRIPE_WEBHOOK_SECRET has only the prefix')
    expect(wrong.said).toContain('PAYPAL_WEBHOOK_ID is missing.')
  },
)

test.skipIf(onServer)(
  'the first start works without the printer, and its products appear once it answers',
  async () => {
    simulators.kit.rules.add({ provider: 'printful', match: {}, when: 'before', do: 'reset' })
    // The shop tries again every minute, which the test does not wait for.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let ahead = 0
    const shop = await createShop({
      config: readConfig({
        ...simulators.settings,
        PORT: String(port),
        DATA_DIR: 'memory://',
        SYNC_INTERVAL_S: '60',
        RATE_LIMIT_SCALE: '1000',
      }),
      log: createLog('sandbox', 'fatal'),
      clock: { now: () => new Date(Date.now() + ahead) },
      renderer: await loadRenderer(),
    })
    try {
      const address = await shop.listen()
      const products = async () => {
        const answer = await fetch(`${address}/api/products`)
        return ((await answer.json()) as { variantCount: number }[]).filter(({ variantCount }) => variantCount > 0)
          .length
      }
      // Ready to take requests, though there is nothing to sell.
      expect((await fetch(`${address}/api/config`)).status).toBe(200)
      expect(await products()).toBe(0)
      simulators.kit.rules.clear()
      ahead = 60_000
      vi.advanceTimersByTime(60_000)
      await expect.poll(products, { timeout: 60_000, interval: 200 }).toBeGreaterThan(30)
    } finally {
      vi.useRealTimers()
      await shop.close()
    }
  },
)

test.skipIf(onServer)('a wrong environment is reported completely, one sentence per mistake', async () => {
  const shop = start({ PORT: 'many', SWEEP_INTERVAL_S: '0', STRIPE_SECRET_KEY: '', PUBLIC_URL: 'shop' })
  shop.ready.catch(() => {})
  const { code, said } = await shop.ended
  expect(code).toBe(1)
  const sentences = said.trim().split('\n')
  for (const name of ['PORT', 'SWEEP_INTERVAL_S', 'STRIPE_SECRET_KEY', 'PUBLIC_URL'])
    expect(sentences.filter((sentence) => sentence.startsWith(`${name} `))).toHaveLength(1)
})

test(
  'the owner synchronizes, accepts and undoes changes, with the shop running and stopped',
  { timeout: 180_000 },
  async () => {
    const { printful } = simulators
    await printful.change({ change: 'rate_limit', perMinute: 10_000 })
    const shop = start()
    const shopper = createShopper(await shop.ready, simulators)
    const hat = await shopper.find('hat')
    await printful.change({ change: 'price', sync_product_id: hat.providerProductId, retail_price: '99.00' })
    const synced = await asOwner('sync')
    expect(synced.code, synced.complained).toBe(0)
    const { sync, waiting } = JSON.parse(synced.said) as { sync: number; waiting: number }
    expect(waiting).toBe(hat.variantCount)
    expect((await shopper.find('hat')).price).toBe(hat.price)

    expect((await asOwner('sync', '--apply', String(sync))).code).toBe(0)
    if (!onServer) expect((await shopper.find('hat')).price).toBe(9900)
    expect(await asOwner('sync', '--apply', String(sync))).toMatchObject({
      code: 1,
      said: '',
      complained: expect.stringMatching(/^Nothing was done: .*\n$/),
    })

    shop.process.kill('SIGTERM')
    expect((await shop.ended).code).toBe(0)
    const reverted = await asOwner('sync', '--revert', String(sync))
    expect(reverted.code, reverted.complained).toBe(0)
    expect(JSON.parse(reverted.said)).toMatchObject({ sync, done: { length: waiting }, left: [] })
  },
)
