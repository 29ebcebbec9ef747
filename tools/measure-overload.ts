import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { memoryMb, withOwnShop, type RunningProcess } from './bench/processes.ts'
import { meetShop, purchaseOnce } from './bench/purchases.ts'

// Far more readers than the shop can serve, while some people pay: how many are served, how fast the rest are rejected, whether
// payments succeed, and how soon the shop recovers. One shop process over PostgreSQL.

const USAGE = 'npm run measure:overload -- [--seconds 60] [--times 5]'
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    times: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const SECONDS = Number(values.seconds)
const TIMES = Number(values.times)

const PEAK_SECONDS = 10
/** As many as keep the shop busy without a queue. */
const READERS_AT_PEAK = 16
/** In addition to the readers, in all phases, so both figures include the cost of purchases. */
const PURCHASES_A_SECOND = 2
/** A shopper who waits longer has left: a later answer does not count. */
const GOOD_WITHIN_MS = 2000
const TICK_MS = 10
const GOODPUT_MIN = 0.8
const RECOVERED_WITHIN_S = 10

type Answer = { status: number; ms: number }

const agent = new Agent({ keepAlive: true, maxSockets: 3000, maxFreeSockets: 3000 })
let requestCount = 0

/** Requests a page that is never cached. */
function read(address: string): Promise<Answer> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const sent = request(
      `${address}/search?q=hat&variant=${(requestCount += 1)}`,
      { agent, headers: { accept: 'text/html' } },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }))
        answer.once('error', () => resolve({ status: 0, ms: performance.now() - startedAt }))
      },
    )
    sent.once('error', () => resolve({ status: 0, ms: performance.now() - startedAt }))
    sent.end()
  })
}

const isGood = ({ status, ms }: Answer) => status === 200 && ms <= GOOD_WITHIN_MS

/** `READERS_AT_PEAK` readers send one request after the other. @returns good answers per second */
async function peakOf(address: string): Promise<number> {
  const until = performance.now() + PEAK_SECONDS * 1000
  let good = 0
  await Promise.all(
    Array.from({ length: READERS_AT_PEAK }, async () => {
      while (performance.now() < until) if (isGood(await read(address))) good += 1
    }),
  )
  return good / PEAK_SECONDS
}

/** Sends requests at a fixed rate, without waiting for answers. */
async function crowd(address: string, perSecond: number): Promise<Answer[]> {
  const startedAt = performance.now()
  const answers: Promise<Answer>[] = []
  while (performance.now() - startedAt < SECONDS * 1000) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (answers.length < due) answers.push(read(address))
    await new Promise((later) => setTimeout(later, TICK_MS))
  }
  return Promise.all(answers)
}

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
const row = (what: string, value: string) => console.log(`${what.padEnd(58)}${value}`)

/** Starts purchases at a steady pace until stopped. */
function payers(shop: Parameters<typeof purchaseOnce>[0]) {
  const times: number[] = []
  let refused = 0
  const all: Promise<void>[] = []
  const pace = setInterval(() => {
    const startedAt = performance.now()
    const bought = purchaseOnce(shop)
    all.push(
      bought.then(
        () => void times.push(performance.now() - startedAt),
        () => void (refused += 1),
      ),
    )
  }, 1000 / PURCHASES_A_SECOND)
  return {
    async stop() {
      clearInterval(pace)
      await Promise.all(all)
      return { bought: times.length, refused, times }
    },
  }
}

async function measure({ address, pid }: RunningProcess): Promise<boolean> {
  const shop = await meetShop(address)
  for (let warm = 0; warm < 100; warm += 1) await read(address)
  const before = payers(shop)
  const peak = await peakOf(address)
  await before.stop()
  const calm: number[] = []
  for (let sample = 0; sample < 50; sample += 1) calm.push((await read(address)).ms)
  const memoryBefore = memoryMb([pid], 'Rss')

  const paying = payers(shop)
  let memoryMost = 0
  const sampling = setInterval(() => (memoryMost = Math.max(memoryMost, memoryMb([pid], 'Rss'))), 1000)
  const answers = await crowd(address, peak * TIMES)
  clearInterval(sampling)
  const ended = performance.now()
  const { bought, refused, times } = await paying.stop()

  let recoveredS: number | undefined
  while (recoveredS === undefined && performance.now() - ended < 60_000) {
    const after: number[] = []
    for (let sample = 0; sample < 20; sample += 1) after.push((await read(address)).ms)
    if (percentile(after, 0.5) < 2 * percentile(calm, 0.5)) recoveredS = (performance.now() - ended) / 1000
  }

  const good = answers.filter(isGood)
  const rejected = answers.filter(({ status }) => status === 503)
  const share = good.length / SECONDS / peak
  row(
    `peak pages per second, ${READERS_AT_PEAK} readers`,
    `${peak.toFixed(0)}, ${percentile(calm, 0.5).toFixed(1)} ms each`,
  )
  row(
    `requested, ${TIMES} times that for ${SECONDS} s`,
    `${answers.length} pages, plus ${PURCHASES_A_SECOND} purchases per second`,
  )
  row('good pages per second', `${(good.length / SECONDS).toFixed(0)}, ${(share * 100).toFixed(0)} % of the peak`)
  row(
    'their response time',
    `p50 ${percentile(
      good.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} ms, p99 ${percentile(
      good.map(({ ms }) => ms),
      0.99,
    ).toFixed(0)} ms`,
  )
  row(
    'rejected with 503',
    `${rejected.length}, p50 ${percentile(
      rejected.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} ms, p99 ${percentile(
      rejected.map(({ ms }) => ms),
      0.99,
    ).toFixed(0)} ms`,
  )
  row('other answers', `${answers.filter(({ status }) => status !== 200 && status !== 503).length}`)
  row(
    'purchases during the overload',
    `${bought}, ${refused} refused, p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
  )
  row('memory before, maximum', `${memoryBefore.toFixed(0)} MB, ${memoryMost.toFixed(0)} MB`)
  row('recovered after', recoveredS === undefined ? 'more than a minute' : `${recoveredS.toFixed(1)} s`)
  return share >= GOODPUT_MIN && refused === 0 && (recoveredS ?? Infinity) <= RECOVERED_WITHIN_S
}

try {
  process.exitCode = (await withOwnShop(measure)) ? 0 : 1
} finally {
  agent.destroy()
}
