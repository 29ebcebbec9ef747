import { build } from './build.ts'
import { rateOf } from './bench/load.ts'
import { familyOf, processorMs, startProviders, startShop, type RunningProcess } from './bench/processes.ts'
import { lineToAdd, meetShop } from './bench/purchases.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'

// What a second process gives on the cores of this machine: one shop, two behind one port (`node:cluster`), and two on ports of
// their own, as `deploy/` starts them. In turns, over one database. The load comes from this process and needs processor time too.

const ROUNDS = 3
const SECONDS = 3
const PRODUCTS = '/api/products?limit=24'
/** Rendered for every request: the page cache does not store this URL. */
const UNCACHED_PAGE = '/products?variant=1'

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

await build()
const postgres = await startPostgres()
if (!postgres) throw new Error('PostgreSQL is missing and could not be installed.')
const firstPort = await freePort()
const providers = await startProviders(firstPort)
const sandboxPort = Number(new URL(providers.address).port)
const start = (port: number, entry?: string) => startShop(port, sandboxPort, postgres.url, {}, entry)

type Arrangement = { name: string; shops: RunningProcess[] }
const arrangements: Arrangement[] = []
try {
  const one = await start(firstPort)
  arrangements.push({ name: 'one process', shops: [one] })
  arrangements.push({
    name: 'two behind one port',
    shops: [await start(await freePort(), 'tools/bench/two-processes.ts')],
  })
  arrangements.push({
    name: 'two on two ports',
    shops: [await start(await freePort()), await start(await freePort())],
  })

  const line = lineToAdd(await meetShop(one.address))
  const page = await (await fetch(one.address)).text()
  const [file] = /\/assets\/[^"]+\.js/.exec(page) ?? []
  if (file === undefined) throw new Error('The home page has no script.')
  const post = { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body: line }
  const kinds = [
    { kind: 'page from the cache', path: '/products' },
    { kind: 'page, rendered', path: UNCACHED_PAGE },
    { kind: '24 products as JSON', path: PRODUCTS },
    { kind: 'file', path: file },
    { kind: 'first item in a cart', path: '/api/cart', ...post },
  ]
  for (const { kind, path, ...request } of kinds) {
    const found = new Map<string, { rate: number; busy: number }[]>()
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const { name, shops } of arrangements) {
        const pids = shops.flatMap(({ pid }) => familyOf(pid))
        const [usedBefore, startedAt] = [processorMs(pids), performance.now()]
        const rates = await Promise.all(
          shops.map(({ address }) => rateOf({ url: address + path, ...request }, round === 0 ? 1 : SECONDS)),
        )
        const busy = (processorMs(pids) - usedBefore) / (performance.now() - startedAt)
        // The first round warms up.
        if (round > 0)
          found.set(name, [...(found.get(name) ?? []), { rate: rates.reduce((sum, rate) => sum + rate, 0), busy }])
      }
    for (const [name, rounds] of found) {
      const rate = median(rounds.map((one) => one.rate))
      const busy = median(rounds.map((one) => one.busy))
      console.log(`${kind.padEnd(24)}${name.padEnd(24)}${Math.round(rate)} a second, ${busy.toFixed(2)} cores`)
    }
  }
} finally {
  for (const { shops } of arrangements) await Promise.all(shops.map((shop) => shop.stop()))
  await providers.stop()
  await postgres.stop()
}
