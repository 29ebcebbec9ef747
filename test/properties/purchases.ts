import { readFileSync } from 'node:fs'
import { cents, centsFromDecimal } from '#shared/money.ts'
import { readAudit } from '#server/db/audit.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { seededRandom } from '#sandbox/kit/random.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import type { openWorld, World } from '#sandbox/world.ts'
import { readCatalog } from './books.ts'
import { check, type Evidence, type Verdict } from './checker.ts'
import { oneOf, runVisits, type Diary, type Pieces } from './shopper.ts'
import { endTrouble, forgeEvent, noteStatuses, webhookTrouble } from './trouble.ts'

export type RunOptions = {
  /** Purchases started; some of them are never paid. */
  count: number
  seed: number
  /** Concurrent shoppers. */
  atOnce: number
  /** Share of the calls to providers that fail, 0 to 1; 0 also leaves the webhooks alone. */
  faults: number
}

export type Run = {
  verdicts: Verdict[]
  figures: { purchases: number; orders: number; secondsShopping: number; secondsSettling: number }
}

const TROUBLE_EVERY_MS = 120
const POLL_MS = 700
const SETTLED_WITHIN_MS = 90_000
const DAY_AND_AN_HOUR_MS = 25 * 3_600_000
/** A sweep releases a limited number of abandoned checkouts; this many sweeps are enough for any run. */
const SWEEPS_MAX = 100

const delay = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

/**
 * Lets many shoppers buy concurrently while providers fail and webhooks are lost, doubled, shuffled and late. Then ends the
 * faults, lets the shop finish, and judges the outcome of every payment.
 */
export async function runPurchases(
  open: () => ReturnType<typeof openWorld>,
  { count, seed, atOnce, faults }: RunOptions,
): Promise<Run> {
  await using world = await open()
  const { simulators, shop } = world
  const random = seededRandom(seed)
  const catalog = readCatalog()
  const forged: string[] = []
  await using watched = watch(world)
  const startedAt = performance.now()

  const trouble = faults > 0 ? makeTrouble(world, { seed, faults }, catalog, forged) : undefined
  let next = 0
  const visits = await runVisits(
    { simulators, shopUrl: world.address },
    { seed, atOnce: Math.min(atOnce, count), starts: async () => (next < count ? (next += 1) : undefined) },
  ).finally(() => trouble?.end())
  const diaries = visits.map(({ diary }) => diary)
  const shopped = performance.now()

  await world.sweep()
  await waitForJobs(world)
  await decideReviews(world, diaries, random)
  const settled = performance.now()
  await shipSome(world, random)
  await waitForJobs(world)
  await world.advance(DAY_AND_AN_HOUR_MS)
  for (let sweeps = 0; sweeps < SWEEPS_MAX; sweeps += 1) {
    await world.sweep()
    const checkouts = await world.audit<{ state: string }>('checkouts')
    if (checkouts.every(({ state }) => state !== 'open')) break
  }
  await waitForJobs(world)

  await watched.look()
  const carts = new Map<number, Pieces>()
  for (const { diary, cart } of visits) carts.set(diary.shopper, await cart())
  const payments = [simulators.stripe, simulators.paypal].flatMap((provider) => provider.ledger().payments ?? [])
  const audit = await readAudit(shop.database.pool)
  return {
    verdicts: check({
      audit,
      witness: readFileSync(simulators.witnessFile, 'utf8'),
      mails: [...watched.mails.values()],
      diaries,
      killedAt: [],
      traces: watched.traces,
      forged,
      catalog,
      aDayLater: {
        carts,
        fees: new Map(payments.map(({ provider, id, fee_cents: fee = 0 }) => [`${provider}:${id}`, fee])),
      },
    }),
    figures: {
      purchases: count,
      orders: audit.audit_orders.length,
      secondsShopping: (shopped - startedAt) / 1000,
      secondsSettling: (settled - shopped) / 1000,
    },
  }
}

/** The wallet provider ends its reviews: two of three payments are released, the others denied. */
async function decideReviews(world: World, diaries: readonly Diary[], random: () => number): Promise<void> {
  for (const diary of diaries)
    for (const order of diary.held) {
      const isReleased = random() < 0.66
      await world.simulators.paypal.change({ change: isReleased ? 'release' : 'deny', order })
      if (!isReleased) recordReturn(diary, order)
    }
  await waitForJobs(world)
}

/** What was not sold in the end is in the cart again. */
function recordReturn({ offers, left }: Diary, paymentId: string): void {
  for (const { variantId, quantity } of offers.findLast((offer) => offer.paymentId === paymentId)?.pieces ?? [])
    left.set(variantId, (left.get(variantId) ?? 0) + quantity)
}

/** The printer ships every third order, with its events doubled and out of order. */
async function shipSome(world: World, random: () => number): Promise<void> {
  const { kit, printful } = world.simulators
  await kit.webhooks.set({ provider: 'printful', duplicate: 2, shuffle: true })
  for (const { external_id: externalId } of printful.ledger().partner_orders ?? [])
    if (random() < 0.3) await printful.change({ change: 'ship', external_id: externalId })
  // The delay before shuffled events are sent runs on the sandbox's own clock.
  await delay(400)
  await kit.idle()
  await kit.webhooks.set({ provider: 'printful', duplicate: 0, shuffle: false })
  for (const { provider, state, event } of kit.webhooks.list())
    if (provider === 'printful' && state === 'dropped') await kit.webhooks.redeliver(event)
}

/** Waits until no job is left, however late its next retry is. */
async function waitForJobs(world: World): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    await world.simulators.kit.idle()
    const { rows } = await world.shop.database.pool.query<{ left: number }>(
      `select count(*)::int as left from audit_jobs where state in ('created', 'retry', 'active')`,
    )
    if (rows[0]?.left === 0 || Date.now() > giveUpAt) return
    await delay(100)
  }
}

/** Failing calls, bad deliveries, changed prices and forged events, as the seed decides, until `end`. */
function makeTrouble(
  world: World,
  { seed, faults }: Pick<RunOptions, 'seed' | 'faults'>,
  catalog: ReturnType<typeof readCatalog>,
  forged: string[],
): { end(): Promise<void> } {
  const { kit } = world.simulators
  const random = seededRandom(seed + 1)
  const over = new AbortController()
  kit.chaos.set({ seed, rate: faults })
  const bad = [
    ...webhookTrouble(world.simulators, random),
    () => changePrice(world, catalog, random),
    () => forgeEvent(world.simulators, world.address, forged, random),
  ]
  const made = (async () => {
    while (!over.signal.aborted) {
      await oneOf(random, bad)()
      await delay(TROUBLE_EVERY_MS)
    }
  })()
  return {
    async end() {
      over.abort()
      await made
      await endTrouble(world.simulators)
    },
  }
}

const variants = seedProducts(demoProducts).flatMap((product) => product.variants)

/** A little above the first price. */
async function changePrice(world: World, catalog: ReturnType<typeof readCatalog>, random: () => number): Promise<void> {
  const { id, retail_price: was } = oneOf(random, variants)
  const price = (centsFromDecimal(was) ?? cents(0)) + Math.floor(random() * 300)
  catalog.get(id)?.prices.add(price)
  await world.shop.database.pool.query('update variant set unit_price_cents = $2 where id = $1', [id, price])
}

/** Records what nothing else stores for long: emails and intermediate statuses. */
function watch(world: World) {
  const mails = new Map<string, Evidence['mails'][number]>()
  const traces = new Map<string, string[]>()
  const over = new AbortController()
  async function look(): Promise<void> {
    for (const { id, to, subject, text } of world.simulators.mailbox.list()) mails.set(id, { to, subject, text })
    await noteStatuses(world.shop.database.pool, traces)
  }
  const looked = (async () => {
    while (!over.signal.aborted) {
      await look()
      await delay(POLL_MS)
    }
  })()
  return {
    look,
    mails,
    traces,
    async [Symbol.asyncDispose]() {
      over.abort()
      await looked
    },
  }
}
