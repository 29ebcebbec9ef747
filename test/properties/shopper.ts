import { setTimeout as wait } from 'node:timers/promises'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { seededRandom, shuffleArray } from '#sandbox/kit/random.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import type { Simulators } from '#sandbox/simulators.ts'
import { cards, createShopper, type Answer } from '#sandbox/world.ts'

/** Simulated shoppers: a seed decides what each wants and does. They know only the shop's API, the card form and the wallet's window. */

type Piece = { productId: number; variantId: number; quantity: number }

/** Quantity by variant. */
export type Pieces = Map<number, number>

type Place = { line1: string; city: string; state: string | null; postal_code: string | null; country: string }

/** What a shopper last saw before paying. */
export type Offer = {
  paymentId: string
  subtotal: number
  shipping: number
  tax: number
  vatProtection: number
  total: number
  /** The shop said that tax could not be calculated and is not charged. */
  isUntaxed: boolean
  to: Place
  pieces: readonly Piece[]
  /** Concurrent offers share this number: only the shop knows which came last. */
  press: number
}

/** One shopper's visit as seen in the browser, recorded at the time. */
export type Diary = {
  shopper: number
  habit: string
  email: string
  offers: Offer[]
  /** Payments reported as paid, by the card form or by the shop after a wallet capture. */
  taken: string[]
  /** Wallet orders in review at the provider. */
  held: string[]
  /** What the shop reported about each payment. @property afterPaying the shopper had already paid */
  outcomes: { paymentId: string; success: boolean; orderNumber?: string; afterPaying: boolean }[]
  /** Items that should be left in the cart at the end. */
  left: Pieces
  /** The longest series of 5xx answers and broken connections while no failure was expected. */
  failuresInARow: readonly string[]
  /** Answers that must never happen. */
  violations: string[]
}

export type ShoppingLab = {
  simulators: Simulators
  /** URL of the shop or of its load balancer. */
  shopUrl: string
  /** Whether failures are expected right now because the database is down. */
  isExcused?(): boolean
  /** Providers send wrong answers, after which the shop may refuse any step. */
  mayRefuse?: true
}

type Random = () => number

const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))
export function oneOf<T>(random: Random, things: readonly T[]): T {
  const thing = things[Math.floor(random() * things.length)]
  if (thing === undefined) throw new Error('nothing to choose from')
  return thing
}

/** Products that ship anywhere, by the printer's numbers. */
const offeredProducts = seedProducts(demoProducts.filter(({ metadata }) => !metadata?.restrictions)).flatMap(
  (stored) => {
    const product = demoProducts.find(({ slug }) => slug === stored.external_id)
    return stored.variants
      .filter(({ availability }) => availability === 'active')
      .map((variant) => ({ productId: product?.id ?? 0, variantId: variant.id }))
  },
)

const places: readonly Omit<Place, 'line1'>[] = [
  { city: 'New York', state: 'NY', postal_code: '10118', country: 'US' },
  { city: 'San Francisco', state: 'CA', postal_code: '94105', country: 'US' },
  { city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' },
  { city: 'Portland', state: 'OR', postal_code: '97201', country: 'US' },
  { city: 'Toronto', state: 'ON', postal_code: 'M5V 2T6', country: 'CA' },
  { city: 'Sydney', state: 'NSW', postal_code: '2000', country: 'AU' },
  { city: 'London', state: null, postal_code: 'SW1A 1AA', country: 'GB' },
  { city: 'Berlin', state: null, postal_code: '10117', country: 'DE' },
  { city: 'Paris', state: null, postal_code: '75001', country: 'FR' },
  { city: 'Tokyo', state: 'Tokyo', postal_code: '100-0001', country: 'JP' },
  { city: 'Auckland', state: null, postal_code: '1010', country: 'NZ' },
  { city: 'Singapore', state: null, postal_code: '048616', country: 'SG' },
  { city: 'Zürich', state: null, postal_code: '8001', country: 'CH' },
  { city: 'Roma', state: null, postal_code: '00184', country: 'IT' },
  { city: 'Madrid', state: null, postal_code: '28013', country: 'ES' },
  { city: 'Wien', state: null, postal_code: '1010', country: 'AT' },
  { city: 'Oslo', state: null, postal_code: '0150', country: 'NO' },
  { city: 'São Paulo', state: 'SP', postal_code: '01310-200', country: 'BR' },
  { city: 'Central', state: null, postal_code: null, country: 'HK' },
]
/** Countries of the main checkout only, among these. */
const MAIN_CHECKOUT_ONLY = ['HK', 'BR']
/** Required for parcels to Brazil. */
const TAX_NUMBER = '529.982.247-25'

const names = ['Ada Byron', 'Åsa Ödegård', 'Jean-Luc O’Neill', 'Łukasz Żak', 'Ana María Núñez', '山田 花子']

/** How long a shopper retries. */
const TIMEOUT_MS = 240_000
const PAUSE_MS = 100
/** The card form is sent again after this time without an answer. */
const FORM_TIMEOUT_MS = 10_000
const WINDOWS_MAX = 25
/** How often the page asks again about a capture that is not finished. */
const CAPTURES_MAX = 25
/** Refusals that end a step, because of what happened in another tab. */
const honestRefusals = ['already_paid', 'empty_cart']

/** Stripe's error for a second payment; its payment shows the outcome of the first. */
type Confirmation = { status?: string; error?: { code?: string; payment_intent?: { status: string } } }

type Browser = ReturnType<typeof openBrowser>

/**
 * Plays a shopper to the end, with retries as people make them.
 * @param random decides everything, and belongs to this shopper alone: concurrent shoppers do not change it
 * @returns what was seen, and a function that reads the cart later
 */
export async function visitShop(
  lab: ShoppingLab,
  shopper: number,
  random: Random,
): Promise<{ diary: Diary; cart: () => Promise<Pieces> }> {
  const browser = openBrowser(lab, shopper, random)
  const [habit, play] = oneOf(random, habits)
  browser.diary.habit = habit
  await play(browser)
  return { diary: browser.diary, cart: browser.cart }
}

/** @param starts called for each visit to begin, as long as it resolves to the shopper's number @param atOnce concurrent shoppers */
export async function runVisits(
  lab: ShoppingLab,
  { seed, atOnce, starts }: { seed: number; atOnce: number; starts: () => Promise<number | undefined> },
): Promise<Awaited<ReturnType<typeof visitShop>>[]> {
  const visits: Awaited<ReturnType<typeof visitShop>>[] = []
  const shopOn = async () => {
    for (let shopper = await starts(); shopper !== undefined; shopper = await starts())
      // Neighboring seeds must not repeat each other's shoppers.
      visits.push(await visitShop(lab, shopper, seededRandom(seed * 100_003 + shopper)))
  }
  // All shoppers finish before one failure ends the run.
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, shopOn))
  for (const result of ended) if (result.status === 'rejected') throw result.reason
  return visits
}

const describeAnswer = (answer: Answer<unknown> | undefined): string =>
  answer ? `${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}` : 'without an answer'

const codeOf = ({ body }: Answer<unknown>): string => (body as { code?: string } | null)?.code ?? ''

function openBrowser({ simulators, shopUrl, isExcused, mayRefuse }: ShoppingLab, shopper: number, random: Random) {
  const client = createShopper(shopUrl, simulators)
  client.customer.name = oneOf(random, names)
  const cart = new Map<number, Piece>()
  /** Client secrets by payment. */
  const secrets = new Map<string, string>()
  let presses = 0
  let failures: readonly string[] = []
  let failedLastAt = -Infinity
  const diary: Diary = {
    shopper,
    habit: '',
    email: client.customer.email,
    offers: [],
    taken: [],
    held: [],
    outcomes: [],
    left: new Map(),
    failuresInARow: [],
    violations: [],
  }

  /** Failures in concurrent tabs count once: only a request sent after a failure can be the next. */
  function noteFailure(sentAt: number, failure: string): void {
    if (sentAt < failedLastAt) return
    failedLastAt = performance.now()
    failures = isExcused?.() ? [] : [...failures, failure]
    if (failures.length > diary.failuresInARow.length) diary.failuresInARow = failures
  }

  /**
   * Retries on 5xx, 429, changed totals and broken connections.
   * @param isDone whether a write without an answer was executed
   * @param mayBeRefused whether a refusal is a legitimate answer
   * @returns the answer with status 200; undefined when `isDone`, refused, or on timeout
   */
  async function persist<A extends Answer<unknown>>(
    what: string,
    send: () => Promise<A>,
    { isDone, mayBeRefused = mayRefuse }: { isDone?: () => Promise<boolean>; mayBeRefused?: boolean | undefined } = {},
  ): Promise<A | undefined> {
    const giveUpAt = Date.now() + TIMEOUT_MS
    while (Date.now() < giveUpAt) {
      const sentAt = performance.now()
      const answer = await send().catch(() => undefined)
      if (answer && answer.status < 500 && answer.status !== 429) {
        failures = []
        if (answer.status === 200) return answer
        if (codeOf(answer) === 'summary_changed') continue
        if (!mayBeRefused && !honestRefusals.includes(codeOf(answer)))
          diary.violations.push(`${what}: ${describeAnswer(answer)}`)
        return undefined
      }
      if (answer?.status !== 429)
        noteFailure(sentAt, `${what} ${answer ? `${answer.status} ${codeOf(answer)}`.trim() : 'without an answer'}`)
      // The load balancer answers 502 when no instance listens.
      if (answer && answer.status >= 500 && answer.status !== 503 && answer.headers.get('x-line') === null)
        diary.violations.push(`${what}: ${describeAnswer(answer)}`)
      await wait(PAUSE_MS)
      if (await isDone?.()) return undefined
    }
    diary.violations.push(`${what}: no answer in ${TIMEOUT_MS / 1000} s`)
    return undefined
  }

  async function readCart(): Promise<Pieces> {
    const answer = await persist('reading the cart', () => client.send<Piece[]>('GET', '/api/cart'))
    return new Map((answer?.body ?? []).map(({ variantId, quantity }) => [variantId, quantity]))
  }

  const remember = () => {
    diary.left = new Map([...cart.values()].map(({ variantId, quantity }) => [variantId, quantity]))
  }

  /** Whatever else happens to the payment, its lines leave the cart. */
  function isBought(paymentId: string): void {
    for (const { variantId, quantity } of diary.offers.findLast((offer) => offer.paymentId === paymentId)?.pieces ??
      []) {
      const inCart = cart.get(variantId)
      const left = (inCart?.quantity ?? 0) - quantity
      if (left > 0 && inCart) cart.set(variantId, { ...inCart, quantity: left })
      else cart.delete(variantId)
    }
    remember()
  }

  const formFor = (to: Place) => ({
    customerInfo: { ...client.customerInfo(to), ...(to.country === 'BR' && { tax_number: TAX_NUMBER }) },
  })

  async function passesCheck(paymentId: string): Promise<Confirmation> {
    const answer = await fetch(`${simulators.stripe.url}/sandbox/3ds/${paymentId}`, {
      method: 'POST',
      body: new URLSearchParams({
        key: simulators.settings['STRIPE_PUBLISHABLE_KEY'] ?? '',
        client_secret: secrets.get(paymentId) ?? '',
        outcome: 'authenticated',
      }),
    })
    return (await answer.json()) as Confirmation
  }

  /** The total in the wallet's window, in cents. A window that does not open is opened again. */
  async function totalInWindow(paymentId: string): Promise<number> {
    for (let time = 0; time < WINDOWS_MAX; time += 1) {
      const answer = await fetch(`${simulators.paypal.url}/sandbox/order/${paymentId}`)
        .then((window) => window.json() as Promise<{ value?: string }>)
        .catch(() => undefined)
      if (answer?.value !== undefined) return Number(answer.value.replace('.', ''))
    }
    return Number.NaN
  }

  async function capture(paymentId: string): Promise<'paid' | 'held' | 'refused'> {
    for (let time = 0; time < CAPTURES_MAX; time += 1) {
      // A wallet may decline.
      const answer = await persist('capture', () => client.captures(paymentId), { mayBeRefused: true })
      if (!answer) return 'refused'
      if (answer.body.status === 'COMPLETED') return 'paid'
      if (answer.body.status === 'PENDING') return 'held'
      await wait(PAUSE_MS)
    }
    return 'refused'
  }

  const noteOutcome = (paymentId: string, afterPaying: boolean, success: boolean, orderNumber: string | undefined) =>
    diary.outcomes.push({ paymentId, success, ...(orderNumber && { orderNumber }), afterPaying })

  return {
    diary,
    random,
    cart: readCart,
    async adds(piece: Piece): Promise<void> {
      const before = cart.get(piece.variantId)?.quantity ?? 0
      const isThere = async () => ((await readCart()).get(piece.variantId) ?? 0) > before
      await persist('adding', () => client.send('POST', '/api/cart', piece), { isDone: isThere })
      cart.set(piece.variantId, { ...piece, quantity: before + piece.quantity })
      remember()
    },
    /** What the shop acknowledged must still be there, though it may have been killed meanwhile. */
    async checksCart(): Promise<void> {
      const there = await readCart()
      for (const [variant, { quantity }] of cart)
        if ((there.get(variant) ?? 0) < quantity)
          diary.violations.push(
            `I16: ${quantity} of ${variant} were acknowledged, ${there.get(variant) ?? 0} are there`,
          )
    },
    somewhere: (): Place => ({ line1: `${shopper}-${whole(random, 1, 99_999)} Elm Street`, ...oneOf(random, places) }),
    /**
     * Clicks 'Continue to Payment' this many times at the same time. @returns the current offer; undefined when nothing could
     * be started
     */
    async requestsPayment(to: Place, { times = 1, more = {} } = {}): Promise<Offer | undefined> {
      const press = (presses += 1)
      const pieces = [...cart.values()]
      const answers = await Promise.all(
        Array.from({ length: times }, () =>
          persist('payment start', () => client.startsPayment(to, { ...formFor(to), ...more })),
        ),
      )
      for (const answer of answers) {
        if (!answer) continue
        const { payment_intent: paymentId, client_secret: secret, ...amounts } = answer.body
        secrets.set(paymentId, secret)
        diary.offers.push({
          paymentId,
          subtotal: amounts.subtotal,
          shipping: amounts.shipping_cost,
          tax: amounts.tax_amount,
          vatProtection: Number((amounts as Record<string, unknown>)['vat_protection'] ?? 0),
          total: amounts.total_amount,
          isUntaxed: JSON.stringify(amounts).includes('Tax could not be calculated'),
          to,
          pieces,
          press,
        })
      }
      return answers.some(Boolean) ? diary.offers.at(-1) : undefined
    },
    /** The alternate checkout sends the same data in another format. */
    inOtherWords: (to: Place) => ({ customerInfo: { ...client.customer, phone: '+1 555 0100', address: to } }),
    /** Sends amounts of the browser's own. */
    async cheats(to: Place): Promise<void> {
      const answer = await client
        .startsPayment(to, { ...formFor(to), amount: 50, subtotal: 50, shippingCost: 0 })
        .catch(() => undefined)
      if (answer?.status === 200) diary.violations.push('a price of the browser’s own was taken')
    },
    /** Opens the wallet's window for the offer. @returns the same offer under the wallet order's id */
    async opensWallet(offer: Offer): Promise<Offer | undefined> {
      const started = await persist('wallet start', () => client.startsWallet(offer.to, formFor(offer.to)))
      if (!started) return undefined
      const walletOffer = { ...offer, paymentId: started.body.id, total: await totalInWindow(started.body.id) }
      if (walletOffer.total !== offer.total)
        diary.violations.push(`the wallet shows ${walletOffer.total}, the page ${offer.total}`)
      diary.offers.push(walletOffer)
      return walletOffer
    },
    /** Approves in the wallet's window. @param as the outcome of the capture, as in the sandbox's window */
    approves: ({ paymentId }: Offer, as = 'approve') => client.approves(paymentId, as),
    /** The page captures the payment, with this many clicks at the same time. */
    async capturesWallet({ paymentId }: Offer, times = 1): Promise<'paid' | 'held' | 'refused'> {
      const takes = await Promise.all(Array.from({ length: times }, () => capture(paymentId)))
      const outcome = takes.find((take) => take !== 'refused') ?? 'refused'
      if (outcome === 'refused') return outcome
      diary[outcome === 'paid' ? 'taken' : 'held'].push(paymentId)
      isBought(paymentId)
      return outcome
    },
    /** The browser is closed after the approval: the shop has to finish it. */
    isGone: ({ paymentId }: Offer) => isBought(paymentId),
    /** The page polls the wallet payment. */
    async asksAboutWallet({ paymentId }: Offer): Promise<void> {
      const afterPaying = diary.taken.includes(paymentId)
      const answer = await persist('wallet outcome', () => client.processes(paymentId), { mayBeRefused: true })
      if (!answer || answer.body.status === 'PROCESSING' || answer.body.status === 'PENDING_REVIEW') return
      noteOutcome(paymentId, afterPaying, answer.body.success, answer.body.orderNumber)
    },
    /** Types a card and clicks 'Pay', again if the connection broke. @returns whether the payment succeeded */
    async paysByCard({ paymentId }: Offer, card: string = cards.pays): Promise<boolean> {
      const giveUpAt = Date.now() + TIMEOUT_MS
      while (Date.now() < giveUpAt) {
        const confirmation = client
          .confirms({ payment_intent: paymentId, client_secret: secrets.get(paymentId) ?? '' }, card)
          .then((first: Confirmation) => (first.status === 'requires_action' ? passesCheck(paymentId) : first))
          .catch((): Confirmation => ({}))
        const result = await Promise.race([confirmation, wait(FORM_TIMEOUT_MS).then((): Confirmation => ({}))])
        const status = result.status ?? result.error?.payment_intent?.status
        if (status === 'succeeded') {
          diary.taken.push(paymentId)
          isBought(paymentId)
          return true
        }
        // An error of a failing server confirms nothing about the payment.
        if (status === 'canceled' || result.error?.code === 'card_declined') return false
        await wait(PAUSE_MS)
      }
      return false
    },
    /** Returns to the shop's page, in this many tabs at the same time. */
    async returnsToShop({ paymentId }: Offer, tabs = 1): Promise<void> {
      const afterPaying = diary.taken.includes(paymentId)
      await Promise.all(
        Array.from({ length: tabs }, async () => {
          const answer = await persist('coming back', () => client.returnsToShop(paymentId))
          if (answer) noteOutcome(paymentId, afterPaying, answer.body.success, answer.body.orderId)
        }),
      )
    },
  }
}

async function fillsCart(browser: Browser): Promise<void> {
  const { random } = browser
  for (const item of shuffleArray(offeredProducts, random).slice(0, whole(random, 1, 4)))
    await browser.adds({ ...item, quantity: random() < 0.1 ? whole(random, 4, 40) : whole(random, 1, 3) })
  await browser.checksCart()
}

async function startsCard(browser: Browser, times = 1): Promise<Offer | undefined> {
  await fillsCart(browser)
  return browser.requestsPayment(browser.somewhere(), { times })
}

/** To the wallet's window, and out of it again. */
async function approvesWallet(browser: Browser, as?: string): Promise<Offer | undefined> {
  const offer = await startsCard(browser)
  const wallet = offer && (await browser.opensWallet(offer))
  if (wallet) await browser.approves(wallet, as)
  return wallet
}

async function paysAndReturns(
  browser: Browser,
  offer: Offer | undefined,
  card?: string,
  tabs?: number,
): Promise<boolean> {
  const hasPaid = offer !== undefined && (await browser.paysByCard(offer, card))
  if (hasPaid) await browser.returnsToShop(offer, tabs)
  return hasPaid
}

/** How people shop. */
const habits: readonly [name: string, play: (browser: Browser) => Promise<unknown>][] = [
  ['pays and comes back', async (browser) => paysAndReturns(browser, await startsCard(browser))],
  [
    'pays and closes the browser',
    async (browser) => {
      const offer = await startsCard(browser)
      if (offer) await browser.paysByCard(offer)
    },
  ],
  [
    'clicks everything three times',
    async (browser) => {
      const offer = await startsCard(browser, 3)
      if (!offer) return
      await Promise.all([browser.paysByCard(offer), browser.returnsToShop(offer)])
      await browser.returnsToShop(offer, 3)
    },
  ],
  [
    'changes cart and address before paying',
    async (browser) => {
      await startsCard(browser)
      await paysAndReturns(browser, await startsCard(browser))
    },
  ],
  [
    'puts something more into the cart after paying',
    async (browser) => {
      const offer = await startsCard(browser)
      if (!offer || !(await browser.paysByCard(offer))) return
      await fillsCart(browser)
      await browser.returnsToShop(offer)
    },
  ],
  [
    'has a card declined, then pays with another',
    async (browser) => {
      const offer = await startsCard(browser)
      if (!offer) return
      await browser.paysByCard(offer, cards.declined)
      await browser.returnsToShop(offer)
      await paysAndReturns(browser, offer)
    },
  ],
  [
    'has a card declined and leaves',
    async (browser) => {
      const offer = await startsCard(browser)
      if (offer && !(await browser.paysByCard(offer, cards.declined))) await browser.returnsToShop(offer)
    },
  ],
  ['passes an extra check', async (browser) => paysAndReturns(browser, await startsCard(browser), cards.challenged, 2)],
  ['looks at the payment form and leaves', (browser) => startsCard(browser)],
  [
    'sends a price of its own first',
    async (browser) => {
      await fillsCart(browser)
      const to = browser.somewhere()
      await browser.cheats(to)
      await paysAndReturns(browser, await browser.requestsPayment(to))
    },
  ],
  [
    'uses the other checkout',
    async (browser) => {
      await fillsCart(browser)
      let to = browser.somewhere()
      while (MAIN_CHECKOUT_ONLY.includes(to.country)) to = browser.somewhere()
      await paysAndReturns(browser, await browser.requestsPayment(to, { more: browser.inOtherWords(to) }))
    },
  ],
  [
    'pays by wallet',
    async (browser) => {
      const wallet = await approvesWallet(browser)
      if (!wallet) return
      await browser.capturesWallet(wallet)
      await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'agrees in the wallet’s window and closes the browser',
    async (browser) => {
      const wallet = await approvesWallet(browser)
      if (wallet) browser.isGone(wallet)
    },
  ],
  [
    'clicks five times after the wallet’s window',
    async (browser) => {
      const wallet = await approvesWallet(browser)
      if (wallet && (await browser.capturesWallet(wallet, 5)) === 'paid') await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'pays by a wallet that reviews the payment',
    async (browser) => {
      const wallet = await approvesWallet(browser, 'hold')
      if (!wallet) return
      await browser.capturesWallet(wallet)
      await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'has the wallet declined, then pays by card',
    async (browser) => {
      const offer = await startsCard(browser)
      const wallet = offer && (await browser.opensWallet(offer))
      if (!wallet) return
      await browser.approves(wallet, 'decline')
      if ((await browser.capturesWallet(wallet)) === 'refused') await paysAndReturns(browser, offer)
    },
  ],
  [
    'pays by card and by wallet at the same moment',
    async (browser) => {
      const offer = await startsCard(browser)
      const wallet = offer && (await browser.opensWallet(offer))
      if (!wallet) return
      await browser.approves(wallet)
      await Promise.all([paysAndReturns(browser, offer), browser.capturesWallet(wallet)])
    },
  ],
  [
    'buys twice',
    async (browser) => {
      if (await paysAndReturns(browser, await startsCard(browser)))
        await paysAndReturns(browser, await startsCard(browser))
    },
  ],
]
