import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createShopper } from '#sandbox/world.ts'
import { readAudit, type Audit } from '#server/db/audit.ts'
import { readBooks, readCatalog } from '../test/properties/books.ts'
import { check, stragglersIn, type Verdict } from '../test/properties/checker.ts'
import { runVisits, type Diary } from '../test/properties/shopper.ts'
import { noteStatuses } from '../test/properties/trouble.ts'
import { seededRandom, shuffleArray } from '#sandbox/kit/random.ts'
import { build } from './build.ts'
import { installPrograms, startCluster, type Cluster } from './cluster/cluster.ts'
import { clusterFaults, type ClusterFault } from './cluster/faults.ts'

// What deploy/cluster describes, run on hosts of this machine's own (network namespaces): people buy through Caddy while primary, replicas,
// networks and everything in between fail. The checker of the fault laboratory judges what is left. Exits 1 when anything broke.

const USAGE = `npm run prove:cluster -- [--purchases 500] [--faults 20] [--seed N] [--only WORDS] [--json FILE]
  --purchases  how many are started
  --faults     at least this many happen, each kind at least once
  --only       faults whose names contain these words
Needs root on Linux; missing programs come from Debian's packages.`

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '500' },
    faults: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [purchases, faultsMin, seed] = [Number(values.purchases), Number(values.faults), Number(values.seed)]
if (values.help || [purchases, faultsMin, seed].some(Number.isNaN)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

/** Longer than a dead primary's lease and the election after it. */
const SELLING_AGAIN_MAX_MS = 30_000
const SETTLED_WITHIN_MS = 120_000
const AT_ONCE = 8
const PROBE_EVERY_MS = 250
const POLL_MS = 1500

type Probe = { sentAt: number; answeredAt: number; isSold: boolean; problem?: string }
type TriedFault = { name: string; at: number; longestGapMs: number }

const missing = process.getuid?.() === 0 ? installPrograms() : ['root']
if (missing.length > 0) {
  console.error(`The cluster needs ${missing.join(', ')}.`)
  process.exit(1)
}
await build()
const startedAt = performance.now()
const cluster = await startCluster()
console.log(`The cluster is up after ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${cluster.shopUrl}`)
try {
  const hasPassed = await prove(cluster)
  if (!hasPassed && process.env['LAB_KEEP'] !== undefined) console.log(cluster.situation())
  process.exitCode = hasPassed ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.stack : error)
  console.error(cluster.situation())
  process.exitCode = 1
} finally {
  await cluster.close()
}
process.exit()

async function prove(lab: Cluster): Promise<boolean> {
  const faults = planFaults()
  const killedAt: Date[] = []
  const tried: TriedFault[] = []
  let isOutage = false
  const over = new AbortController()

  const probes: Probe[] = []
  const probing = probe(lab, await cartLine(lab), probes, over.signal)
  const traces = new Map<string, string[]>()
  const together: string[] = []
  const watching = (async () => {
    while (!over.signal.aborted) {
      await noteStatuses(lab.pool, traces).catch(() => {})
      const primaries = await lab.primaries()
      if (primaries.length > 1) together.push(primaries.map(({ name }) => name).join(' and '))
      await wait(POLL_MS)
    }
  })()
  let next = 0
  let faultsDone = 0
  const shopping = runVisits(
    { simulators: lab.simulators, shopUrl: lab.shopUrl, isExcused: () => isOutage, mayRefuse: true },
    {
      seed,
      atOnce: AT_ONCE,
      // Purchases are spread over the faults; the last ones begin after the last fault.
      starts: async () => {
        if (next >= purchases) return undefined
        const shopper = (next += 1)
        while (faultsDone < Math.floor((shopper / purchases) * faults.length)) await wait(100)
        return shopper
      },
    },
  )
  for (const fault of faults) {
    const at = performance.now()
    isOutage = true
    const noting = fault.mayRepeatMails && setInterval(() => killedAt.push(new Date()), 1000)
    if (fault.mayRepeatMails) killedAt.push(new Date())
    console.log(`  ${fault.name} …`)
    await fault.happens(lab, lab.folder)
    await lab.whenWhole()
    clearInterval(noting)
    isOutage = false
    const longestGapMs = longestGap(probes, at)
    tried.push({ name: fault.name, at, longestGapMs })
    console.log(
      `    whole again after ${seconds(performance.now() - at)}; nobody could buy for ${seconds(longestGapMs)}`,
    )
    faultsDone += 1
  }
  const visits = await shopping
  const { audit, left, settledMs } = await settle(lab)
  over.abort()
  await Promise.all([probing, watching])

  const verdicts = check({
    audit,
    witness: readFileSync(lab.simulators.witnessFile, 'utf8'),
    mails: lab.simulators.mailbox.list(),
    diaries: visits.map(({ diary }) => diary),
    killedAt,
    traces,
    forged: [],
    catalog: readCatalog(),
  })
  return judge({
    tried,
    verdicts,
    diaries: visits.map(({ diary }) => diary),
    probes,
    audit,
    left,
    settledMs,
    together,
    lab,
  })
}

/** Every kind once in an order drawn from the seed, then again until there are enough. The release is new only once. */
function planFaults(): ClusterFault[] {
  const random = seededRandom(seed)
  const kinds = clusterFaults.filter(({ name }) => name.includes(values.only))
  const repeatable = kinds.filter(({ name }) => !name.startsWith('a release'))
  const plan = shuffleArray([...kinds], random)
  while (plan.length < faultsMin && repeatable.length > 0) plan.push(...shuffleArray([...repeatable], random))
  return plan.slice(0, Math.max(faultsMin, kinds.length))
}

async function cartLine({ shopUrl, simulators }: Cluster): Promise<object> {
  const visitor = createShopper(shopUrl, simulators)
  const hat = await visitor.find('hat')
  return { productId: String(hat.id), variantId: await visitor.firstVariant(hat), quantity: 1 }
}

/** Keeps a visitor buying: what one is told while parts are down, and for how long nobody can put anything into a cart. */
async function probe(lab: Cluster, line: object, probes: Probe[], ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const sentAt = performance.now()
    const answer = await fetch(`${lab.shopUrl}/api/cart`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(line),
      signal: AbortSignal.timeout(SELLING_AGAIN_MAX_MS),
    }).catch((error: unknown) => error as Error)
    const answeredAt = performance.now()
    const problem = answer instanceof Error ? undefined : await dishonestyOf(answer)
    probes.push({
      sentAt,
      answeredAt,
      isSold: !(answer instanceof Error) && answer.status === 200,
      ...(problem && { problem }),
    })
    await wait(PROBE_EVERY_MS)
  }
}

/** @returns what is wrong with an answer that a visitor gets during an outage */
async function dishonestyOf(answer: Response): Promise<string | undefined> {
  const text = await answer.text()
  if (answer.status === 200) return undefined
  if (answer.status !== 503) return `${answer.status} ${text.slice(0, 200)}`
  if (answer.headers.get('retry-after') === null) return `503 without Retry-After: ${text.slice(0, 200)}`
  return /try again|retry/i.test(text) ? undefined : `503 without a sentence: ${text.slice(0, 200)}`
}

/** @returns the longest time without a sale since `from`, in milliseconds */
function longestGap(probes: readonly Probe[], from: number): number {
  const sales = probes
    .filter(({ answeredAt, isSold }) => isSold && answeredAt >= from)
    .map(({ answeredAt }) => answeredAt)
  const moments = [from, ...sales, performance.now()]
  return Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? from)))
}

async function settle(lab: Cluster): Promise<{ audit: Audit; left: string[]; settledMs: number }> {
  const from = performance.now()
  for (;;) {
    await lab.simulators.kit.idle()
    const audit = await readAudit(lab.pool)
    const left = stragglersIn({ audit }, readBooks(readFileSync(lab.simulators.witnessFile, 'utf8')))
    const settledMs = performance.now() - from
    if (left.length === 0 || settledMs > SETTLED_WITHIN_MS) return { audit, left, settledMs }
    await wait(500)
  }
}

/** @returns the number of instances that Prometheus can read */
async function instancesSeen({ prometheusUrl }: Cluster): Promise<number> {
  const answer = await fetch(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent('sum(up{job="shop"})')}`)
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
  return Number(data.result[0]?.value[1] ?? 0)
}

async function judge({
  tried,
  verdicts,
  diaries,
  probes,
  audit,
  left,
  settledMs,
  together,
  lab,
}: {
  tried: readonly TriedFault[]
  verdicts: readonly Verdict[]
  diaries: readonly Diary[]
  probes: readonly Probe[]
  audit: Audit
  left: readonly string[]
  settledMs: number
  /** Hosts that were primaries at the same time. */
  together: readonly string[]
  lab: Cluster
}): Promise<boolean> {
  console.log(
    `\n${diaries.length} purchases, ${audit.audit_orders.length} orders, ${tried.length} faults; settled ${seconds(settledMs)} after the last purchase (seed ${seed})`,
  )
  for (const { id, title, checked, violations } of verdicts) {
    console.log(
      `  ${violations.length ? '✗' : '✓'} ${id.padEnd(9)}${String(checked).padStart(6)} checked ${String(violations.length).padStart(4)} broken  ${title}`,
    )
    for (const violation of violations.slice(0, 8)) console.log(`        ${violation}`)
  }
  const longest = Math.max(0, ...tried.map(({ longestGapMs }) => longestGapMs))
  const slowestAnswer = Math.max(0, ...probes.map(({ sentAt, answeredAt }) => answeredAt - sentAt))
  const seen = await instancesSeen(lab)
  const misses = [
    ...left.map((what) => `left to do: ${what}`),
    ...[...new Set(together)].map((hosts) => `two primaries: ${hosts}`),
    ...probes.flatMap(({ problem }) => problem ?? []).slice(0, 5),
    ...(longest > SELLING_AGAIN_MAX_MS ? [`nobody could buy for ${seconds(longest)}`] : []),
    ...(seen === 3 ? [] : [`Prometheus reads ${seen} instances`]),
  ]
  for (const miss of misses) console.log(`  ✗ ${miss}`)
  console.log(
    `  longest time without a sale ${seconds(longest)}, longest wait for an answer ${seconds(slowestAnswer)}, ${probes.length} probes`,
  )
  const hasPassed = misses.length === 0 && verdicts.every(({ violations }) => violations.length === 0)
  if (values.json)
    writeFileSync(
      values.json,
      JSON.stringify({
        hasPassed,
        seed,
        tried,
        misses,
        verdicts,
        longestGapMs: longest,
        slowestAnswerMs: slowestAnswer,
      }),
    )
  console.log(hasPassed ? 'Nothing was lost, doubled or wrong.' : 'Something broke.')
  return hasPassed
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
