import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EarnedOrder, Explanation } from '#contract/earnings.ts'
import type { AttributionObjection } from '#domain/partners/attribution.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }
const CARDS = {
  partners: '5555555555554444',
  strangers: '4242424242424242',
  late: '378282246310005',
  lent: '4000000000000077',
}
/** An unconfirmed email on the creator's account. */
const UNPROVEN = 'rudy.sleeps@gmail.com'

let world: World
let partner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  partner = await signedIn()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedIn() {
  const somebody = world.shopper()
  await somebody.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  return somebody
}

let streets = 100
/** An address where nobody else lives. */
const newHome = () => ({ ...addresses.newYork, line1: `${(streets += 1)} Quuxmoor Road` })

type Buying = {
  by?: ReturnType<World['shopper']>
  email?: string
  to?: object
  card?: string
  /** The link a shopper follows; null for none. */
  link?: string | null
}

/** A shopper follows the creator's link and pays, in a new browser by default. */
async function buys({ by = world.shopper(), email, to = newHome(), card, link = 'bullion' }: Buying) {
  if (email) by.customer.email = email
  await by.adds('hat')
  if (link) {
    const answer = await fetch(`${world.address}/r/${link}`, {
      redirect: 'manual',
      headers: { ...BROWSER, cookie: by.cookie() },
    })
    by.usesCookie(`${by.cookie()}; ${answer.headers.getSetCookie()[0]?.split(';', 1)[0]}`)
  }
  if (card) {
    const { body: started } = await by.startsPayment(to)
    await by.confirms(started, card)
    await by.returnsToShop(started.payment_intent)
  } else {
    const { body: started } = await by.startsWallet(to)
    await by.approves(started.id)
    await by.captures(started.id)
  }
  await world.settled()
  const { rows } = await world.shop.database.pool.query<{ order_number: string }>(
    'select order_number from shop_order order by id desc limit 1',
  )
  return rows[0]?.order_number ?? ''
}

const entryOf = async (orderNumber: string): Promise<EarnedOrder | undefined> => {
  const { body } = await partner.send<{ orders: EarnedOrder[] }>('GET', '/api/partnership/earnings/orders')
  return body.orders.find((order) => order.orderNumber === orderNumber)
}

async function owed(): Promise<number> {
  const entries = await world.audit<{ account: string; amount_cents: string }>('ledger')
  return entries.reduce(
    (all, { account, amount_cents: cents }) => (account === 'liability:commission' ? all - Number(cents) : all),
    0,
  )
}

/** The order earns nothing, and the creator's page explains why in the list and in the detail. */
async function expectOwn(orderNumber: string, objection: AttributionObjection): Promise<void> {
  expect(await entryOf(orderNumber)).toMatchObject({ objection, earned: 0 })
  const { body } = await partner.send<Explanation>('GET', `/api/partnership/earnings/why?order=${orderNumber}`)
  expect(body).toMatchObject({ why: objection, order: { earned: 0 } })
}

test('a creator earns nothing through their own browser, email, address, card or wallet, and still earns from strangers (S94)', async () => {
  const theirHome = newHome()
  await partner.send('POST', '/api/account/email', { email: UNPROVEN, password: 'partner-demo' })
  const first = await buys({ card: CARDS.strangers })
  const earned = (await entryOf(first))?.earned ?? 0
  expect(earned).toBeGreaterThan(0)
  expect(await owed()).toBe(earned)

  const browser = await signedIn()
  await expectOwn(await buys({ by: browser, card: CARDS.partners, to: theirHome }), 'own_account')
  await browser.send('POST', '/api/logout')
  await expectOwn(await buys({ by: browser, card: CARDS.partners }), 'own_browser')
  // Somebody else signs in there: the click was made while the browser was the creator's.
  const lent = await signedIn()
  const { headers } = await fetch(`${world.address}/r/bullion`, {
    redirect: 'manual',
    headers: { ...BROWSER, cookie: lent.cookie() },
  })
  const click = headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const other = world.shopper()
  await other.send('POST', '/api/register', { username: 'somebody-else', password: 'a long enough secret' })
  other.usesCookie(`${other.cookie()}; ${click}`)
  await expectOwn(await buys({ by: other, card: CARDS.lent, link: null }), 'own_browser')

  await expectOwn(await buys({ email: 'RudySleeps+gold@googlemail.com', card: CARDS.partners }), 'own_email')
  const sameDoor = { ...theirHome, line1: theirHome.line1.toUpperCase().replace('ROAD', 'Rd.') }
  await expectOwn(await buys({ to: sameDoor, card: CARDS.strangers }), 'own_address')
  await expectOwn(await buys({ card: CARDS.partners }), 'own_card')
  await expectOwn(await buys({ by: await signedIn() }), 'own_account')
  await expectOwn(await buys({}), 'own_wallet')
  expect(await owed()).toBe(earned)

  const second = await buys({ card: CARDS.strangers })
  expect(await entryOf(second)).toMatchObject({ objection: null, earned })
  expect(await owed()).toBe(2 * earned)
  // A card is stored only as a hash.
  const { rows } = await world.shop.database.pool.query<{ payer_hash: string }>(
    'select distinct payer_hash from payment',
  )
  expect(rows.every(({ payer_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
})

test('a sale that turns out to be the creator’s own is reversed before the payout, once (S94)', async () => {
  const before = await owed()
  const order = await buys({ card: CARDS.late })
  expect((await entryOf(order))?.earned).toBeGreaterThan(0)
  // Later the creator's account pays with the same card.
  await buys({ by: await signedIn(), card: CARDS.late, link: null })
  await world.advance(world.shop.config.commissionHoldingDays * DAY_MS - 10 * MINUTE_MS)
  partner = await signedIn()
  for (const _ of [1, 2]) await world.sweep()
  await world.settled()
  await expectOwn(order, 'own_card')
  expect((await entryOf(order))?.changes.map(({ kind }) => kind)).toEqual(['sale', 'own_purchase'])
  // Commission from other shoppers stays.
  expect(await owed()).toBe(before)

  const number = readOrderNumber(order)
  if (!number) throw new Error('no order')
  await refundOrder(world.shop, number, { kind: 'rest' }, 'the shopper asked', COMMAND)
  await world.settled()
  expect(await owed()).toBe(before)
})
