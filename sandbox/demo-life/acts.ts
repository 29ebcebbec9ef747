// cspell:ignore duckduckgo goldblog
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { VISITS_PATH } from '#contract/visit-path.ts'
import type { seededRandom } from '#sandbox/kit/random.ts'
import type { Answer, World } from '#sandbox/world.ts'
import { regions } from './people.ts'

export type Shopper = ReturnType<World['shopper']>
type How = 'card' | 'wallet'

export type Order = {
  number: string
  shopper: Shopper
  how: How
  /** The provider's id of its payment. */
  payment: string
  /** Days since the label opened. */
  day: number
  buying: string
  /** Opens the order's page; empty until its confirmation has arrived. */
  token: string
}

type Refund = { kind: 'rest' } | { kind: 'pieces'; pieces: readonly { position: number; quantity: number }[] }

const browsers = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/149.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/149.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36',
] as const

/** Hosts that visitors came from; empty for those who typed the address or tapped a link in an app. */
const referrers = ['', '', '', '', 'www.google.com', 'duckduckgo.com', 'www.youtube.com', 'www.youtube.com'] as const
const rareReferrers = ['www.instagram.com', 'www.reddit.com', 'www.tiktok.com', 'goldblog.example'] as const

/** What is bought, most wanted first: words of the product's name. */
const wanted: readonly string[] = [
  ...['market closed', 'opening bell', 'asleep at the vault', 'bid, ask, nap', 'second coffee', 'case reopened'],
  ...['after hours', 'nightcap', 'bubble problem', 'fully allocated', 'flat market', 'leaf tea', 'shade standard'],
  ...['no further questions', 'quarterly nap', 'exhibit a', 'approximately round'],
]

/** Declined: without a reason, for lack of funds, and expired. */
const declinedCards = ['4000000000000002', '4000000000009995', '4000000000000069'] as const

/** Searches, half of which find nothing: what the label could make next. */
const searches = [
  ...['mug', 'hat', 'vault', 'blanket', 'nap', 'hoodie', 'socks', 'dog bandana', 'phone case', 'hoodie', 'calendar'],
  ...['cat sweater', 'puzzle', 'rudy plush'],
] as const

/** What people of the demo do, each through the shop's own calls. Who and what is decided by the seed alone, never by what the shop answers. */
export function openActs(world: World, random: ReturnType<typeof seededRandom>) {
  let people = 0
  const products: { id: number; name: string }[] = []

  function pick<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(random() * from.length)]
    return chosen ?? fail('There is nothing to choose from.')
  }

  async function signedIn(username: string, password: string): Promise<Shopper> {
    const person = world.shopper()
    taken(await person.send('POST', '/api/login', { username, password }))
    return person
  }
  const asOwner = () => signedIn('owner', 'owner-demo')

  /** Somebody with a name, an address and an email that is used once. */
  function somebody(): { shopper: Shopper; to: object } {
    let at = random() * 100
    const region = regions.find(({ weight }) => (at -= weight) < 0) ?? regions[0]
    if (!region) return fail('Nobody lives anywhere.')
    const [first, last, to] = [pick(region.first), pick(region.last), pick(region.places)]
    people += 1
    const shopper = world.shopper(pick(browsers))
    const plain = `${first}.${last}`
      .normalize('NFD')
      .replaceAll(/[^A-Za-z.]/g, '')
      .toLowerCase()
    Object.assign(shopper.customer, { name: `${first} ${last}`, email: `${plain}.${people}@mail.example` })
    return { shopper, to }
  }

  const mailTo = (email: string, subject: string) =>
    world.mailbox.list().find(({ to, subject: whole }) => to === email && whole.includes(subject))

  const reports = (shopper: Shopper, steps: readonly { step: string; about: number }[], from = '') =>
    shopper.send('POST', VISITS_PATH, { steps, from })

  /** Somebody looks at products and leaves. @param link of a partner, clicked before */
  async function visits(link: string | undefined): Promise<void> {
    if (products.length === 0)
      products.push(...(await world.shopper().send<{ id: number; name: string }[]>('GET', '/api/products')).body)
    const shopper = world.shopper(pick(browsers))
    if (link !== undefined) await followsLink(shopper, link)
    const from = random() < 0.12 ? pick(rareReferrers) : pick(referrers)
    const steps = [{ step: 'visit', about: 0 }]
    const viewed = random() < 0.56 ? 1 + Math.floor(random() * 3) : 0
    if (viewed > 0) steps.push({ step: 'product', about: 0 })
    for (let view = 0; view < viewed; view += 1)
      steps.push({ step: 'view', about: products[Math.floor(random() ** 1.6 * products.length)]?.id ?? 0 })
    await reports(shopper, steps, from)
    if (random() < 0.1) taken(await shopper.send('GET', `/api/search?q=${encodeURIComponent(pick(searches))}`))
  }

  /** @returns the cookie of the click */
  async function followsLink(shopper: Shopper, code: string): Promise<string> {
    const { headers } = await shopper.send('GET', `/r/${code}`, undefined, { 'sec-fetch-dest': 'document' })
    const click = headers.getSetCookie()[0]?.split(';', 1)[0] ?? fail(`Nobody can click ${code}.`)
    shopper.usesCookie(click)
    return click
  }

  /**
   * Somebody fills a cart and may pay.
   * @param link of a partner, clicked before
   * @param code typed into the cart
   * @returns the order; undefined when they left without paying
   */
  async function buys(
    day: number,
    { link, code, giftCard }: { link?: string | undefined; code?: string | undefined; giftCard?: string } = {},
  ): Promise<Order | undefined> {
    const { shopper, to } = somebody()
    const basket = [pickProduct(), ...(random() < 0.24 ? [pickProduct()] : [])]
    const [leaves, isCard, isDeclined, from] = [random(), random() < 0.63, random() < 0.11, pick(referrers)]
    // Some try again with another card or account, most do not.
    const givesUp = isDeclined && leaves < 0.8
    const click = link === undefined ? undefined : await followsLink(shopper, link)
    await reports(
      shopper,
      ['visit', 'product'].map((step) => ({ step, about: 0 })),
      from,
    )
    for (const { words, quantity } of basket) {
      const { id } = await shopper.find(words)
      await reports(shopper, [{ step: 'view', about: id }])
      taken(await shopper.adds(words, quantity))
      // The shopper of tests forgets other cookies when its session begins.
      if (click !== undefined && !shopper.cookie().includes(click)) shopper.usesCookie(`${shopper.cookie()}; ${click}`)
    }
    if (code !== undefined) taken(await shopper.send('POST', '/api/cart/code', { code }))
    if (giftCard !== undefined) taken(await shopper.send('POST', '/api/cart/code', { code: giftCard }))
    // Most carts are left, some at the address, some at the payment.
    if (giftCard === undefined && leaves < 0.36) return undefined
    await reports(shopper, [{ step: 'checkout', about: 0 }])
    if (giftCard === undefined && leaves < 0.43) return undefined
    await reports(shopper, [{ step: 'priced', about: 0 }])
    if (giftCard === undefined && leaves < 0.45) return undefined
    const buying = basket[0]?.words ?? ''
    if (!isCard && giftCard === undefined) {
      const { id } = taken(await shopper.startsWallet(to)).body
      if (leaves < 0.47) return undefined
      if (isDeclined) {
        await shopper.approves(id, 'decline')
        await shopper.captures(id)
        if (givesUp) return undefined
      }
      await shopper.approves(id)
      taken(await shopper.captures(id))
      return { number: await numberOf(shopper), shopper, how: 'wallet', payment: id, day, buying, token: '' }
    }
    const { body: started } = taken(await shopper.startsPayment(to))
    if (giftCard === undefined && leaves < 0.47) return undefined
    if (isDeclined && giftCard === undefined) {
      await shopper.confirms(started, pick(declinedCards))
      if (givesUp) return undefined
    }
    await shopper.confirms(started)
    taken(await shopper.returnsToShop(started.payment_intent))
    const payment = started.payment_intent
    return { number: await numberOf(shopper), shopper, how: 'card', payment, day, buying, token: '' }
  }

  function pickProduct(): { words: string; quantity: number } {
    const words = wanted[Math.floor(random() ** 1.7 * wanted.length)] ?? 'mug'
    return { words, quantity: random() < 0.16 ? 2 : 1 }
  }

  async function numberOf({ customer }: Shopper): Promise<string> {
    const find = async () => {
      const { rows } = await world.shop.database.pool.query<{ number: string }>(
        'select order_number as number from audit_orders where customer_email = $1',
        [customer.email],
      )
      return rows[0]?.number
    }
    const known = await find()
    if (known !== undefined) return known
    // On a busy machine the provider's answer was late, and its webhook makes the order.
    await world.settled()
    return (await find()) ?? fail(`${customer.email} has no order.`)
  }

  /** Reads the link to the order's page in its confirmation, once it has arrived. */
  function opensConfirmation(order: Order): void {
    if (order.token !== '') return
    const { email } = order.shopper.customer
    const texts = world.mailbox.list().filter(({ to }) => to === email)
    order.token = texts.map(({ text }) => /order-confirmation\?token=([\w-]+)/.exec(text)?.[1]).find(Boolean) ?? ''
  }

  /** The shopper changes how many of the first piece an order has, within the first hour, and pays the difference. */
  async function changesQuantity(order: Order, more: number): Promise<void> {
    await world.settled()
    opensConfirmation(order)
    const { token } = order
    const guest = world.shopper()
    const { body } = taken(
      await guest.send<{ lines: { position: number; variantId: number; quantity: number }[] }>(
        'GET',
        `/api/order?token=${token}`,
      ),
    )
    const [line] = body.lines
    if (!line) return fail(`${order.number} has no lines.`)
    const { position, variantId, quantity } = line
    const lines = { changed: [{ position, variantId, quantity: quantity + more }], added: [] }
    const preview = taken(
      await guest.send<{ difference: number }>('POST', '/api/order/change/preview', { token, lines }),
    ).body
    taken(await guest.send('POST', '/api/order/change', { token, lines, difference: preview.difference }))
    const pay = taken(
      await guest.send<{ intentId: string; clientSecret: string }>('POST', '/api/order/change/pay', { token }),
    ).body
    await guest.confirms({ payment_intent: pay.intentId, client_secret: pay.clientSecret })
  }

  /** @returns whether they also confirmed it */
  async function subscribes(): Promise<void> {
    const { shopper } = somebody()
    const { email, name } = shopper.customer
    const confirms = random() >= 0.15
    taken(await shopper.send('POST', '/api/newsletter', { email, name }))
    await world.settled()
    if (confirms) await answersNewsletter(email, 'confirm')
  }

  async function answersNewsletter(email: string, wish: 'confirm' | 'leave'): Promise<void> {
    const token = /newsletter\?token=([\w-]+)/.exec(mailTo(email, '')?.text ?? '')?.[1] ?? ''
    await fetch(`${world.address}/newsletter`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        origin: world.shop.config.publicUrl ?? world.address,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ wish, token }),
    })
  }

  async function sendsLetter(letter: object): Promise<void> {
    const owner = await asOwner()
    const { body } = taken(await owner.send<{ id: number }>('POST', '/api/admin/issues', letter))
    taken(await owner.send('POST', `/api/admin/issues/${body.id}/send`))
  }

  async function makesCode(code: string, basisPoints: number): Promise<void> {
    const owner = await asOwner()
    taken(await owner.send('POST', '/api/admin/codes?accepted=1', { code, benefit: { kind: 'percent', basisPoints } }))
  }

  async function allowsPartnerCodes(): Promise<void> {
    const owner = await asOwner()
    const { body } = await owner.send<{ values: { partnerCodes: object } }>('GET', '/api/admin/settings')
    const change = { partnerCodes: { was: body.values.partnerCodes, value: { percent: 10, active: 2 } } }
    taken(await owner.send('PUT', '/api/admin/settings?accepted=1', change))
  }

  async function partnerJoins(partner: {
    username: string
    application: { name: string; channel: string; audience: string; message: string }
    shareBasisPoints: number
    code?: string
    account: object
  }): Promise<void> {
    const { username, application, shareBasisPoints, code, account } = partner
    const person = world.shopper()
    taken(await person.send('POST', '/api/register', { username, password: PARTNER_PASSWORD }))
    const email = `${username}@mail.example`
    taken(await person.send('POST', '/api/partnership/application', { ...application, email }))
    const owner = await asOwner()
    const { body } = await owner.send<{ applications: { id: number }[] }>('GET', '/api/admin/applications')
    const welcome = { shareBasisPoints, reply: 'Welcome! Your first links are in the portal.' }
    taken(await owner.send('POST', `/api/admin/applications/${body.applications[0]?.id}/accept`, welcome))
    taken(await person.send('POST', '/api/partnership/proposal', { version: 1 }))
    taken(await person.send('POST', '/api/partnership/links', { page: '/products', campaign: 'Video description' }))
    if (code !== undefined) taken(await person.send('POST', '/api/partnership/codes', { code, percent: 10 }))
    taken(await person.send('PUT', '/api/partnership/payout-account', account))
  }

  async function entersAccount(username: string, password: string, account: object): Promise<void> {
    const person = await signedIn(username, password)
    taken(await person.send('PUT', '/api/partnership/payout-account', account))
  }

  async function refunds({ number }: Order, refund: Refund, reason: string): Promise<void> {
    const owner = await asOwner()
    const path = `/api/admin/orders/${number}/refund`
    const { amount, limit } = taken(
      await owner.send<{ amount: number; limit: number }>('POST', `${path}/preview`, { wanted: refund }),
    ).body
    taken(await owner.send('POST', path, { wanted: refund, amount, limit, reason }))
  }

  /** The bought product's picture, askew and with a stain. */
  async function photoOf({ buying }: Order): Promise<Uint8Array<ArrayBuffer>> {
    const { body } = await world.shopper().send<{ name: string; imageUrl: string }[]>('GET', '/api/products')
    const product = body.find(({ name }) => name.toLowerCase().includes(buying))
    const picture = await (await fetch(new URL(product?.imageUrl ?? '', world.address))).arrayBuffer()
    const stain = Buffer.from(
      '<svg width="900" height="900"><path d="M520 360q70-60 130 10t40 120-130 40-90-70 50-100z" fill="#4a2c12" opacity=".8"/></svg>',
    )
    const photo = await sharp(Buffer.from(picture))
      .resize(900, 900, { fit: 'cover' })
      .composite([{ input: stain }])
      .jpeg({ quality: 70 })
      .toBuffer()
    return new Uint8Array(
      await sharp(photo).rotate(4, { background: '#b9a58c' }).modulate({ brightness: 0.85 }).jpeg().toBuffer(),
    )
  }

  async function claims(order: Order, words: string, decision: 'refund' | 'replace' | 'wait'): Promise<void> {
    const { token } = order
    const guest = world.shopper()
    const photo = taken(
      await guest.send<{ id: string }>('POST', `/api/order/claim-photos?token=${token}`, await photoOf(order)),
    )
    const pieces = [{ position: 0, quantity: 1 }]
    const claim = {
      ...{ token, submission: randomUUID(), reason: 'damaged', pieces, fit: null, words, photos: [photo.body.id] },
    }
    taken(await guest.send('POST', '/api/order/claims', claim))
    await world.settled()
    if (decision === 'replace') await replaces(order)
    if (decision !== 'refund') return
    const owner = await asOwner()
    const path = `/api/admin/orders/${order.number}/refund/preview`
    const refund = { kind: 'pieces', pieces }
    const { amount, limit } = taken(
      await owner.send<{ amount: number; limit: number }>('POST', path, { wanted: refund }),
    ).body
    const id = await claimOf(owner, order)
    taken(await owner.send('POST', `/api/admin/claims/${id}/refund`, { wanted: refund, amount, limit }))
  }

  async function claimOf(owner: Shopper, { number }: Order): Promise<number> {
    const { body } = await owner.send<{ claims: { id: number; orderNumber: string }[] }>('GET', '/api/admin/claims')
    return body.claims.find(({ orderNumber }) => orderNumber === number)?.id ?? fail(`${number} has no claim.`)
  }

  /** The owner has the pieces of an order's claim made again. */
  async function replaces(order: Order): Promise<void> {
    const owner = await asOwner()
    taken(await owner.send('POST', `/api/admin/claims/${await claimOf(owner, order)}/replace`, {}))
  }

  /** The shopper of a lost parcel wants it made again, and the owner does so. */
  async function wantsNewParcel(order: Order): Promise<void> {
    const { token } = order
    const guest = world.shopper()
    const path = '/api/order/parcel-notices'
    const { body } = taken(await guest.send<{ notices: { id: number }[] }>('GET', `${path}?token=${token}`))
    const [notice] = body.notices
    if (!notice) return fail(`${order.number} has no parcel that is late or lost.`)
    taken(await guest.send('POST', `${path}/${notice.id}/choice`, { token, choice: 'replace' }))
    await world.settled()
    await replaces(order)
  }

  async function reviews(order: Order, opinion: { stars: number; words: string }): Promise<void> {
    const { shopper, token } = order
    if (mailTo(shopper.customer.email, 'has arrived') === undefined) return
    const name = shopper.customer.name.split(' ', 1)[0]
    const review = { version: 0, ...opinion, fit: null, name, photos: [], token }
    await world.shopper().send('PUT', '/api/order/reviews/0', review)
  }

  async function asks(order: Order, question: { words: string; answer?: string }): Promise<void> {
    const { token } = order
    const message = { token, submission: randomUUID(), words: question.words, photos: [] }
    taken(await world.shopper().send('POST', '/api/order/conversation', message))
    if (question.answer === undefined) return
    const owner = await asOwner()
    const { body } = await owner.send<{ id: number }>('GET', `/api/admin/orders/${order.number}/conversation`)
    const thread = await owner.send<{ version: number }>('GET', `/api/admin/conversations/${body.id}`)
    const answer = { words: question.answer, version: thread.body.version }
    taken(await owner.send('POST', `/api/admin/conversations/${body.id}/answer`, answer))
  }

  /** @returns a function that reads the card's code, once its email has arrived */
  async function buysGiftCard(amount: number, recipient: string): Promise<() => string> {
    const { shopper } = somebody()
    const purchase = {
      ...{ requestKey: randomUUID(), amount, email: shopper.customer.email },
      ...{ recipientEmail: recipient, from: shopper.customer.name, message: 'For a hat.' },
    }
    const { body } = taken(await shopper.send<{ token: string }>('POST', '/api/gift-card', purchase))
    const started = taken(
      await shopper.send<{ intentId: string; clientSecret: string }>('POST', '/api/gift-card/pay', body),
    ).body
    await shopper.confirms({ payment_intent: started.intentId, client_secret: started.clientSecret })
    await shopper.returnsToShop(started.intentId)
    return () => /\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3}\b/.exec(mailTo(recipient, '')?.text ?? '')?.[0] ?? ''
  }

  async function paysPartners(): Promise<void> {
    const owner = await asOwner()
    const { body } = await owner.send<{ due: { partnerId: number; payable: number }[] }>('GET', '/api/admin/payouts')
    for (const { partnerId, payable } of body.due)
      if (payable > 0) taken(await owner.send('POST', '/api/admin/payouts', { partnerId, amount: payable }))
  }

  async function closesMonth(): Promise<void> {
    const owner = await asOwner()
    const { body } = await owner.send<{ next: string | null }>('GET', '/api/admin/months')
    taken(await owner.send('POST', `/api/admin/months/${body.next}/close?accepted=1`))
  }

  return {
    ...{
      pick,
      visits,
      buys,
      opensConfirmation,
      changesQuantity,
      subscribes,
      answersNewsletter,
      sendsLetter,
      makesCode,
    },
    ...{ allowsPartnerCodes, partnerJoins, entersAccount, refunds, claims, wantsNewParcel, reviews, asks },
    ...{ buysGiftCard, paysPartners, closesMonth },
  }
}

const PARTNER_PASSWORD = 'a basket in the sun'

export function fail(sentence: string): never {
  throw new Error(sentence)
}

/** @throws Error when the shop refused */
function taken<Body>(answer: Answer<Body>): Answer<Body> {
  if (answer.status >= 400) fail(`The shop answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`)
  return answer
}
