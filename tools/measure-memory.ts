import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryMb, withOwnShop, type RunningProcess } from './bench/processes.ts'
import { lineToAdd, meetShop, purchaseOnce } from './bench/purchases.ts'

// Whether the memory of a busy shop stays level: cached and uncached pages, carts of new sessions and purchases at a steady pace,
// over PostgreSQL. Fails when the last quarter of the run needs over a tenth more memory than the second quarter.

const USAGE = 'npm run measure:memory -- [--minutes 60] [--a-second 2]'
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'a-second': { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const MINUTES = Number(values.minutes)
/** Purchases per second; there are more of everything else. */
const A_SECOND = Number(values['a-second'])
const SAMPLE_EVERY_MS = 10_000
const GROWTH_MAX = 1.1

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

process.exitCode = (await withOwnShop(measure)) ? 0 : 1

async function measure({ address, pid }: RunningProcess): Promise<boolean> {
  const shop = await meetShop(address)
  const startedAt = performance.now()
  const minutes = () => (performance.now() - startedAt) / 60_000
  const samples: { at: number; mb: number }[] = []
  const done = { purchases: 0, pages: 0, carts: 0, failed: 0 }
  const count = (what: 'purchases' | 'pages' | 'carts', work: Promise<unknown>) =>
    void work.then(
      () => (done[what] += 1),
      () => (done.failed += 1),
    )
  const read = async (path: string) => (await fetch(address + path, { headers: { accept: 'text/html' } })).arrayBuffer()
  const addNew = () =>
    fetch(`${address}/api/cart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: lineToAdd(shop),
    }).then((answer) => answer.arrayBuffer())

  const sampling = setInterval(() => samples.push({ at: minutes(), mb: memoryMb([pid], 'Rss') }), SAMPLE_EVERY_MS)
  const reporting = setInterval(() => {
    const { mb = 0 } = samples.at(-1) ?? {}
    console.log(`minute ${minutes().toFixed(0).padStart(3)}  ${mb.toFixed(0)} MB, ${done.purchases} purchases`)
  }, 5 * 60_000)
  for (let turn = 0; minutes() < MINUTES; turn += 1) {
    count('purchases', purchaseOnce(shop))
    count('pages', read(['/', '/products', '/collections/rudy', '/about'][turn % 4] ?? '/'))
    count('pages', read(`/product/${1 + (turn % 36)}`))
    // A new search each time: nothing is cached.
    count('pages', read(`/search?q=hat${turn}`))
    count('carts', addNew())
    await wait(1000 / A_SECOND)
  }
  clearInterval(sampling)
  clearInterval(reporting)

  const quarter = (which: number) =>
    samples.filter(({ at }) => Math.floor((at / MINUTES) * 4) === which).map(({ mb }) => mb)
  const quarters = [0, 1, 2, 3].map((which) => median(quarter(which)))
  const [, second = 0, , last = 0] = quarters
  console.log(`${done.purchases} purchases, ${done.pages} pages, ${done.carts} carts, ${done.failed} failed`)
  console.log(`resident memory, median of each quarter: ${quarters.map((mb) => `${mb.toFixed(0)} MB`).join(', ')}`)
  console.log(
    `maximum: ${Math.max(...samples.map(({ mb }) => mb)).toFixed(0)} MB; last quarter / second quarter: ${(last / second).toFixed(2)}`,
  )
  // A run too short for a sample in each quarter proves nothing.
  return done.failed === 0 && quarters.every((mb) => mb > 0) && last <= second * GROWTH_MAX
}
