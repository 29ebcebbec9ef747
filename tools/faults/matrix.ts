import { setTimeout as wait } from 'node:timers/promises'
import { addresses, createShopper, type Answer } from '#sandbox/world.ts'
import { openLab, type Lab } from './laboratory.ts'

// What the shop still does while something that it depends on is away: every cell of the resiliency matrix is asked, of
// the built shop as a process, and answers as the matrix says.

/** `A` available, `D` degraded but truthful, `U` unavailable, told in a sentence. */
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

/** Everybody that a row needs, made while all was well. */
type Cast = {
  lab: Lab
  /** A shopper with something in the cart. */
  shopper: Shopper
  owner: Shopper
  /** Somebody whose money was taken a moment ago, by card and by wallet; the shop has not been told. */
  paidByCard: { shopper: Shopper; payment: string }
  approvedByWallet: { shopper: Shopper; order: string }
}

const SETTLED_WITHIN_MS = 90_000

/** @returns a word for what was seen, and whether it is what was promised */
type Check = (cast: Cast, dependency: Dependency, promised: PromisedLevel) => Promise<{ saw: string; holds: boolean }>

const bodyText = (answer: Answer<unknown>): string =>
  typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)

/** Available is 200. Unavailable is 503 with Retry-After and a sentence. Degraded is 200 with `words` in it, or what `degraded` accepts. */
function judgeAnswer(
  answer: Answer<unknown>,
  promised: PromisedLevel,
  degraded: (answer: Answer<unknown>) => boolean = ({ status }) => status === 200,
): { saw: string; holds: boolean } {
  const { message } = (typeof answer.body === 'object' && answer.body ? answer.body : {}) as { message?: string }
  const isTold = answer.status === 503 && answer.headers.get('retry-after') !== null
  const saw = answer.status === 200 ? '200' : `${answer.status} ${message ?? bodyText(answer).slice(0, 60)}`
  switch (promised) {
    case 'A':
      return { saw, holds: answer.status === 200 }
    case 'U':
      return { saw, holds: isTold && (message === undefined || message.length > 10) }
    case 'D':
      return { saw, holds: degraded(answer) }
  }
}

const checks: Record<Column, Check> = {
  // What was looked at a moment ago can still be looked at.
  browse: async ({ shopper }, _, promised) =>
    judgeAnswer(await shopper.send('GET', '/products', undefined, { accept: 'text/html' }), promised),
  search: async ({ shopper }, _, promised) =>
    judgeAnswer(await shopper.send('GET', '/search?q=hat', undefined, { accept: 'text/html' }), promised),
  cart: async ({ shopper, lab }, _, promised) => {
    const wares = await wareOf(lab)
    return judgeAnswer(await shopper.send('POST', '/api/cart', wares), promised)
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
  // Money that was taken is never told to have failed; nothing that is not known is told as success.
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
      await createShopper(lab.door, lab.simulators).send('POST', '/api/login', {
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
    if (dependency === 'database') return { saw: 'seen when it is back', holds: true }
    // By the webhook: no browser is needed. What the card's provider has taken is only known when it answers again.
    const key = dependency === 'stripe' ? `paypal:${approvedByWallet.order}` : `stripe:${paidByCard.payment}`
    if (dependency === 'stripe') await approvedByWallet.shopper.captures(approvedByWallet.order)
    const state = async () => (await lab.audit()).audit_orders.find((row) => row['payment_key'] === key)
    const wanted = promised === 'A' ? ['submitted'] : ['waiting']
    const giveUpAt = Date.now() + 20_000
    for (;;) {
      const order = await state()
      const saw = order ? String(order['fulfilment_status']) : 'no order'
      const isQueued = promised === 'D' && dependency === 'worker' && !order
      if (wanted.includes(saw) || isQueued) return { saw: order ? saw : 'queued', holds: true }
      if (Date.now() > giveUpAt) return { saw, holds: false }
      await wait(200)
    }
  },
}

let knownProduct: { productId: string; variantId: number | null; quantity: number } | undefined
async function wareOf(lab: Lab): Promise<NonNullable<typeof knownProduct>> {
  if (knownProduct) return knownProduct
  const shopper = createShopper(lab.door, lab.simulators)
  const hat = await shopper.find('hat')
  knownProduct = { productId: String(hat.id), variantId: await shopper.firstVariant(hat), quantity: 1 }
  return knownProduct
}

/** Takes a dependency away. @returns what gives it back */
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
      // The worker lives in the shop's process: what it would take is kept from it.
      await lab.pool?.query(`
        create or replace function lab_keeps() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger lab_keeps before update on pgboss.job for each row when (new.state = 'active') execute function lab_keeps()`)
      return async () => void (await lab.pool?.query('drop trigger lab_keeps on pgboss.job'))
  }
}

/** Asks every cell, a dependency after the other, in one shop; afterwards what was begun has to end well. */
export async function askMatrix(seed: number): Promise<Cell[]> {
  await using lab = await openLab({ database: 'postgresql', instances: 1, seed, env: { SWEEP_INTERVAL_S: '2' } })
  await lab.instances[0]?.whenReady()
  await lab.simulators.printful.change({ change: 'rate_limit', perMinute: 1_000_000 })
  const owner = createShopper(lab.door, lab.simulators)
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const cells: Cell[] = []
  for (const dependency of dependencies) {
    const cast = await castFor(lab, owner)
    const giveBack = await breakDependency(lab, dependency)
    // The money comes while it is away.
    await cast.paidByCard.pay()
    for (const column of columns) {
      const wanted = promiseOf(dependency, column)
      const { saw, holds } = await checks[column](cast, dependency, wanted).catch((error: unknown) => ({
        saw: error instanceof Error ? error.message : String(error),
        holds: false,
      }))
      cells.push({ dependency, column, promised: wanted, saw, holds })
    }
    await giveBack()
    cells.push(await endsWell(lab, dependency))
  }
  return cells
}

/** Whatever was begun while it was away is finished once it is back. */
async function endsWell(lab: Lab, dependency: Dependency): Promise<Cell> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const left = await lab.stragglers().catch(() => ['the database is not back'])
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
  const ware = await wareOf(lab)
  const withCart = async () => {
    const shopper = createShopper(lab.door, lab.simulators)
    await shopper.send('POST', '/api/cart', ware)
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
