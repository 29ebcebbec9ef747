import { demoProducts } from '#sandbox/catalog/products.ts'
import { shuffleArray } from '#sandbox/kit/random.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { cards, createShopper } from '#sandbox/world.ts'

/** Random shoppers: a seed decides what each wants, does and sees. They know only the shop's API and the card form. */

type Piece = { productId: number; variantId: number; quantity: number }

type Place = {
  line1: string
  city: string
  state: string | null
  postal_code: string | null
  country: string
}

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

/** What the shop returned about a payment when the browser came back. */
type ReturnPageAnswer = {
  paymentId: string
  success: boolean
  orderId: string | undefined
  /** Whether the card form had already confirmed the payment. */
  afterPaying: boolean
}

/** One shopper's visit, as seen in the browser. */
export type Visit = {
  shopper: number
  habit: string
  email: string
  offers: Offer[]
  /** Payments that the card form, or the shop for its wallet, confirmed. */
  paid: string[]
  /** Wallet orders in review at the provider. */
  held: string[]
  returned: ReturnPageAnswer[]
  /** Items that should be left in the cart at the end: variant and quantity. */
  left: Pieces
  /** Answers no shopper may ever get. */
  outrages: string[]
}

/** Quantity by variant. */
export type Pieces = Map<number, number>

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
/** The countries of the alternate checkout, among these. */
const alternateCountries = new Set(
  places.map(({ country }) => country).filter((country) => !['HK', 'BR'].includes(country)),
)
/** Required for parcels to Brazil. */
const TAX_NUMBER = '529.982.247-25'

const names = ['Ada Byron', 'Åsa Ödegård', 'Jean-Luc O’Neill', 'Łukasz Żak', 'Ana María Núñez', '山田 花子']

/** How often a person retries when the shop is busy. */
const ATTEMPTS_MAX = 25

/** Stripe's error for a second payment; its payment shows the outcome of the first. */
type ConfirmationAnswer = { status?: string; error?: { code?: string; payment_intent?: { status: string } } }

/** @returns undefined when the connection broke: the outcome is unknown, and a person tries again */
async function sendOrLose<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed') return undefined
    throw error
  }
}

type Habit = (visit: Browser) => Promise<void>

/**
 * Plays one shopper.
 * @param address where the shop answers
 * @param random decides everything, and belongs to this shopper alone: concurrent shoppers do not change it
 * @returns what was seen, and a function that reads the cart later
 */
export async function visitShop(
  address: string,
  simulators: Parameters<typeof createShopper>[1],
  shopper: number,
  random: Random,
): Promise<{ visit: Visit; cart: () => Promise<Pieces> }> {
  const browser = openBrowser(address, simulators, shopper, random)
  const [habit, play] = oneOf(random, habits)
  browser.visit.habit = habit
  await play(browser)
  return { visit: browser.visit, cart: browser.cart }
}

type Browser = ReturnType<typeof openBrowser>

function openBrowser(address: string, simulators: Parameters<typeof createShopper>[1], number: number, random: Random) {
  const client = createShopper(address, simulators)
  client.customer.name = oneOf(random, names)
  const { email } = client.customer
  const cart = new Map<number, Piece>()
  /** Client secrets by payment. */
  const secrets = new Map<string, string>()
  let presses = 0
  const visit: Visit = {
    shopper: number,
    habit: '',
    email,
    offers: [],
    paid: [],
    held: [],
    returned: [],
    left: new Map(),
    outrages: [],
  }
  const remember = () => {
    visit.left = new Map([...cart.values()].map(({ variantId, quantity }) => [variantId, quantity]))
  }

  const formFor = (to: Place) => ({
    customerInfo: { ...client.customerInfo(to), ...(to.country === 'BR' && { tax_number: TAX_NUMBER }) },
  })

  /** After a broken connection the page shows what is in the cart. */
  async function looksIntoCart(): Promise<void> {
    const there = await sendOrLose(client.cart)
    if (!there) return looksIntoCart()
    cart.clear()
    for (const piece of there as unknown as Piece[]) cart.set(piece.variantId, piece)
  }

  /** Sends until there is an answer; `busy` is an answer people meet by retrying. */
  async function sendWithRetries<A extends { status: number; body: unknown }>(
    what: string,
    send: () => Promise<A>,
  ): Promise<A | undefined> {
    for (let time = 0; time < ATTEMPTS_MAX; time += 1) {
      const answer = await sendOrLose(send)
      if (!answer) continue
      if (answer.status === 200) return answer
      const code = (answer.body as { code?: string }).code ?? ''
      if (answer.status >= 500 && answer.status !== 503)
        visit.outrages.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
      if (code === 'already_paid') return undefined
      if (answer.status !== 503 && code !== 'summary_changed')
        throw new Error(`${what} answered ${answer.status} ${JSON.stringify(answer.body)}`)
      await new Promise((later) => setTimeout(later, whole(random, 5, 60)))
    }
    return undefined
  }

  return {
    visit,
    random,
    async adds(piece: Piece): Promise<void> {
      const answer = await sendOrLose(() => client.send('POST', '/api/cart', piece))
      if (answer && answer.status !== 200) throw new Error(`POST /api/cart answered ${answer.status}`)
      const known = cart.get(piece.variantId)
      if (answer) cart.set(piece.variantId, { ...piece, quantity: piece.quantity + (known?.quantity ?? 0) })
      else await looksIntoCart()
      remember()
    },
    somewhere: (): Place => ({
      line1: `${number}-${whole(random, 1, 99_999)} Elm Street`,
      ...oneOf(random, places),
    }),
    /**
     * Clicks 'Continue to Payment' this many times at the same time. @returns the current offer; undefined when nothing could
     * be started
     */
    async requestsPayment(to: Place, { times = 1, more = {} } = {}): Promise<Offer | undefined> {
      presses += 1
      const press = presses
      const pieces = [...cart.values()]
      const answers = await Promise.all(
        Array.from({ length: times }, () =>
          sendWithRetries('payment start', () => client.startsPayment(to, { ...formFor(to), ...more })),
        ),
      )
      const offers = answers.flatMap((answer): Offer[] => {
        if (!answer) return []
        const { payment_intent: paymentId, client_secret: secret, ...amounts } = answer.body
        secrets.set(paymentId, secret)
        return [
          {
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
          },
        ]
      })
      visit.offers.push(...offers)
      return offers.at(-1)
    },
    customer: client.customer,
    cart: async (): Promise<Pieces> => {
      const lines = (await client.cart()) as unknown as { variantId: number; quantity: number }[]
      return new Map(lines.map(({ variantId, quantity }) => [variantId, quantity]))
    },
    /** The alternate checkout sends the same data in another format. */
    inOtherWords: (to: Place) => ({ customerInfo: { ...client.customer, phone: '+1 555 0100', address: to } }),
    startsWrongly: (to: Place, more: object) => client.startsPayment(to, { ...formFor(to), ...more }),
    /** Types a card and clicks 'Pay', again if the connection broke. @returns whether the payment succeeded */
    /** Opens the wallet's window for the offer. @returns the same offer under the wallet order's id */
    async opensWallet(offer: Offer): Promise<Offer | undefined> {
      const started = await sendWithRetries('wallet start', () => client.startsWallet(offer.to, formFor(offer.to)))
      if (!started) return undefined
      const walletOffer = { ...offer, paymentId: started.body.id, total: await totalInWindow(started.body.id) }
      if (walletOffer.total !== offer.total)
        visit.outrages.push(`the wallet shows ${walletOffer.total}, the page ${offer.total}`)
      visit.offers.push(walletOffer)
      return walletOffer
    },
    /** Approves in the wallet's window. @param as the outcome of the capture, as in the sandbox's window */
    approves: ({ paymentId }: Offer, as = 'approve') => client.approves(paymentId, as),
    /** The page captures the payment, with this many clicks at the same time. */
    async capturesWallet({ paymentId }: Offer, times = 1): Promise<'paid' | 'held' | 'refused'> {
      const takes = await Promise.all(Array.from({ length: times }, () => take(paymentId)))
      const outcome = takes.find((take) => take !== 'refused') ?? 'refused'
      if (outcome === 'held') isHeld(paymentId)
      if (outcome === 'paid') paidFor(paymentId)
      return outcome
    },
    /** The browser is closed after the approval: the shop has to finish it. */
    isGone: ({ paymentId }: Offer) => isBought(paymentId),
    /** The page polls the wallet payment. */
    async asksAboutWallet({ paymentId }: Offer): Promise<void> {
      const afterPaying = visit.paid.includes(paymentId)
      const answer = await unlessRefused('wallet outcome', () => client.processes(paymentId))
      if (!answer || answer.body.status === 'PROCESSING' || answer.body.status === 'PENDING_REVIEW') return
      const { success, orderNumber: orderId } = answer.body
      visit.returned.push({ paymentId, success, orderId, afterPaying })
    },
    async paysByCard({ paymentId }: Offer, card: string = cards.pays): Promise<boolean> {
      for (let time = 0; time < ATTEMPTS_MAX; time += 1) {
        const outcome = await confirm(paymentId, card)
        if (outcome === 'broken') continue
        if (outcome === 'succeeded') paidFor(paymentId)
        return outcome === 'succeeded'
      }
      return false
    },
    /** Returns to the shop's page, in this many tabs at the same time. */
    async returnsToShop({ paymentId }: Offer, times = 1): Promise<void> {
      const afterPaying = visit.paid.includes(paymentId)
      const answers = await Promise.all(
        Array.from({ length: times }, () => sendWithRetries('return', () => client.returnsToShop(paymentId))),
      )
      for (const answer of answers)
        if (answer)
          visit.returned.push({
            paymentId,
            success: answer.body.success,
            orderId: answer.body.orderId,
            afterPaying,
          })
    },
  }

  /** Retries with a wallet as well, which may decline. @returns undefined if it declines */
  async function unlessRefused<A extends { status: number; body: unknown }>(
    what: string,
    send: () => Promise<A>,
  ): Promise<A | undefined> {
    for (let time = 0; time < ATTEMPTS_MAX; time += 1) {
      const answer = await sendOrLose(send)
      if (!answer) continue
      if (answer.status === 200) return answer
      if (answer.status >= 500 && answer.status !== 503)
        visit.outrages.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
      if (answer.status !== 503) return undefined
      await new Promise((later) => setTimeout(later, whole(random, 5, 60)))
    }
    return undefined
  }

  async function take(paymentId: string): Promise<'paid' | 'held' | 'refused'> {
    for (let time = 0; time < ATTEMPTS_MAX; time += 1) {
      const answer = await unlessRefused('capture', () => client.captures(paymentId))
      if (!answer) return 'refused'
      if (answer.body.status === 'COMPLETED') return 'paid'
      if (answer.body.status === 'PENDING') return 'held'
      await new Promise((later) => setTimeout(later, whole(random, 20, 100)))
    }
    return 'refused'
  }

  /** The total in the wallet's window, in cents. */
  async function totalInWindow(paymentId: string): Promise<number> {
    for (let time = 0; time < ATTEMPTS_MAX; time += 1) {
      try {
        const answer = await fetch(`${simulators.paypal.url}/sandbox/order/${paymentId}`)
        const { value } = (await answer.json()) as { value?: string }
        if (value !== undefined) return Number(value.replace('.', ''))
      } catch {
        // The window does not open; the payer tries again.
      }
    }
    return -1
  }

  /** The payment succeeded: the last offer is bought. */
  function paidFor(paymentId: string): void {
    visit.paid.push(paymentId)
    isBought(paymentId)
  }

  function isHeld(paymentId: string): void {
    visit.held.push(paymentId)
    isBought(paymentId)
  }

  /** Whatever else happens to the payment, its lines leave the cart. */
  function isBought(paymentId: string): void {
    for (const { variantId, quantity } of visit.offers.findLast((offer) => offer.paymentId === paymentId)?.pieces ??
      []) {
      const left = (cart.get(variantId)?.quantity ?? 0) - quantity
      const inCart = cart.get(variantId)
      if (left > 0 && inCart) cart.set(variantId, { ...inCart, quantity: left })
      else cart.delete(variantId)
    }
    remember()
  }

  async function confirm(paymentId: string, card: string): Promise<'succeeded' | 'refused' | 'broken'> {
    let confirmation: ConfirmationAnswer
    try {
      confirmation = await client.confirms(
        { payment_intent: paymentId, client_secret: secrets.get(paymentId) ?? '' },
        card,
      )
      if (confirmation.status === 'requires_action') confirmation = await passesCheck(paymentId)
    } catch {
      return 'broken'
    }
    const status = confirmation.status ?? confirmation.error?.payment_intent?.status
    if (status === 'succeeded') return 'succeeded'
    // An error of a failing server confirms nothing about the payment.
    return confirmation.error?.code === 'card_declined' ? 'refused' : 'broken'
  }

  async function passesCheck(paymentId: string): Promise<ConfirmationAnswer> {
    const answer = await fetch(`${simulators.stripe.url}/sandbox/3ds/${paymentId}`, {
      method: 'POST',
      body: new URLSearchParams({
        key: simulators.settings['STRIPE_PUBLISHABLE_KEY'] ?? '',
        client_secret: secrets.get(paymentId) ?? '',
        outcome: 'authenticated',
      }),
    })
    return (await answer.json()) as ConfirmationAnswer
  }
}

const somePieces = ({ random }: Browser): Piece[] =>
  shuffleArray(offeredProducts, random)
    .slice(0, whole(random, 1, 4))
    .map((ware) => ({ ...ware, quantity: random() < 0.1 ? whole(random, 4, 40) : whole(random, 1, 3) }))

async function fillsCart(browser: Browser): Promise<void> {
  for (const piece of somePieces(browser)) await browser.adds(piece)
}

async function opensWallet(browser: Browser): Promise<Offer | undefined> {
  await fillsCart(browser)
  const offer = await browser.requestsPayment(browser.somewhere())
  return offer && browser.opensWallet(offer)
}

/** How people shop. */
const habits: readonly [name: string, play: Habit][] = [
  [
    'pays and comes back',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (offer && (await browser.paysByCard(offer))) await browser.returnsToShop(offer)
    },
  ],
  [
    'pays and closes the browser',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (offer) await browser.paysByCard(offer)
    },
  ],
  [
    'clicks everything three times',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere(), { times: 3 })
      if (!offer) return
      await Promise.all([browser.paysByCard(offer), browser.returnsToShop(offer)])
      await browser.returnsToShop(offer, 3)
    },
  ],
  [
    'changes cart and address before paying',
    async (browser) => {
      await fillsCart(browser)
      await browser.requestsPayment(browser.somewhere())
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (offer && (await browser.paysByCard(offer))) await browser.returnsToShop(offer)
    },
  ],
  [
    'puts something more into the cart after paying',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (!offer || !(await browser.paysByCard(offer))) return
      await fillsCart(browser)
      await browser.returnsToShop(offer)
    },
  ],
  [
    'has a card declined, then pays with another',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (!offer) return
      await browser.paysByCard(offer, cards.declined)
      await browser.returnsToShop(offer)
      if (await browser.paysByCard(offer)) await browser.returnsToShop(offer)
    },
  ],
  [
    'has a card declined and leaves',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (offer && !(await browser.paysByCard(offer, cards.declined))) await browser.returnsToShop(offer)
    },
  ],
  [
    'passes an extra check',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      if (offer && (await browser.paysByCard(offer, cards.challenged))) await browser.returnsToShop(offer, 2)
    },
  ],
  [
    'looks at the payment form and leaves',
    async (browser) => {
      await fillsCart(browser)
      await browser.requestsPayment(browser.somewhere())
    },
  ],
  [
    'sends a price of its own first',
    async (browser) => {
      await fillsCart(browser)
      const to = browser.somewhere()
      const cheated = await browser.startsWrongly(to, { amount: 50, subtotal: 50, shippingCost: 0 })
      if (cheated.status === 200) browser.visit.outrages.push('a price of the browser’s own was taken')
      const offer = await browser.requestsPayment(to)
      if (offer && (await browser.paysByCard(offer))) await browser.returnsToShop(offer)
    },
  ],
  [
    'uses the other checkout',
    async (browser) => {
      await fillsCart(browser)
      let to = browser.somewhere()
      while (!alternateCountries.has(to.country)) to = browser.somewhere()
      const offer = await browser.requestsPayment(to, { more: browser.inOtherWords(to) })
      if (offer && (await browser.paysByCard(offer))) await browser.returnsToShop(offer)
    },
  ],
  [
    'pays by wallet',
    async (browser) => {
      const wallet = await opensWallet(browser)
      if (!wallet) return
      await browser.approves(wallet)
      await browser.capturesWallet(wallet)
      await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'agrees in the wallet’s window and closes the browser',
    async (browser) => {
      const wallet = await opensWallet(browser)
      if (!wallet) return
      await browser.approves(wallet)
      browser.isGone(wallet)
    },
  ],
  [
    'clicks five times after the wallet’s window',
    async (browser) => {
      const wallet = await opensWallet(browser)
      if (!wallet) return
      await browser.approves(wallet)
      if ((await browser.capturesWallet(wallet, 5)) === 'paid') await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'pays by a wallet that reviews the payment',
    async (browser) => {
      const wallet = await opensWallet(browser)
      if (!wallet) return
      await browser.approves(wallet, 'hold')
      await browser.capturesWallet(wallet)
      await browser.asksAboutWallet(wallet)
    },
  ],
  [
    'has the wallet declined, then pays by card',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      const wallet = offer && (await browser.opensWallet(offer))
      if (!wallet) return
      await browser.approves(wallet, 'decline')
      if ((await browser.capturesWallet(wallet)) !== 'refused') return
      if (await browser.paysByCard(offer)) await browser.returnsToShop(offer)
    },
  ],
  [
    'pays by card and by wallet at the same moment',
    async (browser) => {
      await fillsCart(browser)
      const offer = await browser.requestsPayment(browser.somewhere())
      const wallet = offer && (await browser.opensWallet(offer))
      if (!wallet) return
      await browser.approves(wallet)
      const paysBoth = [
        browser.paysByCard(offer).then((paid) => (paid ? browser.returnsToShop(offer) : undefined)),
        browser.capturesWallet(wallet),
      ]
      await Promise.all(paysBoth)
    },
  ],
  [
    'buys twice',
    async (browser) => {
      for (let time = 0; time < 2; time += 1) {
        await fillsCart(browser)
        const offer = await browser.requestsPayment(browser.somewhere())
        if (!offer || !(await browser.paysByCard(offer))) return
        await browser.returnsToShop(offer)
      }
    },
  ],
]
