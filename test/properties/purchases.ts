import { readFileSync } from 'node:fs'
import { cents, centsFromDecimal, type Cents } from '#shared/money.ts'
import { readAudit } from '#server/db/audit.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { seededRandom } from '#sandbox/kit/random.ts'
import type { LoggedCall, ProviderLedger } from '#sandbox/kit/types.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import type { openWorld, World } from '#sandbox/world.ts'
import { judgeRun, type Evidence, type PostalAddress, type Verdict, type WireRecord } from './judge.ts'
import { oneOf, visitShop, type Pieces, type Visit } from './shoppers.ts'

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
  evidence: Evidence
  figures: { purchases: number; orders: number; secondsShopping: number; secondsSettling: number }
}

/** The printer's rate limit has its own test, so it is practically off here. */
const PRINTER_CALLS_PER_MINUTE = 1_000_000
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
  const { printful } = world.simulators
  const random = seededRandom(seed)
  await printful.change({ change: 'rate_limit', perMinute: PRINTER_CALLS_PER_MINUTE })
  await using observed = observe(world)
  const startedAt = performance.now()

  const trouble = faults > 0 ? makeTrouble(world, { seed, faults }, observed) : undefined
  const visits: VisitResult[] = []
  let next = 0
  const shopOn = async () => {
    while (next < count) {
      next += 1
      const shopper = next
      visits.push(await visitShop(world.address, world.simulators, shopper, seededRandom(seed * 100_003 + shopper)))
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, count) }, shopOn))
  await trouble?.end()
  // All shoppers finish before one failure closes the shop.
  for (const result of ended) if (result.status === 'rejected') throw result.reason
  const shopped = performance.now()

  await world.sweep()
  await waitForJobs(world)
  await decideReviews(world, visits, random)
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

  const evidence = await observed.evidence(visits)
  return {
    verdicts: judgeRun(evidence),
    evidence,
    figures: {
      purchases: count,
      orders: evidence.audit.audit_orders.length,
      secondsShopping: (shopped - startedAt) / 1000,
      secondsSettling: (settled - shopped) / 1000,
    },
  }
}

/** The wallet provider ends its reviews: two of three payments are released, the others denied. */
async function decideReviews(world: World, visits: readonly VisitResult[], random: () => number): Promise<void> {
  for (const { visit } of visits)
    for (const order of visit.held) {
      const isReleased = random() < 0.66
      await world.simulators.paypal.change({ change: isReleased ? 'release' : 'deny', order })
      if (!isReleased) recordReturn(visit, order)
    }
  await waitForJobs(world)
}

/** What was not sold in the end is in the cart again. */
function recordReturn({ offers, left }: Visit, paymentId: string): void {
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
  { changePrice, forge }: Pick<Observer, 'changePrice' | 'forge'>,
): { end(): Promise<void> } {
  const { kit } = world.simulators
  const random = seededRandom(seed + 1)
  const over = new AbortController()
  kit.chaos.set({ seed, rate: faults })

  const bad = [
    () => kit.webhooks.set({ drop: 2 }),
    () => kit.webhooks.set({ duplicate: Math.floor(random() * 4) }),
    () => kit.webhooks.set({ delayMs: oneOf(random, [0, 0, 40, 400, 2000]) }),
    () => kit.webhooks.set({ shuffle: random() < 0.5 }),
    () => kit.webhooks.set({ provider: 'stripe', sign: random() < 0.3 ? 'bad' : 'good' }),
    () => changePrice(random),
    () => forge(random),
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
      kit.chaos.set(undefined)
      await kit.webhooks.set({ duplicate: 0, delayMs: 0, shuffle: false, sign: 'good' })
    },
  }
}

type VisitResult = Awaited<ReturnType<typeof visitShop>>

type Observer = ReturnType<typeof observe>

type Form = Record<string, string | undefined>
type IntentAnswer = {
  object?: string
  id: string
  shipping?: { name: string; address: { line1: string; city: string; postal_code?: string | null; country: string } }
}
type DraftRequest = {
  external_id: string
  recipient: { name: string; address1: string; city: string; zip?: string | null; country_code: string }
  items: { sync_variant_id: number; quantity: number; retail_price: string }[]
  retail_costs: { shipping: string; tax: string }
}

type WalletRequest = {
  purchase_units: [
    {
      shipping: {
        name: { full_name: string }
        address: { address_line_1: string; admin_area_2: string; postal_code?: string; country_code: string }
      }
    },
  ]
}

const inCents = (text: string): Cents => centsFromDecimal(text) ?? cents(-1)

/** Records what an auditor needs and nothing else stores: calls to providers, earlier prices, intermediate statuses. */
function observe(world: World) {
  const { kit, mailbox, providers, witnessFile, stripe } = world.simulators
  const { pool } = world.shop.database
  const store = seedProducts(demoProducts)
  const variants = store.flatMap((product) => product.variants)
  const prices = new Map(variants.map((variant) => [variant.id, new Set<number>([inCents(variant.retail_price)])]))
  const surcharges = new Map(
    store.flatMap(({ external_id: slug, variants: ofProduct }) => {
      const terms = demoProducts.find((product) => product.slug === slug)?.metadata?.shipping_surcharge
      const surcharge = terms && { cents: Math.round(terms.amount * 100), countries: terms.regions }
      return surcharge ? ofProduct.map(({ id }) => [id, surcharge] as const) : []
    }),
  )
  const wire: WireRecord = { taxes: [], shipping: new Map(), drafts: new Map() }
  const forged: string[] = []
  const mails = new Map<string, { to: string; subject: string; text: string }>()
  const traces = new Map<number, string[]>()

  const endLog = kit.log.subscribe((call) => record(call, wire))

  async function look(): Promise<void> {
    for (const { id, to, subject, text } of mailbox.list()) mails.set(id, { to, subject, text })
    const { rows } = await pool.query<{ id: number; status: string }>('select id, status from audit_orders')
    for (const { id, status } of rows) {
      const trace = traces.get(id) ?? []
      if (trace.at(-1) !== status) trace.push(status)
      traces.set(id, trace)
    }
  }
  const over = new AbortController()
  const looked = (async () => {
    while (!over.signal.aborted) {
      await look()
      await delay(POLL_MS)
    }
  })()

  return {
    async changePrice(random: () => number): Promise<void> {
      const { id, retail_price: was } = oneOf(random, variants)
      const price = inCents(was) + Math.floor(random() * 300)
      prices.get(id)?.add(price)
      await pool.query('update variant set unit_price_cents = $2 where id = $1', [id, price])
    },
    /** Sends a forged success event for a payment id that somebody saw. */
    async forge(random: () => number): Promise<void> {
      const unpaid = (stripe.ledger().payments ?? []).filter(({ status }) => status !== 'succeeded')
      if (unpaid.length === 0) return
      const id = `evt_forged_${forged.length + 1}`
      forged.push(id)
      const object = { id: oneOf(random, unpaid).id, object: 'payment_intent', status: 'succeeded' }
      await fetch(`${world.address}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
        },
        body: JSON.stringify({ id, object: 'event', type: 'payment_intent.succeeded', data: { object } }),
      })
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await looked
      endLog()
    },
    async evidence(visited: readonly VisitResult[]): Promise<Evidence> {
      await look()
      const carts = new Map<number, Pieces>()
      for (const { visit, cart } of visited) carts.set(visit.shopper, await cart())
      return {
        audit: await readAudit(pool),
        ledger: ledgerOf(providers.map((simulator) => simulator.ledger())),
        wire,
        visits: visited.map(({ visit }) => visit),
        carts,
        deliveries: deliveriesIn(witnessFile),
        forged,
        mails: [...mails.values()],
        prices,
        surcharges,
        traces,
      }
    },
  }
}

/** Records calls that were carried out, by their answer, even if it was lost on the way back. */
function record({ provider, method, path, request, answer }: LoggedCall, wire: WireRecord): void {
  if (typeof answer !== 'object' || answer === null) return
  if (provider === 'stripe') {
    const { object } = answer as { object?: string }
    if (object === 'payment_intent') {
      const { id, shipping } = answer as IntentAnswer
      if (shipping) wire.shipping.set(id, postal(shipping.name, shipping.address))
    }
    if (object === 'tax.calculation' && path === '/v1/tax/calculations')
      wire.taxes.push({
        ...taxRequestOf(request as Form),
        tax: (answer as { tax_amount_exclusive: number }).tax_amount_exclusive,
      })
  }
  if (provider === 'paypal' && method === 'POST' && path === '/v2/checkout/orders' && 'id' in answer) {
    const { name, address } = (request as WalletRequest).purchase_units[0].shipping
    const { address_line_1: line1, admin_area_2: city, postal_code, country_code: country } = address
    wire.shipping.set(String(answer.id), postal(name.full_name, { line1, city, postal_code, country }))
  }
  if (provider === 'printful' && method === 'POST' && path === '/orders' && 'code' in answer && answer.code === 200) {
    const { external_id: id, recipient, items, retail_costs: costs } = request as DraftRequest
    wire.drafts.set(id, {
      to: postal(recipient.name, {
        line1: recipient.address1,
        city: recipient.city,
        postal_code: recipient.zip ?? null,
        country: recipient.country_code,
      }),
      pieces: items.map((item) => `${item.sync_variant_id}×${item.quantity}`),
      value: items.reduce((sum, item) => sum + inCents(item.retail_price) * item.quantity, 0),
      shipping: inCents(costs.shipping),
      tax: inCents(costs.tax),
    })
  }
}

function taxRequestOf(form: Form): { line1: string; lines: string[] } {
  const lines: string[] = []
  for (let at = 0; form[`line_items[${at}][reference]`] !== undefined; at += 1) {
    const line = (field: string) => form[`line_items[${at}][${field}]`] ?? ''
    lines.push(`${line('reference')}×${line('quantity')}=${line('amount')}`)
  }
  return { line1: form['customer_details[address][line1]'] ?? '', lines }
}

const postal = (
  name: string,
  address: { line1: string; city: string; postal_code?: string | null | undefined; country: string },
): PostalAddress => ({
  name,
  line1: address.line1,
  city: address.city,
  postalCode: address.postal_code ?? '',
  country: address.country,
})

function ledgerOf(parts: readonly Partial<ProviderLedger>[]): ProviderLedger {
  return {
    payments: parts.flatMap(({ payments = [] }) => payments),
    refunds: parts.flatMap(({ refunds = [] }) => refunds),
    partner_orders: parts.flatMap(({ partner_orders: orders = [] }) => orders),
    shipments: parts.flatMap(({ shipments = [] }) => shipments),
  }
}

type WitnessLine = { provider: string; kind: string; data: { event: string; answer?: number | string } }

const deliveriesIn = (witnessFile: string): Evidence['deliveries'] =>
  readFileSync(witnessFile, 'utf8')
    .split('\n')
    .filter((line) => /"kind":"webhook(?:_dropped)?"/.test(line))
    .map((line) => JSON.parse(line) as WitnessLine)
    .map(({ provider, data }) => ({ provider, event: data.event, answer: data.answer ?? 'lost' }))
