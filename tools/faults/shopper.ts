import { setTimeout as wait } from 'node:timers/promises'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import type { Simulators } from '#sandbox/simulators.ts'
import { cards, createShopper, type Answer } from '#sandbox/world.ts'
import { oneOf } from '../../test/properties/shoppers.ts'

/** What a shopper was shown, recorded at the time; compared with the audit views. */
export type Diary = {
  shopper: number
  habit: string
  /** Payments reported as paid, by the card form or by the shop after a PayPal capture. */
  taken: string[]
  /** What the shop reported about each payment. @property afterPaying the shopper had already paid */
  outcomes: { paymentId: string; success: boolean; orderNumber?: string; afterPaying: boolean }[]
  /** The longest series of 5xx answers and broken connections while the database was up. */
  failuresInARow: readonly string[]
  /** Answers that must never happen. */
  violations: string[]
}

/** How long a shopper retries. */
const TIMEOUT_MS = 240_000
const PAUSE_MS = 150
/** The card form is sent again after this time without an answer. */
const FORM_TIMEOUT_MS = 10_000

const offeredProducts = seedProducts(demoProducts.filter(({ metadata }) => !metadata?.restrictions)).flatMap(
  (stored) => {
    const product = demoProducts.find(({ slug }) => slug === stored.external_id)
    return stored.variants
      .filter(({ availability }) => availability === 'active')
      .map((variant) => ({ productId: String(product?.id ?? 0), variantId: variant.id }))
  },
)

const places = [
  { city: 'New York', state: 'NY', postal_code: '10118', country: 'US' },
  { city: 'Austin', state: 'TX', postal_code: '78701', country: 'US' },
  { city: 'Toronto', state: 'ON', postal_code: 'M5V 2T6', country: 'CA' },
  { city: 'Sydney', state: 'NSW', postal_code: '2000', country: 'AU' },
  { city: 'Berlin', state: null, postal_code: '10117', country: 'DE' },
  { city: 'London', state: null, postal_code: 'SW1A 1AA', country: 'GB' },
  { city: 'Tokyo', state: 'Tokyo', postal_code: '100-0001', country: 'JP' },
] as const

type StartedPayment = { paymentId: string; secret: string; to: object }
type ConfirmationAnswer = { status?: string; error?: { code?: string; payment_intent?: { status: string } } }

type Lab = {
  simulators: Simulators
  /** URL of the shop or of its load balancer. */
  shopUrl: string
  /** Whether failures are expected right now because the database is down. */
  isExcused(): boolean
}

/** Plays a shopper to the end, with retries as people make them. @param random used by this shopper only */
export async function runVisit(lab: Lab, shopper: number, random: () => number): Promise<Diary> {
  const [habit, play] = oneOf(random, habits)
  const diary: Diary = { shopper, habit, taken: [], outcomes: [], failuresInARow: [], violations: [] }
  await play(openBrowser(lab, diary, random))
  return diary
}

type Browser = ReturnType<typeof openBrowser>

const describeAnswer = (answer: Answer<unknown> | undefined): string =>
  answer ? `${answer.status} ${(answer.body as { code?: string } | null)?.code ?? ''}`.trim() : 'without an answer'

function openBrowser({ simulators, shopUrl, isExcused }: Lab, diary: Diary, random: () => number) {
  const client = createShopper(shopUrl, simulators)
  const acknowledged = new Map<number, number>()
  let failures: readonly string[] = []
  let failedLastAt = -Infinity

  /** Failures in concurrent tabs count once: only a request sent after a failure can be the next. */
  function noteFailure(sentAt: number, failure: string): void {
    if (sentAt < failedLastAt) return
    failedLastAt = performance.now()
    failures = isExcused() ? [] : [...failures, failure]
    if (failures.length > diary.failuresInARow.length) diary.failuresInARow = failures
  }

  /** Retries on 5xx, 429 and broken connections. @returns undefined on timeout, `done` when `fromCuts` finds the write done */
  async function persist<A extends Answer<unknown>>(
    what: string,
    send: () => Promise<A>,
    fromCuts?: () => Promise<boolean>,
  ): Promise<A | 'done' | undefined> {
    const giveUpAt = Date.now() + TIMEOUT_MS
    while (Date.now() < giveUpAt) {
      const sentAt = performance.now()
      const answer = await send().catch(() => undefined)
      if (answer && answer.status < 500 && answer.status !== 429) {
        failures = []
        return answer
      }
      if (answer?.status !== 429) noteFailure(sentAt, `${what} ${describeAnswer(answer)}`)
      if (answer && answer.status >= 500 && ![502, 503].includes(answer.status))
        diary.violations.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`)
      if (answer?.status === 502 && answer.headers.get('x-line') === null) diary.violations.push(`${what}: 502`)
      await wait(PAUSE_MS)
      // A write without an answer may have been executed.
      if (fromCuts && (await fromCuts())) return 'done'
    }
    diary.violations.push(`${what}: no answer in ${TIMEOUT_MS / 1000} s`)
    return undefined
  }

  const inCart = async (): Promise<Map<number, number>> => {
    const answer = await persist('reading the cart', () =>
      client.send<{ variantId: number; quantity: number }[]>('GET', '/api/cart'),
    )
    const lines = answer && answer !== 'done' && answer.status === 200 ? answer.body : []
    return new Map(lines.map(({ variantId, quantity }) => [variantId, quantity]))
  }

  return {
    random,
    simulators,
    diary,
    async fillsCart(): Promise<void> {
      const pieces = 1 + Math.floor(random() * 3)
      for (let piece = 0; piece < pieces; piece += 1) {
        const item = oneOf(random, offeredProducts)
        const quantity = 1 + Math.floor(random() * 3)
        const before = acknowledged.get(item.variantId) ?? 0
        const isThere = async () => ((await inCart()).get(item.variantId) ?? 0) > before
        const answer = await persist('adding', () => client.send('POST', '/api/cart', { ...item, quantity }), isThere)
        if (answer !== 'done' && answer?.status !== 200)
          diary.violations.push(`adding: ${answer?.status} ${JSON.stringify(answer?.body)}`)
        else acknowledged.set(item.variantId, before + quantity)
      }
      const there = await inCart()
      for (const [variant, quantity] of acknowledged)
        if ((there.get(variant) ?? 0) < quantity)
          diary.violations.push(
            `I16: ${quantity} of ${variant} were acknowledged, ${there.get(variant) ?? 0} are there`,
          )
    },
    somewhere: () => ({
      line1: `${diary.shopper}-${Math.floor(random() * 99_999)} Elm Street`,
      ...oneOf(random, places),
    }),
    async startsCard(to: object): Promise<StartedPayment | undefined> {
      for (;;) {
        const answer = await persist('payment start', () => client.startsPayment(to))
        if (!answer || answer === 'done') return undefined
        const { code } = answer.body as { code?: string }
        if (answer.status === 200)
          return { paymentId: answer.body.payment_intent, secret: answer.body.client_secret, to }
        if (code === 'summary_changed') continue
        if (code !== 'already_paid' && code !== 'empty_cart')
          diary.violations.push(`payment start: ${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`)
        return undefined
      }
    },
    /** Pays with a card, again when the connection broke. @returns whether the payment succeeded */
    async paysByCard({ paymentId, secret }: StartedPayment, card: string = cards.pays): Promise<boolean> {
      const giveUpAt = Date.now() + TIMEOUT_MS
      while (Date.now() < giveUpAt) {
        const confirmation: Promise<ConfirmationAnswer> = client
          .confirms({ payment_intent: paymentId, client_secret: secret }, card)
          .then((first) => (first.status === 'requires_action' ? passesCheck(paymentId, secret) : first))
          .catch(() => ({}))
        const result = await Promise.race([confirmation, wait(FORM_TIMEOUT_MS).then((): ConfirmationAnswer => ({}))])
        const status = result.status ?? result.error?.payment_intent?.status
        if (status === 'succeeded') {
          diary.taken.push(paymentId)
          return true
        }
        if (status === 'canceled' || result.error?.code === 'card_declined') return false
        await wait(PAUSE_MS)
      }
      return false
    },
    async comesBack({ paymentId }: StartedPayment, tabs = 1): Promise<void> {
      const afterPaying = diary.taken.includes(paymentId)
      await Promise.all(
        Array.from({ length: tabs }, async () => {
          const answer = await persist('coming back', () => client.returnsToShop(paymentId))
          if (!answer || answer === 'done' || answer.status !== 200) return
          const { success, orderId } = answer.body
          diary.outcomes.push({ paymentId, success, ...(orderId && { orderNumber: orderId }), afterPaying })
        }),
      )
    },
    async startsWallet({ to }: Pick<StartedPayment, 'to'>): Promise<string | undefined> {
      for (;;) {
        const answer = await persist('wallet start', () => client.startsWallet(to))
        if (!answer || answer === 'done') return undefined
        if (answer.status === 200) return answer.body.id
        if ((answer.body as { code?: string }).code !== 'summary_changed') return undefined
      }
    },
    approves: (order: string, as = 'approve') => client.approves(order, as),
    /** Captures the PayPal order. @param clicks concurrent requests */
    async takesMoney(order: string, clicks = 1): Promise<void> {
      await Promise.all(
        Array.from({ length: clicks }, async () => {
          for (let time = 0; time < 20; time += 1) {
            const answer = await persist('capture', () => client.captures(order))
            if (!answer || answer === 'done' || answer.status !== 200) return
            if (answer.body.status === 'COMPLETED') return void diary.taken.push(order)
            if (answer.body.status === 'PENDING') return
            await wait(PAUSE_MS)
          }
        }),
      )
    },
    async asksAboutWallet(order: string): Promise<void> {
      const afterPaying = diary.taken.includes(order)
      const answer = await persist('wallet outcome', () => client.processes(order))
      if (!answer || answer === 'done' || answer.status !== 200) return
      const { success, status, orderNumber } = answer.body
      if (status === 'PROCESSING' || status === 'PENDING_REVIEW') return
      diary.outcomes.push({ paymentId: order, success, ...(orderNumber && { orderNumber }), afterPaying })
    },
  }

  async function passesCheck(paymentId: string, secret: string): Promise<ConfirmationAnswer> {
    const answer = await fetch(`${simulators.stripe.url}/sandbox/3ds/${paymentId}`, {
      method: 'POST',
      body: new URLSearchParams({
        key: simulators.settings['STRIPE_PUBLISHABLE_KEY'] ?? '',
        client_secret: secret,
        outcome: 'authenticated',
      }),
    })
    return (await answer.json()) as ConfirmationAnswer
  }
}

const cardStart = async (browser: Browser): Promise<StartedPayment | undefined> => {
  await browser.fillsCart()
  return browser.startsCard(browser.somewhere())
}

async function paysAndReturns(browser: Browser, card?: string, tabs = 1): Promise<void> {
  const paying = await cardStart(browser)
  if (paying && (await browser.paysByCard(paying, card))) await browser.comesBack(paying, tabs)
}

const walletStart = async (browser: Browser): Promise<string | undefined> => {
  await browser.fillsCart()
  return browser.startsWallet({ to: browser.somewhere() })
}

/** How people pay. */
const habits: readonly [name: string, play: (browser: Browser) => Promise<void>][] = [
  ['card, comes back', (browser) => paysAndReturns(browser)],
  ['card, comes back in three tabs', (browser) => paysAndReturns(browser, cards.pays, 3)],
  ['card with an extra check', (browser) => paysAndReturns(browser, cards.challenged)],
  [
    'card, closes the browser',
    async (browser) => {
      const paying = await cardStart(browser)
      if (paying) await browser.paysByCard(paying)
    },
  ],
  [
    'card declined, then another',
    async (browser) => {
      const paying = await cardStart(browser)
      if (!paying) return
      await browser.paysByCard(paying, cards.declined)
      if (await browser.paysByCard(paying)) await browser.comesBack(paying)
    },
  ],
  [
    'changes the cart after the form',
    async (browser) => {
      if (!(await cardStart(browser))) return
      await browser.fillsCart()
      const paying = await browser.startsCard(browser.somewhere())
      if (paying && (await browser.paysByCard(paying))) await browser.comesBack(paying)
    },
  ],
  ['leaves at the form', async (browser) => void (await cardStart(browser))],
  [
    'wallet',
    async (browser) => {
      const order = await walletStart(browser)
      if (!order) return
      await browser.approves(order)
      await browser.takesMoney(order)
      await browser.asksAboutWallet(order)
    },
  ],
  [
    'wallet, five clicks',
    async (browser) => {
      const order = await walletStart(browser)
      if (!order) return
      await browser.approves(order)
      await browser.takesMoney(order, 5)
    },
  ],
  [
    'wallet, closes the browser after agreeing',
    async (browser) => {
      const order = await walletStart(browser)
      if (order) await browser.approves(order)
    },
  ],
  [
    'wallet whose payment is reviewed',
    async (browser) => {
      const order = await walletStart(browser)
      if (!order) return
      await browser.approves(order, 'hold')
      await browser.takesMoney(order)
    },
  ],
  [
    'card and wallet at the same moment',
    async (browser) => {
      const paying = await cardStart(browser)
      const order = paying && (await browser.startsWallet(paying))
      if (!paying || !order) return
      await browser.approves(order)
      await Promise.all([
        browser.paysByCard(paying).then((isPaid) => (isPaid ? browser.comesBack(paying) : undefined)),
        browser.takesMoney(order),
      ])
    },
  ],
]
