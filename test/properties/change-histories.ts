import fc from 'fast-check'
import type { OrderNumber } from '#shared/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { whyChangedOrderDiffers, whyChangedOrderIsUnfinished } from './changed-orders.ts'

// Random histories of paid orders: what customer and owner change, cancel, refund and hold, at any moment, whatever payments and
// printer do meanwhile. After each step everything about the order must agree, and in the end everything about every order.

type Shopper = ReturnType<World['shopper']>
type Variant = { id: number; availability_status: string }
type By = 'owner' | 'shopper'

/** Without an author: payments, the printer, and time. */
const events = [
  ...['pay', 'sweep', 'cancel', 'make_now', 'refund', 'hold', 'release', 'dashboard', 'dispute'],
  ...['printer_down', 'printer_up', 'make', 'late', 'window_over'],
] as const

type Step =
  | { kind: 'change'; by: By; quantity: number; swap: number; add: number; state: keyof typeof places }
  | { kind: 'drop'; by: By }
  | { kind: 'event'; event: (typeof events)[number] }

const places = {
  NY: addresses.newYork,
  OR: { ...addresses.newYork, line1: '1 Pine Street', city: 'Portland', state: 'OR', postal_code: '97201' },
  CA: { ...addresses.newYork, line1: '1 Oak Street', city: 'Los Angeles', state: 'CA', postal_code: '90001' },
}

const by = fc.constantFrom<By>('owner', 'shopper')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      by,
      quantity: fc.nat(4),
      swap: fc.nat(3),
      add: fc.nat(2),
      state: fc.constantFrom('NY' as const, 'NY' as const, 'OR' as const, 'CA' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('event' as const), event: fc.constant('pay' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('event' as const), event: fc.constantFrom(...events) }) },
)

/** The way of paying, whether a partner referred it, and what happens. */
const history = fc.record({
  isWallet: fc.boolean(),
  isReferred: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** A new world after so many, so that no list grows. */
const HISTORIES_A_WORLD = 25

type Run = {
  count: number
  /** The same seed has the same histories. */
  seed: number
  /** Worlds that run at once. */
  atOnce?: number
  database?: 'embedded' | 'postgresql'
  /** Of several processes that share the histories: which one this is. */
  share?: { index: number; of: number }
}

/**
 * @param onProgress called with how many are done, and with a text for each history after which something differs
 * @returns how many differ
 */
export async function runChangeHistories(
  { count, seed, atOnce = 1, database, share = { index: 0, of: 1 } }: Run,
  onProgress: (done: number, wrong: readonly string[]) => void,
): Promise<number> {
  let [next, done, differing] = [share.index * HISTORIES_A_WORLD, 0, 0]
  const runSome = async () => {
    while (next < count) {
      const first = next
      const numRuns = Math.min(HISTORIES_A_WORLD, count - first)
      next += HISTORIES_A_WORLD * share.of
      const wrong = await liveInOneWorld(fc.sample(history, { seed: seed + first, numRuns }), database)
      done += numRuns
      differing += wrong.length
      onProgress(
        done,
        wrong.map((text) => `seed ${seed + first}: ${text}`),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runSome))
  return differing
}

/** One after another: several that start at once make each other wait longer than a sign-in may. */
let opened: Promise<unknown> = Promise.resolve()

function openInTurn(database: Run['database']): Promise<World> {
  const opening = opened.then(() => openWorld({ ...(database && { database }), env: { CHANGE_WINDOW_S: '1800' } }))
  opened = opening.catch(() => {})
  return opening
}

async function liveInOneWorld(histories: readonly History[], database: Run['database']): Promise<string[]> {
  const wrong: string[] = []
  await using world = await openInTurn(database)
  const cast = await castOf(world)
  const report = (one: History, differs: readonly string[]) => {
    if (differs.length > 0) wrong.push(`${JSON.stringify(one)}: ${differs.join('; ')}`)
  }
  const lived: { one: History; number: OrderNumber }[] = []
  for (const one of histories) {
    try {
      // A busy machine may answer too late at the checkout, which is not what this is about.
      const order = await sold(world, one).catch(() => sold(world, one))
      const differs = await live(world, cast, order, one)
      report(one, differs)
      if (differs.length === 0) lived.push({ one, number: order.number })
    } catch (error) {
      report(one, [String(error)])
    }
    world.simulators.kit.rules.clear()
  }
  const numbers = lived.map(({ number }) => number)
  // On a busy machine a world may not finish in time: the others go on.
  await finish(world, numbers).catch((error: unknown) => wrong.push(`a world did not finish: ${String(error)}`))
  for (const { one, number } of lived)
    report(one, [
      ...(await whyChangedOrderIsUnfinished(world, number)),
      ...(await whyChangedOrderDiffers(world, number)),
    ])
  return wrong
}

/** Time passes until every order is made or canceled, and every time for changes and payments is over. */
async function finish(world: World, numbers: readonly string[]): Promise<void> {
  await passes(world, DAY_MS + HOUR_MS)
  for (let hour = 0; hour < HOURS_TO_FINISH; hour += 1) {
    await world.sweep()
    await world.settled()
    const unfinished = await Promise.all(numbers.map((number) => whyChangedOrderIsUnfinished(world, number)))
    if (unfinished.flat().length === 0) return
    await passes(world, HOUR_MS)
  }
}

type Cast = { owner: Shopper; hats: Variant[]; pillow: Variant | undefined }

async function castOf(world: World): Promise<Cast> {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const variantsOf = async (words: string): Promise<Variant[]> => {
    const { providerProductId } = await owner.find(words)
    const { body } = await owner.send<{ result: { sync_variants: Variant[] } }>(
      'GET',
      `/api/printful/products/${providerProductId}`,
    )
    return body.result.sync_variants.filter(({ availability_status: status }) => status === 'active')
  }
  return { owner, hats: await variantsOf('hat'), pillow: (await variantsOf('pillow'))[0] }
}

/** Hours after the last step, once all providers work: what is unfinished then is lost. */
const HOURS_TO_FINISH = 24

/** Time passes for shop, providers and the retries of jobs, which go by the database's clock. */
async function passes(world: World, ms: number): Promise<void> {
  await world.advance(ms)
  await world.shop.database.pool.query(
    `update pgboss.job set start_after = start_after - make_interval(secs => $1) where state = 'retry'`,
    [ms / SECOND_MS],
  )
}

/** @returns what differs after a step; none if all agrees */
async function live(world: World, cast: Cast, order: Sold, one: History): Promise<string[]> {
  for (const next of one.steps) {
    await happens(world, cast, order, next)
    const differs = await whyChangedOrderDiffers(world, order.number)
    if (differs.length > 0) return [...differs, `after ${JSON.stringify(next)}`]
  }
  return []
}

type Sold = { number: OrderNumber; intent: string | null; key: { session_id: string }; shopper: Shopper }

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

async function sold(world: World, { isWallet, isReferred, quantity }: History): Promise<Sold> {
  const shopper = world.shopper()
  if (isReferred) {
    await shopper.adds('hat', 1)
    const followed = await fetch(`${world.address}/r/bullion-rudy`, { redirect: 'manual', headers: BROWSER })
    const click = followed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    shopper.usesCookie(`${shopper.cookie()}; ${click}`)
  }
  if (isWallet) {
    const id = await shopper.approvesWallet({ quantity })
    await shopper.captures(id)
    const { body } = await shopper.processes(id)
    await world.settled()
    return { number: String(body.orderNumber) as OrderNumber, intent: null, key: { session_id: id }, shopper }
  }
  const payment = await shopper.paysByCard({ quantity })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const intent = payment.payment_intent
  return { number: String(body.orderId) as OrderNumber, intent, key: { session_id: intent }, shopper }
}

async function happens(world: World, cast: Cast, order: Sold, one: Step): Promise<void> {
  if (one.kind === 'change') await change(world, cast, order, one)
  else if (one.kind === 'event') await eventHappens(world, cast, order, one.event)
  else if (one.by === 'owner') await cast.owner.send('POST', `/api/admin/orders/${order.number}/change/drop`)
  else await order.shopper.send('POST', '/api/order/change/drop', order.key)
  if (one.kind !== 'event' || one.event !== 'printer_down') await world.settled()
}

async function change(
  world: World,
  { owner, hats, pillow }: Cast,
  { number, key, shopper }: Sold,
  one: Step & { kind: 'change' },
): Promise<void> {
  const { rows } = await world.shop.database.pool.query<{ position: number; variant_id: string }>(
    `select position, variant_id from order_line l join shop_order o on o.id = l.order_id
     where o.order_number = $1 and quantity > 0 order by position`,
    [number],
  )
  const [first] = rows
  const variantId = Number((one.swap > 0 ? hats[one.swap % hats.length]?.id : undefined) ?? first?.variant_id)
  const wish = {
    recipient: { name: 'Ada Fan', shippingAddress: places[one.state] },
    lines: {
      changed: first ? [{ position: first.position, variantId, quantity: one.quantity }] : [],
      added: one.add > 0 ? [{ variantId: Number(pillow?.id), quantity: one.add }] : [],
    },
  }
  const send = (path: string, body: object) =>
    one.by === 'owner'
      ? owner.send<{ difference: number }>('POST', `/api/admin/orders/${number}${path}`, body)
      : shopper.send<{ difference: number }>('POST', `/api/order${path}`, { ...key, ...body })
  const seen = await send('/change/preview', wish)
  if (seen.status === 200) await send('/change', { ...wish, difference: seen.body.difference })
}

/** Small enough to be a part of every order. */
const PART = 300

async function eventHappens(world: World, { owner }: Cast, order: Sold, event: (typeof events)[number]): Promise<void> {
  const { kit, printful, stripe } = world.simulators
  const { number, key, shopper } = order
  const manage = (path: string, body?: object) => owner.send('POST', `/api/admin/orders/${number}/${path}`, body)
  switch (event) {
    case 'pay': {
      const { status, body } = await shopper.send<{ intentId: string; clientSecret: string }>(
        'POST',
        '/api/order/change/pay',
        key,
      )
      if (status === 200) await shopper.confirms({ payment_intent: body.intentId, client_secret: body.clientSecret })
      return
    }
    case 'cancel':
      await shopper.send('POST', '/api/order/cancel', key)
      return
    case 'make_now':
      await shopper.send('POST', '/api/order/make-now', key)
      return
    case 'refund': {
      const wanted = { kind: 'amount', amount: PART }
      const { body } = await owner.send<{ amount: number; limit: number }>(
        'POST',
        `/api/admin/orders/${number}/refund/preview`,
        { wanted },
      )
      await manage('refund', { wanted, amount: body.amount, limit: body.limit, reason: 'a scratch' })
      return
    }
    case 'hold':
      await manage('hold', { reason: 'a look at it' })
      return
    case 'release':
      await manage('release')
      return
    case 'dashboard':
      if (order.intent)
        await stripe.change({ change: 'refund', payment_intent: order.intent, amount: PART }).catch(() => undefined)
      return
    case 'dispute':
      if (order.intent) await stripe.change({ change: 'dispute', payment_intent: order.intent }).catch(() => undefined)
      return
    case 'late':
      await passes(world, DAY_MS + HOUR_MS)
      await world.sweep()
      return
    case 'window_over':
      await passes(world, 31 * MINUTE_MS)
      await world.sweep()
      return
    case 'printer_down':
      kit.rules.add({
        provider: 'printful',
        match: { path: '/orders/**' },
        when: 'after',
        do: { status: 500, body: {} },
        times: 6,
      })
      return
    case 'printer_up':
      kit.rules.clear()
      return
    case 'make': {
      const { rows } = await world.shop.database.pool.query<{ id: string }>(
        'select external_id as id from shop_order where order_number = $1',
        [number],
      )
      await printful.change({ change: 'advance', external_id: String(rows[0]?.id) }).catch(() => undefined)
      return
    }
    case 'sweep':
      await world.sweep()
  }
}
