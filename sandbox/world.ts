import { randomUUID } from 'node:crypto'
import { getPriority } from 'node:os'
import pg from 'pg'
import type { Language } from '#shared/language.ts'
import { paymentKey } from '#shared/ids.ts'
import { readConfig } from '#server/config/config.ts'
import { loadRenderer } from '#server/http/pages.ts'
import { createLog } from '#server/log/log.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'
import { settle } from '#server/payments/settlement.ts'
import { sweep } from '#server/payments/sweep.ts'
import type { WireQuote } from '#contract/quote.ts'
import type { Shop } from '#server/shop.ts'
import { createShop } from '../src/shop.ts'
import { noteAnsweredCalls } from './answered-calls.ts'
import { chooseBeginning } from './beginning.ts'
import { takeEmbedded } from './spare-databases.ts'
import { startSimulators, type Simulators } from './simulators.ts'
import type { StripeCheck } from './stripe/stripe.ts'
import { freePort } from '../tools/free-port.ts'

/** Name of the seeded database that worlds on a PostgreSQL server are copied from. */
export const WORLD_TEMPLATE = 'pawtelier_template'

type WorldOptions = {
  database?: 'embedded' | 'postgresql'
  /** Migrates and seeds an empty database instead of copying a seeded one. */
  fromScratch?: boolean
  /** Also serves pages; needs a build. */
  pages?: boolean
  /** More environment variables, such as `QUOTE_TTL_S`. */
  env?: Record<string, string>
  check?: StripeCheck
  /** When it begins, by its clock; now by default. */
  startsAt?: Date
  /** Begins with the demo's 90 days as `npm start` does, on the embedded database. */
  isLived?: boolean
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Making pictures takes long on a busy machine. */
const SETTLED_WITHIN_MS = 120_000
const POLL_MS = 20
const PRINTER_CALLS_PER_MINUTE = 100_000

/**
 * The whole system in one process: simulators and shop on loopback, no orders and the demo catalog. The
 * shop's clock can be moved; Printful's orders change only when a test says so.
 */
export async function openWorld(options: WorldOptions = {}) {
  const lived = options.isLived ? chooseBeginning('memory://', false) : undefined
  const isOnServer = process.env['TEST_DATABASE'] === 'postgresql' && !lived
  const kind = options.database ?? (isOnServer ? 'postgresql' : 'embedded')
  const simulators = await startSimulators({
    speed: 0,
    firstPort: 0,
    folder: 'memory://',
    aheadMs: lived?.aheadMs ?? (options.startsAt ? options.startsAt.getTime() - Date.now() : 0),
    ...(options.check && { check: options.check }),
  })
  // A test that waits for the printer's next minute proves nothing: keeping within its limits has tests of its own.
  await simulators.printful.change({ change: 'rate_limit', perMinute: PRINTER_CALLS_PER_MINUTE })
  const home = kind === 'postgresql' ? await databaseOnServer(options.fromScratch ?? false) : undefined
  // In one process the shop has the simulators' clock itself.
  const { CATALOGUE_FILE: catalogFile = '', CLOCK_FILE: _, ...settings } = simulators.settings
  const { clock } = simulators.kit
  const port = await freePort()
  const snapshotFile = process.env['WORLD_SNAPSHOT']
  const isStocked = !options.fromScratch && !lived && (home !== undefined || snapshotFile !== undefined)
  const config = readConfig({
    ...settings,
    ...(!isStocked && { CATALOGUE_FILE: catalogFile }),
    ...(home && { DATABASE_URL: home.url }),
    ...(lived?.backup && { INITIAL_BACKUP: lived.backup }),
    PORT: String(port),
    DATA_DIR: 'memory://',
    RATE_LIMIT_SCALE: '1000',
    SWEEP_INTERVAL_S: '86400',
    SYNC_INTERVAL_S: '86400',
    CHANGE_WINDOW_S: '0',
    // Other programs on a test's machine must not decide what passes.
    DATABASE_WAIT_MS: '10000',
    ...options.env,
  })
  const log = createLog('sandbox', process.env['WORLD_LOG'] ?? 'fatal')
  const spare = isStocked && !home && snapshotFile ? await takeEmbedded(snapshotFile) : undefined
  const running = await createShop({
    config,
    log,
    clock,
    scheduleClock: { now: () => new Date() },
    embedded: spare?.embedded,
    renderer: options.pages ? await loadRenderer() : undefined,
    // At the lowest priority it would stand still beside other programs.
    pictureProcess: createPictureProcess({ taskMs: 120_000, priority: getPriority(), isQuick: true }),
  })
  noteAnsweredCalls(running.app.http)
  const address = await running.listen()
  simulators.announceShop(address)
  if (lived?.books) simulators.load(lived.books)

  const world = {
    address,
    simulators,
    running,
    shop: running.shop,
    mailbox: simulators.mailbox,
    /** Moves the shop's and the providers' time. */
    advance: (ms: number) => clock.advance(ms),
    /** @param browser its user agent; without one, visits of its pages count as a program's */
    shopper: (browser?: string) => createShopper(address, simulators, browser),
    sweep: () => sweep(running.shop),
    settle: (paymentIntent: string) => settle(running.shop, paymentKey('stripe', paymentIntent)),
    /** Rows of an audit view. */
    async audit<Row = Record<string, unknown>>(view: string): Promise<Row[]> {
      const { rows } = await running.shop.database.pool.query(`select * from audit_${view} order by 1`)
      return rows as Row[]
    },
    /** Waits until no job is due and no webhook is being delivered. */
    settled: () => waitUntilSettled(running.shop, simulators),
    async [Symbol.asyncDispose]() {
      await running.close()
      await simulators.close()
      await spare?.giveBack()
      await home?.drop()
    },
  }
  return world
}

/** Waits until no job is due and no webhook is on its way. @throws Error when that takes too long */
export async function waitUntilSettled({ database, clock, jobs }: Shop, { kit }: Simulators): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    await kit.idle()
    await jobs.followClock()
    const { rows } = await database.pool.query<{ name: string; isDue: boolean }>(
      `select name, state <> 'active' and start_after <= now() as "isDue" from pgboss.job
       where state = 'active' or (state in ('created', 'retry') and start_after <= now() + interval '1 second')`,
      // With values, though none, it is prepared.
      [],
    )
    if (rows.length === 0) return
    if (Date.now() > giveUpAt)
      throw new Error(
        `${rows.length} jobs are still not done at ${clock.now().toISOString()}: ${rows.map(({ name }) => name).join(', ')}`,
      )
    for (const name of new Set(rows.filter(({ isDue }) => isDue).map((job) => job.name))) jobs.pollNow(name)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** A new database on the test server. @param isTemplate the empty one that others are copied from */
export async function databaseOnServer(isTemplate: boolean): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) throw new Error('TEST_DATABASE_URL is missing: start a PostgreSQL server for this world')
  const name = isTemplate ? WORLD_TEMPLATE : `world_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const asAdmin = async (statement: string) => {
    const admin = new pg.Client({ connectionString: server })
    await admin.connect()
    await admin.query(statement).finally(() => admin.end())
  }
  // Files are copied several times as fast as their log is written, and nobody restores these databases.
  if (!isTemplate) await asAdmin(`create database ${name} template ${WORLD_TEMPLATE} strategy file_copy`)
  return { url: url.href, drop: () => (isTemplate ? Promise.resolve() : asAdmin(`drop database ${name} with (force)`)) }
}

export type Answer<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers }

type WalletPurchase = { buying?: string; quantity?: number; to?: object; as?: string }

type Purchase = { buying?: string; quantity?: number; to?: object; card?: string }

/** The default shipping address of tests. */
export const addresses = {
  newYork: { line1: '350 5th Avenue', line2: null, city: 'New York', state: 'NY', postal_code: '10118', country: 'US' },
  sydney: {
    line1: '1 Macquarie Street',
    line2: null,
    city: 'Sydney',
    state: 'NSW',
    postal_code: '2000',
    country: 'AU',
  },
  berlin: {
    line1: 'Unter den Linden 77',
    line2: null,
    city: 'Berlin',
    state: null,
    postal_code: '10117',
    country: 'DE',
  },
} as const

/** The cards that most tests need; all of them are in `stripe/cards.ts`. */
export const cards = { pays: '4242424242424242', challenged: '4000002500003155', declined: '4000000000000002' } as const

type Product = {
  id: number
  name: string
  type: string
  variantCount: number
  providerProductId: number | null
  price: number
}

/** What a shopper's browser knows of the simulators. Without `paypal` nobody can approve in the wallet's window. */
type Surroundings = {
  stripe: Pick<Simulators['stripe'], 'url'>
  paypal?: Pick<Simulators['paypal'], 'change'>
  settings: Simulators['settings']
}

const bytesOrText = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  body instanceof Uint8Array ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body)

/** A shopper with a browser: a cookie jar, a cart and a card. */
export function createShopper(address: string, simulators: Surroundings, browser?: string) {
  const { settings } = simulators
  let cookie = ''
  let language: Language | undefined
  const customer = { email: `fan-${randomUUID().slice(0, 8)}@mail.example`, name: 'Ada Fan' }

  async function send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const answer = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(browser !== undefined && { 'user-agent': browser }),
        ...(language && { 'accept-language': language }),
        ...(body !== undefined && {
          'content-type': body instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
        }),
        ...headers,
      },
      ...(body !== undefined && {
        body: bytesOrText(body),
      }),
    })
    const set = answer.headers.getSetCookie().find((header) => header.includes('session='))
    if (set) cookie = set.split(';')[0] ?? ''
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as Body, headers: answer.headers }
  }

  /** The first product whose name contains these words. */
  async function find(words: string): Promise<Product> {
    const { body } = await send<Product[]>('GET', '/api/products')
    const product = body.find(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
    if (!product) throw new Error(`no product named ${words}`)
    return product
  }

  /** The first available variant; null if the product has only one. */
  async function firstVariant({ providerProductId }: Product): Promise<number | null> {
    if (providerProductId === null) return null
    const { body } = await send<{ result: { sync_variants: { id: number; availability_status: string }[] } }>(
      'GET',
      `/api/printful/products/${providerProductId}`,
    )
    return body.result.sync_variants.find(({ availability_status: status }) => status === 'active')?.id ?? null
  }

  async function adds(words: string, quantity = 1) {
    const product = await find(words)
    return send<{ id: number; price: number; quantity: number; variantId: number }>('POST', '/api/cart', {
      productId: String(product.id),
      variantId: await firstVariant(product),
      quantity,
    })
  }

  const customerInfo = (to: object) => ({ ...customer, shippingAddress: to, sameBillingAddress: true })

  const startsPayment = (to: object = addresses.newYork, more: object = {}) =>
    send<{
      client_secret: string
      payment_intent: string
      subtotal: number
      shipping_cost: number
      tax_amount: number
      total_amount: number
    }>('POST', '/api/create-payment-intent', { customerInfo: customerInfo(to), termsAccepted: true, ...more })

  /** What Stripe's form does in the browser. */
  async function confirms(
    payment: { payment_intent: string; client_secret: string },
    card: string = cards.pays,
    expires = { month: '12', year: '2034' },
  ) {
    const answer = await fetch(`${simulators.stripe.url}/v1/payment_intents/${payment.payment_intent}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        key: settings['STRIPE_PUBLISHABLE_KEY'] ?? '',
        client_secret: payment.client_secret,
        return_url: `${address}/payment-success`,
        use_stripe_sdk: 'true',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': card,
        'payment_method_data[card][exp_month]': expires.month,
        'payment_method_data[card][exp_year]': expires.year,
        'payment_method_data[card][cvc]': '123',
      }),
    })
    return (await answer.json()) as {
      status?: string
      error?: { code: string; decline_code?: string; message: string }
    }
  }

  const returnsToShop = (paymentIntent: string) =>
    send<{ success: boolean; status: string; orderId?: string }>('POST', '/api/process-completed-payment', {
      paymentIntentId: paymentIntent,
    })

  /** The wallet's first step: an order that is not approved yet. */
  const startsWallet = (to: object = addresses.newYork, more: object = {}) =>
    send<{ id: string; quote: WireQuote }>('POST', '/paypal/order', {
      customerInfo: customerInfo(to),
      currency: 'USD',
      intent: 'CAPTURE',
      termsAccepted: true,
      ...more,
    })

  /** The payer's choice in the wallet's window. @param as `approve`, `hold`, `decline`, or the issue that the capture will fail with @param payer another account than the sandbox's own */
  const approves = (order: string, as = 'approve', payer?: string) =>
    simulators.paypal?.change({ change: 'approve', order, as, ...(payer && { payer }) })

  /** PayPal's page for the cart, as the express button opens it. @returns its order */
  const startsExpress = async (country = 'US') => {
    const { status, body } = await send<{ page: string; code?: string }>('POST', '/paypal/express', { country })
    return { status, code: body.code, id: status === 200 ? (new URL(body.page).searchParams.get('token') ?? '') : '' }
  }

  /** The payer chooses there where it goes, and comes back. @param to in the shop's format */
  const approvesExpress = (order: string, to: object = addresses.newYork, as = 'approve') => {
    const { line1, line2, city, state, postal_code, country } = to as Record<string, string | null>
    const address = {
      address_line_1: line1,
      ...(line2 && { address_line_2: line2 }),
      admin_area_2: city,
      ...(state && { admin_area_1: state }),
      ...(postal_code && { postal_code }),
      country_code: country,
    }
    return simulators.paypal?.change({ change: 'approve', order, as, address, name: customer.name })
  }

  const captures = (order: string) =>
    send<{ status: string; code?: string; message?: string }>('POST', `/paypal/order/${order}/capture`)

  const processes = (order: string, more: object = {}) =>
    send<{ success: boolean; status: string; orderNumber?: string; printfulOrderId?: string; code?: string }>(
      'POST',
      '/api/process-paypal-order',
      { paypalOrderId: order, ...more },
    )

  return {
    startsWallet,
    startsExpress,
    approvesExpress,
    approves,
    captures,
    processes,
    /** From an empty cart to an approved wallet order; its money has not been taken. */
    async approvesWallet({
      buying = 'hat',
      quantity = 1,
      to = addresses.newYork,
      as = 'approve',
    }: WalletPurchase = {}) {
      await adds(buying, quantity)
      const { status, body } = await startsWallet(to)
      if (status !== 200) throw new Error(`wallet start answered ${status}: ${JSON.stringify(body)}`)
      await approves(body.id, as)
      return body.id
    },
    customer,
    send,
    find,
    firstVariant,
    adds,
    customerInfo,
    startsPayment,
    confirms,
    returnsToShop,
    cart: async () =>
      (await send<{ productName: string; quantity: number; price: number; id: number }[]>('GET', '/api/cart')).body,
    forgetsCookie() {
      cookie = ''
    },
    usesCookie(other: string) {
      cookie = other
    },
    cookie: () => cookie,
    reads(its: Language) {
      language = its
    },
    /** From an empty cart to a completed payment at Stripe; the shop does not know about it yet. */
    async paysByCard({ buying = 'hat', quantity = 1, to = addresses.newYork, card = cards.pays }: Purchase = {}) {
      await adds(buying, quantity)
      const started = await startsPayment(to)
      if (started.status !== 200)
        throw new Error(`payment start answered ${started.status}: ${JSON.stringify(started.body)}`)
      const confirmed = await confirms(started.body, card)
      return { ...started.body, confirmed, returnsToShop: () => returnsToShop(started.body.payment_intent) }
    },
  }
}
