import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryMb, withOwnShop, type RunningProcess } from './bench/processes.ts'
import { lineToAdd, meetShop, purchaseOnce } from './bench/purchases.ts'

// Whether a shop that is busy for long keeps to its memory: readers of kept and of new pages, carts of new sessions, purchases, at a
// steady pace, over PostgreSQL. Fails when the last quarter of the time needs more than the second one, by more than a tenth.

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
/** Purchases; of everything else there is more. */
const A_SECOND = Number(values['a-second'])
const SAMPLE_EVERY_MS = 10_000
const GROWTH_MAX = 1.1

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

process.exitCode = (await withOwnShop(measure)) ? 0 : 1

async function measure({ address, pid }: RunningProcess): Promise<boolean> {
  const shop = await meetShop(address)
  const begun = performance.now()
  const minutes = () => (performance.now() - begun) / 60_000
  const looks: { at: number; mb: number }[] = []
  const done = { purchases: 0, pages: 0, carts: 0, failed: 0 }
  const counted = (what: 'purchases' | 'pages' | 'carts', work: Promise<unknown>) =>
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

  const watching = setInterval(() => looks.push({ at: minutes(), mb: memoryMb([pid], 'Rss') }), SAMPLE_EVERY_MS)
  const telling = setInterval(() => {
    const { mb = 0 } = looks.at(-1) ?? {}
    console.log(`minute ${minutes().toFixed(0).padStart(3)}  ${mb.toFixed(0)} MB, ${done.purchases} purchases`)
  }, 5 * 60_000)
  for (let turn = 0; minutes() < MINUTES; turn += 1) {
    counted('purchases', purchaseOnce(shop, `keeper-${process.pid}-${turn}`))
    counted('pages', read(['/', '/products', '/collections/rudy', '/about'][turn % 4] ?? '/'))
    counted('pages', read(`/product/${1 + (turn % 36)}`))
    // A word that nobody asked for before: nothing of it is kept.
    counted('pages', read(`/search?q=hat${turn}`))
    counted('carts', addNew())
    await wait(1000 / A_SECOND)
  }
  clearInterval(watching)
  clearInterval(telling)

  const quarter = (which: number) =>
    looks.filter(({ at }) => Math.floor((at / MINUTES) * 4) === which).map(({ mb }) => mb)
  const quarters = [0, 1, 2, 3].map((which) => median(quarter(which)))
  const [, second = 0, , last = 0] = quarters
  console.log(`${done.purchases} purchases, ${done.pages} pages, ${done.carts} carts, ${done.failed} failed`)
  console.log(`resident memory, median of each quarter: ${quarters.map((mb) => `${mb.toFixed(0)} MB`).join(', ')}`)
  console.log(
    `most: ${Math.max(...looks.map(({ mb }) => mb)).toFixed(0)} MB; last against second: ${(last / second).toFixed(2)}`,
  )
  // Too short a time has a quarter in which nobody looked, and proves nothing.
  return done.failed === 0 && quarters.every((mb) => mb > 0) && last <= second * GROWTH_MAX
}
