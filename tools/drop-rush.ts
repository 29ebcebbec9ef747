import { setTimeout as wait } from 'node:timers/promises'
import { availableParallelism } from 'node:os'
import type { DropInput } from '#contract/admin-drops.ts'
import type { RoomView } from '#contract/drops.ts'
import { createShopper, type Answer } from '#sandbox/world.ts'
import { dropOf, readDrop, scheduleDrop, somebody, violationsOf } from '../test/properties/drops.ts'
import { build } from './build.ts'
import { startProviders, startShop, type RunningProcess } from './bench/processes.ts'
import { meetShop, untilSettled } from './bench/purchases.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'
import { startProxyThread, startVisitor } from './rush-threads.ts'
import pg from 'pg'
import { seededRandom } from '#sandbox/kit/random.ts'
import { DAY_MS } from '#shared/time.ts'

// A crowd at the door of a drop, against real processes of the shop on one PostgreSQL server, which may be killed meanwhile.

export type Rush = {
  shoppers: number
  /** Over which they arrive. Half of it is before the start. */
  seconds: number
  pieces: number
  /** How many the waiting room lets in. */
  perMinute: number
  instances: number
  /** Processes killed at random moments. */
  kills: number
  /** The rest of the shop may take this many times its quiet time. */
  slowdownMax: number
}

type Findings = {
  sold: number
  told: number
  seconds: number
  load: Load
  /** Of the rest of the shop, in milliseconds, in the same run. */
  quietMs: Summary
  rushMs: Summary
  /** How many times the quiet time. */
  slowdown: Summary
  /** The longest time that somebody in line had no answer, in seconds. */
  longestSilenceS: number
  /** The statuses that came instead of an answer meanwhile; 0 for nothing. */
  silence: readonly number[]
  kills: number
  cores: number
  wrong: string[]
}

type Summary = { median: number; p95: number }

/** Requests to waiting rooms, each second. */
type Load = {
  /** Answers when as many ask as the machine can serve. */
  capacityPerS: number
  offeredPerS: number
  answeredPerS: number
  busiestPerS: number
  /** What was offered, in times of the capacity; in the busiest second. */
  ratio: number
  busiestRatio: number
}

/** Nobody waits longer without being told where they are. */
const SILENCE_MAX_S = 60
const QUIET_MS = 20_000
const TELL_EVERY_MS = 10_000
const SATURATED_MS = 10_000
const SATURATED_BY = 64
/** A place in line is asked for so often after it was given. */
const ASKS = 3
const RETRY_MS = 1000
/** After which the page asks again when the shop is busy. */
const BUSY_MS = 10_000
const TRIES = 30
/** Jobs that the printer's sixty orders a minute keep busy, and one that comes again by itself: waiting for them is no trouble. */
const NOT_AWAITED = ['submit-order', 'submit-waiting', 'watch-books']

type Lab = {
  /** Of the proxy before all instances. */
  address: string
  shopper: () => ReturnType<typeof createShopper>
  /** Ends an instance at once, and starts it again. */
  kill(index: number): Promise<void>
}

export async function rushForDrop(rush: Rush): Promise<Findings> {
  await build()
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is missing and could not be installed.')
  const port = await freePort()
  const providers = await startProviders(port)
  const shops: RunningProcess[] = []
  const start = async (at: number) =>
    startShop(at, Number(new URL(providers.address).port), postgres.url, {
      ...{ TRUSTED_PROXIES: '127.0.0.1', SWEEP_INTERVAL_S: '15' },
    })
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  try {
    // The first one sets up the database.
    for (let index = 0; index < rush.instances; index += 1) shops.push(await start(await freePort()))
    const proxy = await startProxyThread(
      shops.map(({ address }) => address),
      port,
    )
    try {
      const { stripe } = await meetShop(proxy.address)
      const surroundings = {
        stripe: { url: stripe.apiBase },
        settings: { STRIPE_PUBLISHABLE_KEY: stripe.publishableKey },
      }
      const kill = async (index: number) => {
        const shop = shops[index]
        if (!shop) return
        process.kill(shop.pid, 'SIGKILL')
        // It has ended, so that its port is free.
        await shop.stop()
        shops[index] = await start(Number(new URL(shop.address).port))
      }
      return await run(rush, pool, {
        ...{ address: proxy.address, kill, shopper: () => createShopper(proxy.address, surroundings) },
      })
    } finally {
      await proxy.close()
    }
  } finally {
    await pool.end()
    for (const shop of shops) await shop.stop()
    await providers.stop()
    await postgres.stop()
  }
}

async function run(rush: Rush, pool: pg.Pool, lab: Lab): Promise<Findings> {
  const owner = lab.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const product = await owner.find('vented hat')
  const quietVisitor = startVisitor(lab.address)
  await wait(QUIET_MS)
  const quiet = await quietVisitor.leave()
  const capacityPerS = await measureCapacity(lab, owner)
  const startsAt = new Date(Date.now() + (rush.seconds * 1000) / 2).toISOString()
  const { pieces, perMinute } = rush
  const id = await scheduleDrop(
    owner,
    dropOf({ productId: product.id as DropInput['productId'], pieces, startsAt, roomPerMinute: perMinute }),
  )
  const from = Date.now()
  const over = new AbortController()
  const visitor = startVisitor(lab.address)
  const killing = killAtRandom(lab, rush, over.signal)
  /** Requests to the waiting room by the second they were sent in. */
  const sent = new Map<number, number>()
  const note = () => {
    const second = Math.floor((Date.now() - from) / 1000)
    sent.set(second, (sent.get(second) ?? 0) + 1)
  }
  const gone = { bought: 0, told: 0, lost: 0 }
  const telling = setInterval(() => {
    const seconds = Math.round((Date.now() - from) / 1000)
    console.log(`${seconds} s: ${gone.bought} bought, ${gone.told} told, ${gone.lost} lost of ${rush.shoppers}`)
  }, TELL_EVERY_MS)
  const people = await Promise.all(
    Array.from({ length: rush.shoppers }, async (_, index) => {
      const person = await visit(lab, rush, { drop: id, index, note })
      gone[person.outcome] += 1
      return person
    }),
  )
  clearInterval(telling)
  over.abort()
  const [busy, kills] = await Promise.all([visitor.leave(), killing])
  const seconds = (Date.now() - from) / 1000
  const wrong = people.flatMap((person) => person.wrong)
  await untilSettled(pool, NOT_AWAITED).catch((error: unknown) => wrong.push(String(error)))

  const { counts } = await readDrop(owner, id)
  const told = people.filter(({ outcome }) => outcome === 'told').length
  const bought = people.filter(({ outcome }) => outcome === 'bought').length
  const expected = Math.min(rush.shoppers, pieces)
  if (counts.sold !== expected) wrong.push(`${counts.sold} pieces are sold instead of ${expected}`)
  if (bought !== counts.sold) wrong.push(`${bought} people know that they bought, and ${counts.sold} pieces are sold`)
  if (bought + told !== rush.shoppers)
    wrong.push(`${rush.shoppers - bought - told} people were neither served nor told`)
  const longestWaiting = people.reduce((most, person) => (person.silenceS > most.silenceS ? person : most))
  const longestSilenceS = longestWaiting.silenceS
  if (longestSilenceS > SILENCE_MAX_S) wrong.push(`somebody in line had no answer for ${Math.round(longestSilenceS)} s`)
  const [quietMs, rushMs] = [summaryOf(quiet), summaryOf(busy)]
  const slowdown = {
    median: timesOf(rushMs.median, quietMs.median),
    p95: timesOf(rushMs.p95, quietMs.p95),
  }
  const perSecond = (requests: number) => Math.round(requests / seconds)
  const offeredPerS = perSecond([...sent.values()].reduce((sum, requests) => sum + requests, 0))
  const busiestPerS = Math.max(...sent.values())
  const load = {
    ...{ capacityPerS, offeredPerS, busiestPerS },
    answeredPerS: perSecond(people.reduce((sum, person) => sum + person.answers, 0)),
    ...{ ratio: timesOf(offeredPerS, capacityPerS), busiestRatio: timesOf(busiestPerS, capacityPerS) },
  }
  if (rushMs.median > quietMs.median * rush.slowdownMax)
    wrong.push(`the rest of the shop took ${rushMs.median} ms instead of ${quietMs.median} ms`)
  const audit = async <Row>(view: string) => (await pool.query(`select * from audit_${view} order by 1`)).rows as Row[]
  wrong.push(...(await violationsOf({ audit }, id)))
  return {
    ...{ sold: counts.sold, told, seconds: Math.round(seconds), load, quietMs, rushMs, slowdown, wrong, kills },
    ...{ longestSilenceS: Math.round(longestSilenceS), silence: longestWaiting.silence, cores: availableParallelism() },
  }
}

/**
 * What the machine, with this program on it, answers of a waiting room at most: as many ask at once as keep it busy. They wait for another
 * drop, which never begins.
 * @returns answers a second
 */
async function measureCapacity(lab: Lab, owner: ReturnType<Lab['shopper']>): Promise<number> {
  const mug = await owner.find('mug')
  const startsAt = new Date(Date.now() + DAY_MS).toISOString()
  const drop = await scheduleDrop(
    owner,
    dropOf({ title: 'A mug', productId: mug.id as DropInput['productId'], startsAt, roomPerMinute: 60 }),
  )
  const from = Date.now()
  let [answers, people] = [0, 0]
  const crowd = async () => {
    while (Date.now() - from < SATURATED_MS) {
      people += 1
      const shopper = lab.shopper()
      const headers = { 'x-forwarded-for': `11.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}` }
      for (let asked = 0; asked <= ASKS && Date.now() - from < SATURATED_MS; asked += 1) {
        const method = asked === 0 ? 'POST' : 'GET'
        const answer = await shopper.send(method, `/api/drops/${drop}/room`, undefined, headers).catch(() => undefined)
        if (answer?.status === 200) answers += 1
      }
    }
  }
  await Promise.all(Array.from({ length: SATURATED_BY }, crowd))
  const seconds = (Date.now() - from) / 1000
  await owner.send('POST', `/api/admin/drops/${drop}/end`)
  return Math.round(answers / seconds)
}

/** `silence`: the statuses of what was answered instead in the longest silence; 0 for nothing. */
type Visit = {
  outcome: 'bought' | 'told' | 'lost'
  answers: number
  silenceS: number
  silence: readonly number[]
  wrong: string[]
}

/** Somebody arrives, waits in line as the page does, and buys when it is their turn. */
async function visit(
  lab: Lab,
  { shoppers, seconds }: Rush,
  { drop, index, note }: { drop: number; index: number; note: () => void },
): Promise<Visit> {
  await wait((index / shoppers) * seconds * 1000)
  const shopper = lab.shopper()
  const headers = { 'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }
  const visited: Visit = { outcome: 'lost', answers: 0, silenceS: 0, silence: [], wrong: [] }
  let refusals: number[] = []
  let heardAt = Date.now()
  let isIn = false
  for (;;) {
    note()
    const answer: Answer<RoomView> | undefined = await shopper
      .send<RoomView>(isIn ? 'GET' : 'POST', `/api/drops/${drop}/room`, undefined, headers)
      .catch(() => undefined)
    const silenceS = (Date.now() - heardAt) / 1000
    if (answer?.status !== 200) refusals.push(answer?.status ?? 0)
    if (silenceS > visited.silenceS) Object.assign(visited, { silenceS, silence: [...refusals] })
    if (answer?.status !== 200) {
      if (visited.silenceS > 2 * SILENCE_MAX_S) return visited
      await wait(BUSY_MS)
      continue
    }
    heardAt = Date.now()
    refusals = []
    visited.answers += 1
    const view: RoomView = answer.body
    const { kind, askAgainS } = view
    isIn = kind !== 'missed' && kind !== 'outside'
    if (kind === 'sold_out' || kind === 'over') return { ...visited, outcome: 'told' }
    if (kind === 'in') {
      const outcome = await buy(lab, shopper)
      if (outcome === 'bought' || outcome === 'told') return { ...visited, outcome }
      visited.wrong.push(outcome)
      return visited
    }
    const before = Date.now()
    // As the page's script does.
    await wait(askAgainS * 1000 * (0.85 + Math.random() * 0.3))
    heardAt += Date.now() - before
  }
}

/** @returns a sentence where it was neither bought nor told */
async function buy(lab: Lab, shopper: ReturnType<typeof createShopper>): Promise<string> {
  const one = somebody({ shopper: () => shopper })
  let isInCart = false
  let last = ''
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      // An answer that was lost may have added it.
      if (!isInCart && (await shopper.cart()).length === 0) await shopper.adds('vented hat')
      isInCart = true
      const started = await shopper.startsPayment(one.home)
      const { code } = started.body as { code?: string }
      if (code === 'drop_taken') return 'told'
      if (started.status === 200) {
        await one.paysByCard(started)
        for (let asked = 0; asked < TRIES; asked += 1) {
          const result = await shopper.returnsToShop(started.body.payment_intent).catch(() => undefined)
          if (result?.body.orderId) return 'bought'
          await wait(RETRY_MS)
        }
        return `${started.body.payment_intent} was paid, and nobody was told`
      }
      last = `${started.status} ${JSON.stringify(started.body)}`
    } catch (error) {
      last = String(error)
    }
    await wait(RETRY_MS)
  }
  return `somebody who was let in could not pay: ${last}`
}

/** @returns how many were killed */
async function killAtRandom(lab: Lab, { kills, seconds, instances }: Rush, ended: AbortSignal): Promise<number> {
  const random = seededRandom(7)
  let killed = 0
  for (; killed < kills && !ended.aborted; killed += 1) {
    await wait((seconds * 1000 * (0.5 + random())) / Math.max(1, kills), undefined, { signal: ended }).catch(() => {})
    if (ended.aborted) break
    await lab.kill(Math.floor(random() * instances))
  }
  return killed
}

/** @returns with two decimals */
const timesOf = (much: number, little: number): number => Math.round((100 * much) / Math.max(little, 0.1)) / 100

/** @returns milliseconds with one decimal */
function summaryOf(times: readonly number[]): Summary {
  const inOrder = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(10 * (inOrder[Math.floor((inOrder.length - 1) * share)] ?? 0)) / 10
  return { median: at(0.5), p95: at(0.95) }
}
