import { setTimeout as wait } from 'node:timers/promises'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import type { Simulators } from '#sandbox/simulators.ts'
import { cards, createShopper, type Answer } from '#sandbox/world.ts'
import { oneOf } from '../../test/properties/shoppers.ts'

/** What one shopper was told, written down at the moment: the other half of what the auditors' views say. */
export type Diary = {
  shopper: number
  habit: string
  /** Payments of which the card form, or the shop about its wallet, said that the money was taken. */
  taken: string[]
  /** What the shop said of a payment after its money was taken, or while nobody could know. */
  told: { paymentId: string; success: boolean; orderNumber?: string; afterPaying: boolean }[]
  /** The most answers in the 500s and broken lines in a row while the database was there, each in words. */
  failuresInARow: readonly string[]
  /** What no shopper may ever be answered. */
  outrages: string[]
}

/** How long somebody keeps trying while the shop is away. */
const TIMEOUT_MS = 240_000
const PAUSE_MS = 150
/** A card form that says nothing for so long is sent again. */
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
  /** The shop's door, or the balancer's before it. */
  door: string
  /** Whether failures are to be expected at this moment: the database is away. */
  isExcused(): boolean
}

/** Plays one shopper to the end, who tries again as people do while a shop is away. `random` belongs to this shopper alone. */
export async function runVisit(lab: Lab, shopper: number, random: () => number): Promise<Diary> {
  const [habit, play] = oneOf(random, habits)
  const diary: Diary = { shopper, habit, taken: [], told: [], failuresInARow: [], outrages: [] }
  await play(openBrowser(lab, diary, random))
  return diary
}

type Browser = ReturnType<typeof openBrowser>

const describeAnswer = (answer: Answer<unknown> | undefined): string =>
  answer ? `${answer.status} ${(answer.body as { code?: string } | null)?.code ?? ''}`.trim() : 'without an answer'

function openBrowser({ simulators, door, isExcused }: Lab, diary: Diary, random: () => number) {
  const client = createShopper(door, simulators)
  const acknowledged = new Map<number, number>()
  let failures: readonly string[] = []
  let failedLastAt = -Infinity

  /** What two tabs meet at the same time is one failure: only who asked again after it meets the next. */
  function noteFailure(sentAt: number, words: string): void {
    if (sentAt < failedLastAt) return
    failedLastAt = performance.now()
    failures = isExcused() ? [] : [...failures, words]
    if (failures.length > diary.failuresInARow.length) diary.failuresInARow = failures
  }

  /** Sends until it is answered with something other than 'not now'. @returns undefined when patience ended */
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
        diary.outrages.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`)
      if (answer?.status === 502 && answer.headers.get('x-line') === null) diary.outrages.push(`${what}: 502`)
      await wait(PAUSE_MS)
      // A write whose answer was cut off may have been done.
      if (fromCuts && (await fromCuts())) return 'done'
    }
    diary.outrages.push(`${what}: no answer in ${TIMEOUT_MS / 1000} s`)
    return undefined
  }

  const inCart = async (): Promise<Map<number, number>> => {
    const answer = await persist('looking into the cart', () =>
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
        const ware = oneOf(random, offeredProducts)
        const quantity = 1 + Math.floor(random() * 3)
        const before = acknowledged.get(ware.variantId) ?? 0
        const isThere = async () => ((await inCart()).get(ware.variantId) ?? 0) > before
        const answer = await persist('adding', () => client.send('POST', '/api/cart', { ...ware, quantity }), isThere)
        if (answer !== 'done' && answer?.status !== 200)
          diary.outrages.push(`adding: ${answer?.status} ${JSON.stringify(answer?.body)}`)
        else acknowledged.set(ware.variantId, before + quantity)
      }
      const there = await inCart()
      for (const [variant, quantity] of acknowledged)
        if ((there.get(variant) ?? 0) < quantity)
          diary.outrages.push(`I16: ${quantity} of ${variant} were acknowledged, ${there.get(variant) ?? 0} are there`)
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
          diary.outrages.push(`payment start: ${answer.status} ${JSON.stringify(answer.body).slice(0, 160)}`)
        return undefined
      }
    },
    /** Types a card and presses 'Pay', again when the line broke. @returns whether the money was taken */
    async paysByCard({ paymentId, secret }: StartedPayment, card: string = cards.pays): Promise<boolean> {
      const giveUpAt = Date.now() + TIMEOUT_MS
      while (Date.now() < giveUpAt) {
        const asked: Promise<ConfirmationAnswer> = client
          .confirms({ payment_intent: paymentId, client_secret: secret }, card)
          .then((first) => (first.status === 'requires_action' ? passesCheck(paymentId, secret) : first))
          .catch(() => ({}))
        const said = await Promise.race([asked, wait(FORM_TIMEOUT_MS).then((): ConfirmationAnswer => ({}))])
        const status = said.status ?? said.error?.payment_intent?.status
        if (status === 'succeeded') {
          diary.taken.push(paymentId)
          return true
        }
        if (status === 'canceled' || said.error?.code === 'card_declined') return false
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
          diary.told.push({ paymentId, success, ...(orderId && { orderNumber: orderId }), afterPaying })
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
    /** The page has the money taken, with so many clicks at once. */
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
      diary.told.push({ paymentId: order, success, ...(orderNumber && { orderNumber }), afterPaying })
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
