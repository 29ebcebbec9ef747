import { setTimeout as wait } from 'node:timers/promises'
import { addresses, createShopper, type Answer } from '#sandbox/world.ts'
import { openLab, type Lab } from './laboratory.ts'

// What still works during an outage of each dependency. Tests every cell of the resiliency matrix against the built shop.

/** `A` available, `D` degraded but truthful, `U` unavailable, with an explanation. */
type PromisedLevel = 'A' | 'D' | 'U'

const columns = [
  'browse',
  'search',
  'cart',
  'quote',
  'card',
  'wallet',
  'confirmation',
  'people',
  'contact',
  'reports',
  'fulfillment',
] as const
type Column = (typeof columns)[number]

const dependencies = ['stripe', 'paypal', 'printful', 'tax', 'mail', 'database', 'worker'] as const
type Dependency = (typeof dependencies)[number]

const promisedLevels: Record<Dependency, string> = {
  stripe: 'AAAAUADAADA',
  paypal: 'AAAAAUDAADA',
  printful: 'AAADAAAAAAD',
  tax: 'AAADAAAAAAA',
  mail: 'AAAAAAAADAA',
  database: 'DDUUUUUUUUD',
  worker: 'AAAAAAAAAAD',
}

const promiseOf = (dependency: Dependency, column: Column): PromisedLevel =>
  promisedLevels[dependency][columns.indexOf(column)] as PromisedLevel

export type Cell = { dependency: string; column: string; promised: PromisedLevel; saw: string; holds: boolean }

type Shopper = ReturnType<typeof createShopper>

/** The people of a row, prepared before the outage. */
type Cast = {
  lab: Lab
  /** A shopper with something in the cart. */
  shopper: Shopper
  owner: Shopper
  /** Shoppers who have paid by card and approved in PayPal; the shop does not know yet. */
  paidByCard: { shopper: Shopper; payment: string }
  approvedByWallet: { shopper: Shopper; order: string }
}

const SETTLED_WITHIN_MS = 90_000

/** @returns what was observed, and whether it keeps the promise */
type Check = (cast: Cast, dependency: Dependency, promised: PromisedLevel) => Promise<{ saw: string; holds: boolean }>

const bodyText = (answer: Answer<unknown>): string =>
  typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)

/** Available is 200. Unavailable is 503 with Retry-After and a sentence. Degraded is what `degraded` accepts, 200 by default. */
function judgeAnswer(
  answer: Answer<unknown>,
  promised: PromisedLevel,
  degraded: (answer: Answer<unknown>) => boolean = ({ status }) => status === 200,
): { saw: string; holds: boolean } {
  const { message } = (typeof answer.body === 'object' && answer.body ? answer.body : {}) as { message?: string }
  const isExplained = answer.status === 503 && answer.headers.get('retry-after') !== null
  const saw = answer.status === 200 ? '200' : `${answer.status} ${message ?? bodyText(answer).slice(0, 60)}`
  switch (promised) {
    case 'A':
      return { saw, holds: answer.status === 200 }
    case 'U':
      return { saw, holds: isExplained && (message === undefined || message.length > 10) }
    case 'D':
      return { saw, holds: degraded(answer) }
  }
}

const checks: Record<Column, Check> = {
  // Recently viewed pages are cached.
  browse: async ({ shopper }, _, promised) =>
    judgeAnswer(await shopper.send('GET', '/products', undefined, { accept: 'text/html' }), promised),
  search: async ({ shopper }, _, promised) =>
    judgeAnswer(await shopper.send('GET', '/search?q=hat', undefined, { accept: 'text/html' }), promised),
  cart: async ({ shopper, lab }, _, promised) => {
    const item = await demoItem(lab)
    return judgeAnswer(await shopper.send('POST', '/api/cart', item), promised)
  },
  quote: async ({ shopper }, dependency, promised) =>
    judgeAnswer(
      await shopper.send('POST', '/api/calculate-taxes', { customerAddress: addresses.newYork }),
      promised,
      (answer) =>
        answer.status === 200 && (dependency !== 'tax' || bodyText(answer).includes('Tax could not be calculated')),
    ),
  card: async ({ shopper }, dependency, promised) => {
    const answer = await shopper.startsPayment()
    const { saw, holds } = judgeAnswer(answer, promised)
    return { saw, holds: holds && (dependency !== 'stripe' || bodyText(answer).includes('use PayPal')) }
  },
  wallet: async ({ shopper }, _, promised) => judgeAnswer(await shopper.startsWallet(), promised),
  // Never reports a paid order as failed, or an unknown outcome as success.
  confirmation: async ({ paidByCard, approvedByWallet }, dependency, promised) => {
    const answer =
      dependency === 'paypal'
        ? await approvedByWallet.shopper.processes(approvedByWallet.order)
        : await paidByCard.shopper.returnsToShop(paidByCard.payment)
    const { saw, holds } = judgeAnswer(answer, promised, ({ status, body }) => {
      const { success, status: state } = body as { success?: boolean; status?: string }
      return status === 503 || (status === 200 && success === false && /PROCESSING/i.test(state ?? ''))
    })
    return { saw, holds: holds && !bodyText(answer).includes('Nothing was charged') }
  },
  people: async ({ lab }, _, promised) =>
    judgeAnswer(
      await createShopper(lab.shopUrl, lab.simulators).send('POST', '/api/login', {
        username: 'partner',
        password: 'partner-demo',
      }),
      promised,
    ),
  contact: async ({ shopper }, _, promised) =>
    judgeAnswer(
      await shopper.send('POST', '/api/contact', {
        name: 'Ada Fan',
        email: shopper.customer.email,
        subject: 'A question',
        message: 'When does the next hat come out?',
      }),
      promised,
    ),
  reports: async ({ owner }, _, promised) => judgeAnswer(await owner.send('GET', '/api/reports/summary'), promised),
  fulfillment: async ({ lab, paidByCard, approvedByWallet }, dependency, promised) => {
    if (dependency === 'database') return { saw: 'checked after the outage', holds: true }
    // By the webhook, without a browser. A card payment is only known once Stripe answers again.
    const key = dependency === 'stripe' ? `paypal:${approvedByWallet.order}` : `stripe:${paidByCard.payment}`
    if (dependency === 'stripe') await approvedByWallet.shopper.captures(approvedByWallet.order)
    const state = async () => (await lab.audit()).audit_orders.find((row) => row['payment_key'] === key)
    const expected = promised === 'A' ? ['submitted'] : ['waiting']
    const giveUpAt = Date.now() + 20_000
    for (;;) {
      const order = await state()
      const saw = order ? String(order['fulfilment_status']) : 'no order'
      const isQueued = promised === 'D' && dependency === 'worker' && !order
      if (expected.includes(saw) || isQueued) return { saw: order ? saw : 'queued', holds: true }
      if (Date.now() > giveUpAt) return { saw, holds: false }
      await wait(200)
    }
  },
}

let knownProduct: { productId: string; variantId: number | null; quantity: number } | undefined
async function demoItem(lab: Lab): Promise<NonNullable<typeof knownProduct>> {
  if (knownProduct) return knownProduct
  const shopper = createShopper(lab.shopUrl, lab.simulators)
  const hat = await shopper.find('hat')
  knownProduct = { productId: String(hat.id), variantId: await shopper.firstVariant(hat), quantity: 1 }
  return knownProduct
}

/** Starts an outage. @returns a function that ends it */
async function breakDependency(lab: Lab, dependency: Dependency): Promise<() => Promise<void>> {
  const { kit } = lab.simulators
  const fails = (provider: 'stripe' | 'paypal' | 'printful', path: string) => {
    kit.rules.add({ provider, match: { path }, when: 'before', do: { status: 503 }, times: 100_000 })
    return async () => kit.rules.clear()
  }
  switch (dependency) {
    case 'stripe':
      return fails('stripe', '/v1/payment_intents**')
    case 'tax':
      return fails('stripe', '/v1/tax/**')
    case 'paypal':
      return fails('paypal', '/**')
    case 'printful':
      return fails('printful', '/**')
    case 'mail':
    case 'database':
      lab.cut(dependency, true)
      return async () => lab.cut(dependency, false)
    case 'worker':
      // The worker runs in the shop's process, so a trigger keeps jobs from it.
      await lab.pool?.query(`
        create or replace function lab_keeps() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger lab_keeps before update on pgboss.job for each row when (new.state = 'active') execute function lab_keeps()`)
      return async () => void (await lab.pool?.query('drop trigger lab_keeps on pgboss.job'))
  }
}

/** Tests every cell, one dependency after another, in one shop; after each outage everything must finish. */
export async function runMatrix(seed: number): Promise<Cell[]> {
  await using lab = await openLab({ database: 'postgresql', instances: 1, seed, env: { SWEEP_INTERVAL_S: '2' } })
  await lab.instances[0]?.whenReady()
  await lab.simulators.printful.change({ change: 'rate_limit', perMinute: 1_000_000 })
  const owner = createShopper(lab.shopUrl, lab.simulators)
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const cells: Cell[] = []
  for (const dependency of dependencies) {
    const cast = await castFor(lab, owner)
    const restore = await breakDependency(lab, dependency)
    // The payment arrives during the outage.
    await cast.paidByCard.pay()
    for (const column of columns) {
      const wanted = promiseOf(dependency, column)
      const { saw, holds } = await checks[column](cast, dependency, wanted).catch((error: unknown) => ({
        saw: error instanceof Error ? error.message : String(error),
        holds: false,
      }))
      cells.push({ dependency, column, promised: wanted, saw, holds })
    }
    await restore()
    cells.push(await checkRecovery(lab, dependency))
  }
  return cells
}

/** Everything started during the outage must finish after it. */
async function checkRecovery(lab: Lab, dependency: Dependency): Promise<Cell> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const left = await lab.audit().then(lab.stragglers, () => ['the database is not available yet'])
    if (left.length === 0 || Date.now() > giveUpAt)
      return {
        dependency,
        column: 'afterwards',
        promised: 'A',
        saw: left.length === 0 ? 'all done' : left.slice(0, 3).join('; '),
        holds: left.length === 0,
      }
    await wait(300)
  }
}

async function castFor(lab: Lab, owner: Shopper) {
  const item = await demoItem(lab)
  const withCart = async () => {
    const shopper = createShopper(lab.shopUrl, lab.simulators)
    await shopper.send('POST', '/api/cart', item)
    return shopper
  }
  const [shopper, payer, agreeing] = await Promise.all([withCart(), withCart(), withCart()])
  const started = await payer.startsPayment()
  const wallet = await agreeing.startsWallet()
  await agreeing.approves(wallet.body.id)
  await shopper.send('GET', '/products', undefined, { accept: 'text/html' })
  await shopper.send('GET', '/search?q=hat', undefined, { accept: 'text/html' })
  return {
    lab,
    shopper,
    owner,
    paidByCard: {
      shopper: payer,
      payment: started.body.payment_intent,
      pay: () => lab.payAtProvider(started.body.payment_intent),
    },
    approvedByWallet: { shopper: agreeing, order: wallet.body.id },
  }
}
