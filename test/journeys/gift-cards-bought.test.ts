import { randomUUID } from 'node:crypto'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListedGiftCard } from '#contract/admin-gift-cards.ts'
import { cents, type Cents } from '#shared/money.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { dayIn, hourOfDay } from '#shared/time-zone.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { addresses, cards, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectGiftCardsAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
})
afterAll(() => world[Symbol.asyncDispose]())

type Shopper = ReturnType<World['shopper']>
type Started = { intentId: string; clientSecret: string; amount: number }
type Shown = { state: string; amount: number; buyer: string; recipient: string; sendsOn: string | null }
type Refused = { code: string; message: string; fields: Record<string, string> }

/** Tests advance the clock, which signs the owner out, or asks for the password again. */
async function asOwner<Body>(method: string, path: string, body?: object) {
  const answer = await owner.send<Body & { code?: string }>(method, path, body)
  if (answer.status !== 401 && answer.body.code !== 'password_needed') return answer
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send<Body>(method, path, body)
}

/** Emails of one purchase alone. */
function wanted(amount: number) {
  const name = randomUUID()
  return {
    requestKey: randomUUID(),
    amount,
    email: `buyer-${name}@example.com`,
    recipientEmail: `to-${name}@example.com`,
  }
}
type Wanted = ReturnType<typeof wanted>

async function begins(shopper: Shopper, purchase: Wanted & { from?: string; message?: string }): Promise<string> {
  const answer = await shopper.send<{ token: string }>('POST', '/api/gift-card', purchase)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.token
}

const shows = async (token: string) =>
  (await world.shopper().send<Shown>('GET', `/api/gift-card?token=${encodeURIComponent(token)}`)).body

async function starts(token: string): Promise<Started> {
  const answer = await world.shopper().send<Started>('POST', '/api/gift-card/pay', { token })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const confirms = ({ intentId, clientSecret }: Started, card?: string) =>
  world.shopper().confirms({ payment_intent: intentId, client_secret: clientSecret }, card)

/** Somebody buys a card. @returns its code, as its recipient has it */
async function bought(amount: number) {
  const purchase = wanted(amount)
  const token = await begins(world.shopper(), purchase)
  const started = await starts(token)
  await confirms(started)
  await world.shopper().returnsToShop(started.intentId)
  await world.settled()
  return { purchase, token, intentId: started.intentId, key: `stripe:${started.intentId}`, code: codeFor(purchase) }
}

type Captured = Refused & { status: string }

/** A purchase and its PayPal order. */
async function startsWallet(amount: number) {
  const purchase = wanted(amount)
  const token = await begins(world.shopper(), purchase)
  const { status, body } = await walletOf(token)
  expect(status, JSON.stringify(body)).toBe(200)
  return { purchase, token, id: body.id }
}
const walletOf = (token: string) =>
  world.shopper().send<Refused & { id: string }>('POST', '/api/gift-card/wallet', { token })
/** As the page does: it asks again while somebody else, such as a webhook's job, captures. */
async function captures(token: string, id: string) {
  const path = `/api/gift-card/wallet/${id}/capture`
  for (let tries = 0; ; tries += 1) {
    const answer = await world.shopper().send<Captured>('POST', path, { token })
    if (answer.body.status !== 'processing' || tries > 100) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function boughtByWallet(amount: number) {
  const started = await startsWallet(amount)
  await world.shopper().approves(started.id)
  expect((await captures(started.token, started.id)).body.status).toBe('paid')
  await world.settled()
  return { ...started, key: `paypal:${started.id}`, code: codeFor(started.purchase) }
}
const isCaptured = (id: string) =>
  (world.simulators.paypal.ledger().payments as { id: string; status: string }[]).some(
    (payment) => payment.id === id && payment.status === 'COMPLETED',
  )

const mailsTo = (email: string) => world.mailbox.list().filter(({ to }) => to.includes(email))
const codeIn = (text: string) => /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(text)?.[0]
const codeFor = ({ recipientEmail }: Wanted): string =>
  mailsTo(recipientEmail).flatMap(({ text }) => codeIn(text) ?? [])[0] ?? ''

const listed = async ({ recipientEmail }: Wanted): Promise<ListedGiftCard> => {
  const { body } = await asOwner<{ cards: ListedGiftCard[] }>(
    'GET',
    `/api/admin/gift-cards?search=${encodeURIComponent(recipientEmail)}`,
  )
  expect(body.cards).toHaveLength(1)
  const [card] = body.cards
  if (!card) throw new Error('no card')
  return card
}

const types = (shopper: Shopper, code: string) => shopper.send<Refused>('POST', '/api/cart/code', { code })

/** Buys a mug with a code; the rest is paid by card. */
async function spends(code: string) {
  const shopper = world.shopper()
  await shopper.adds('mug')
  expect((await types(shopper, code)).status).toBe(200)
  const { body: started } = await shopper.startsPayment(addresses.newYork)
  const { summary } = started as unknown as { summary: { giftCard?: { amount: Cents } } }
  return { shopper, started, byCard: summary.giftCard?.amount ?? 0 }
}

async function spendsAndPays(code: string) {
  const { shopper, started, byCard } = await spends(code)
  await shopper.confirms(started)
  const { body } = await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  const order = (await ordersOf(world)).find(({ order_number: number }) => number === String(body.orderId))
  if (!order) throw new Error('no order')
  return { order, byCard }
}

const refunds = (id: number, amount: number) =>
  asOwner<Refused>('POST', `/api/admin/gift-cards/${id}/refund`, { amount, reason: 'Asked for it back' })

type Entry = { posting_id: string; account: string; amount_cents: string; payment_key: string | null }
const entries = () => world.audit<Entry>('ledger')
const balanceOf = async (account: string, key?: string) =>
  (await entries())
    .filter((entry) => entry.account === account && (key === undefined || entry.payment_key === key))
    .reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)

const dispute = (intentId: string) =>
  world.simulators.stripe.change({ change: 'dispute', payment_intent: intentId }) as unknown as Promise<{ id: string }>

test('a card is bought, its recipient has the code and its buyer a receipt, and it pays parts of two orders; a refund restores it', async () => {
  const purchase = { ...wanted(3000), from: 'Grace', message: 'Happy birthday!' }
  const token = await begins(world.shopper(), purchase)
  const { email: buyer, recipientEmail: recipient } = purchase
  expect(await shows(token)).toEqual({ state: 'unpaid', amount: 3000, buyer, recipient, sendsOn: null })
  const started = await starts(token)
  expect(await starts(token)).toEqual(started)
  expect(mailsTo(purchase.recipientEmail)).toEqual([])
  await confirms(started)
  const { body } = await world.shopper().returnsToShop(started.intentId)
  expect(body).toMatchObject({ success: true, status: 'paid' })
  await world.settled()
  expect(await shows(token)).toMatchObject({ state: 'paid', buyer: 'b***@example.com', recipient: 't***@example.com' })
  const key = `stripe:${started.intentId}`
  expect(await balanceOf('liability:gift_cards', key)).toBe(-3000)
  expect(await balanceOf('provider:stripe', key)).toBeLessThanOrEqual(3000)
  const kinds = (await entries()).filter(({ payment_key: of }) => of === key).map(({ account }) => account)
  expect(kinds.filter((account) => /revenue|tax|commission|store_credit/.test(account))).toEqual([])

  const [card] = mailsTo(purchase.recipientEmail)
  expect(card?.text).toContain('Happy birthday!')
  expect(card?.text).toContain('Grace')
  const [receipt] = mailsTo(purchase.email)
  expect(receipt?.text).toContain(purchase.recipientEmail)
  expect(codeIn(receipt?.text ?? '')).toBeUndefined()
  expect(receipt?.text).toContain(`/gift-card?token=${token}`)
  const code = codeFor(purchase)
  const { pool } = world.shop.database
  const stored = JSON.stringify([
    (await pool.query('select * from gift_card_purchase')).rows,
    (await pool.query('select * from gift_card')).rows,
    (await pool.query(`select * from mail where kind like 'gift_card%'`)).rows,
  ])
  expect(stored).not.toContain(code)
  expect(stored).not.toContain(code.replaceAll('-', ''))

  const first = await spendsAndPays(code)
  const second = await spendsAndPays(code)
  expect(first.byCard + second.byCard).toBe(3000)
  expect(await listed(purchase)).toMatchObject({
    state: 'active',
    balance: 0,
    purchase: { buyer: purchase.email, refundable: 0 },
  })
  const number = readOrderNumber(second.order.order_number)
  if (!number) throw new Error('no number')
  await refundOrder(world.shop, number, { kind: 'rest' }, 'asked', COMMAND)
  await world.settled()
  expect(await listed(purchase)).toMatchObject({ balance: second.byCard })
  await expectBooksAgree(world)
  await expectNoPaymentLost(world)
})

describe('exactly one card', () => {
  test('when webhook, return and sweep come at once', async () => {
    const purchase = wanted(2000)
    const started = await starts(await begins(world.shopper(), purchase))
    await confirms(started)
    await Promise.all([
      ...Array.from({ length: 8 }, () => world.settle(started.intentId)),
      ...Array.from({ length: 4 }, () => world.shopper().returnsToShop(started.intentId)),
      world.sweep(),
    ])
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 2000 })
    expect(mailsTo(purchase.recipientEmail)).toHaveLength(1)
    expect(mailsTo(purchase.email)).toHaveLength(1)
    await expectBooksAgree(world)
    await expectNoPaymentLost(world)
  })

  test('when the form is sent twice and paid in two tabs', async () => {
    const purchase = wanted(2300)
    const tokens = await Promise.all([1, 2].map(() => begins(world.shopper(), purchase)))
    expect(tokens[0]).toBe(tokens[1])
    const [one, two] = await Promise.all(tokens.map(starts))
    expect(one).toEqual(two)
    const other = await world.shopper().send<Refused>('POST', '/api/gift-card', { ...purchase, amount: 5000 })
    expect([other.status, other.body.code]).toEqual([409, 'gift_card_purchase_closed'])
  })
})

test('unpaid for a day, a purchase is over and its payment canceled; the link says so', async () => {
  const purchase = wanted(2400)
  const token = await begins(world.shopper(), purchase)
  const started = await starts(token)
  await world.advance(DAY_MS + MINUTE_MS)
  await world.sweep()
  const paid = await confirms(started)
  expect(paid.status).not.toBe('succeeded')
  const answer = await world.shopper().send<Refused>('GET', `/api/gift-card?token=${token}`)
  expect([answer.status, answer.body.code]).toEqual([404, 'unknown_gift_card_purchase'])
  const { rows } = await world.shop.database.pool.query('select 1 from gift_card_purchase where payment_key is null')
  expect(rows).toEqual([])
})

test('after five declined cards it can’t be paid any more', async () => {
  const token = await begins(world.shopper(), wanted(2500))
  const started = await starts(token)
  for (let nth = 0; nth < 5; nth += 1) await confirms(started, cards.declined)
  await world.settled()
  expect(await shows(token)).toMatchObject({ state: 'closed' })
  expect((await confirms(started)).status).not.toBe('succeeded')
  const again = await world.shopper().send<Refused>('POST', '/api/gift-card/pay', { token })
  expect([again.status, again.body.code]).toEqual([409, 'gift_card_purchase_closed'])
})

describe('a refund by the owner', () => {
  test('pays back what is left, once; the card is worth nothing, and what was spent stays spent', async () => {
    const { purchase, token, code, key } = await bought(9000)
    const { byCard } = await spendsAndPays(code)
    const { id } = await listed(purchase)
    expect((await asOwner<Refused>('POST', `/api/admin/gift-cards/${id}/void`, { reason: 'No' })).body.code).toBe(
      'gift_card_bought',
    )
    expect((await refunds(id, 9000)).body.code).toBe('refund_changed')
    const left = 9000 - byCard
    const answers = await Promise.all([refunds(id, left), refunds(id, left)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'void', balance: 0, lost: 0, purchase: { refundable: 0 } })
    expect(await shows(token)).toMatchObject({ state: 'refunded' })
    expect(await balanceOf('liability:unassigned_payments', key)).toBe(0)
    expect((await types(world.shopper(), code)).status).toBe(422)
    await expectBooksAgree(world)
    await expectNoPaymentLost(world)
    await world.advance(7 * HOUR_MS)
    await reconcile(world.shop, 'owner')
    const exceptions = await world.audit<{ kind: string; about: string | null }>('exceptions')
    expect(exceptions.filter(({ about }) => about === `payment:${key}`)).toEqual([])
  })

  test('that the bank returns can be made again', async () => {
    const { purchase, key } = await bought(4000)
    const { id } = await listed(purchase)
    await refunds(id, 4000)
    await world.settled()
    const made = (await world.audit<{ payment_key: string; provider_refund_id: string }>('refunds')).find(
      (row) => row.payment_key === key,
    )
    await world.simulators.stripe.change({ change: 'fail_refund', refund: made?.provider_refund_id })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 0, purchase: { refundable: 4000 } })
    expect((await refunds(id, 4000)).status).toBe(200)
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ purchase: { refundable: 0 } })
    await expectBooksAgree(world)
  })

  test('while somebody pays with it: it is either used or refunded', async () => {
    const { purchase, code } = await bought(1000)
    const { id } = await listed(purchase)
    const { shopper, started, byCard } = await spends(code)
    expect(byCard).toBe(1000)
    await shopper.confirms(started)
    const [refunded] = await Promise.all([refunds(id, 1000), shopper.returnsToShop(started.payment_intent)])
    await world.settled()
    const order = (await ordersOf(world)).find(({ payment_key: key }) => key === `stripe:${started.payment_intent}`)
    expect(refunded.status === 200).toBe(order === undefined)
    expect(await listed(purchase)).toMatchObject({ balance: 0, lost: 0 })
    await expectBooksAgree(world)
    await expectNoPaymentLost(world)
  })
})

describe('paid by PayPal', () => {
  test('it is one card, however often it is captured, and no tax, address or revenue', async () => {
    const { purchase, token, id } = await startsWallet(4200)
    expect((await walletOf(token)).body.id).toBe(id)
    expect((await captures(token, id)).body.code).toBe('wallet_not_approved')
    await world.shopper().approves(id)
    const answers = await Promise.all([captures(token, id), captures(token, id), world.sweep()])
    for (const answer of answers) if ('body' in answer) expect(['paid', 'processing']).toContain(answer.body.status)
    await world.settled()
    expect(await shows(token)).toMatchObject({ state: 'paid', buyer: 'b***@example.com' })
    expect(await listed(purchase)).toMatchObject({ state: 'active', balance: 4200, purchase: { refundable: 4200 } })
    expect(mailsTo(purchase.recipientEmail)).toHaveLength(1)
    expect(mailsTo(purchase.email)).toHaveLength(1)
    const of = (await entries()).filter(({ payment_key: key }) => key === `paypal:${id}`)
    expect(of.filter(({ account }) => /revenue|tax|commission|store_credit/.test(account))).toEqual([])
    expect(await balanceOf('liability:gift_cards', `paypal:${id}`)).toBe(-4200)
    expect((await captures(token, id)).body.status).toBe('paid')
    expect((await walletOf(token)).body.code).toBe('gift_card_purchase_closed')
    expect((await spendsAndPays(codeFor(purchase))).byCard).toBeGreaterThan(0)
    await expectBooksAgree(world)
    await expectNoPaymentLost(world)
  })

  test('an approved payment is captured although the browser was closed', async () => {
    const { purchase, id } = await startsWallet(1700)
    await world.shopper().approves(id)
    await world.sweep()
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 1700 })
  })

  test('a payment that the bank declines charges nothing and can be repeated; another purchase’s is unknown', async () => {
    const { purchase, token, id } = await startsWallet(1800)
    await world.shopper().approves(id, 'INSTRUMENT_DECLINED')
    const declined = await captures(token, id)
    await world.settled()
    expect([declined.status, declined.body.code]).toEqual([402, 'wallet_declined'])
    expect(await shows(token)).toMatchObject({ state: 'unpaid' })
    const other = await startsWallet(1800)
    expect((await captures(other.token, id)).body.code).toBe('unknown_payment')
    expect((await walletOf(token)).body.id).toBe(id)
    await world.shopper().approves(id)
    expect((await captures(token, id)).body.status).toBe('paid')
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 1800 })
  })

  test('paid in one tab, it can’t be paid by card in the other', async () => {
    const { purchase, token, id } = await startsWallet(1900)
    const card = await starts(token)
    await world.shopper().approves(id)
    await captures(token, id)
    await world.settled()
    expect((await confirms(card)).status).not.toBe('succeeded')
    expect(await listed(purchase)).toMatchObject({ balance: 1900 })
  })

  test('paid by card first, PayPal is never charged', async () => {
    const { token, id } = await startsWallet(1900)
    const card = await starts(token)
    await confirms(card)
    await world.shopper().returnsToShop(card.intentId)
    await world.settled()
    await world.shopper().approves(id)
    const late = await captures(token, id)
    await world.sweep()
    await world.settled()
    expect([late.status, late.body.code]).toEqual([409, 'gift_card_purchase_closed'])
    expect(isCaptured(id)).toBe(false)
  })

  test('under review there is no card yet and nothing else pays for it; released, there is one', async () => {
    const { purchase, token, id } = await startsWallet(2600)
    const card = await starts(token)
    await world.shopper().approves(id, 'hold')
    expect((await captures(token, id)).body.status).toBe('held')
    await world.settled()
    expect(await shows(token)).toMatchObject({ state: 'processing' })
    expect((await confirms(card)).status).not.toBe('succeeded')
    const again = await world.shopper().send<Refused>('POST', '/api/gift-card/pay', { token })
    expect([again.status, again.body.code]).toEqual([409, 'gift_card_purchase_closed'])
    await world.advance(2 * DAY_MS)
    await world.sweep()
    expect(await shows(token)).toMatchObject({ state: 'processing' })
    await world.simulators.paypal.change({ change: 'release', order: id })
    await world.settled()
    expect(await shows(token)).toMatchObject({ state: 'paid' })
    expect(await listed(purchase)).toMatchObject({ balance: 2600 })
    expect(mailsTo(purchase.recipientEmail)).toHaveLength(1)
  })

  test('declined after its review, its buyer is told and can pay another way', async () => {
    const { purchase, token, id } = await startsWallet(2700)
    await world.shopper().approves(id, 'hold')
    await captures(token, id)
    await world.simulators.paypal.change({ change: 'deny', order: id })
    await world.settled()
    expect(mailsTo(purchase.email).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('did not go through'),
    ])
    expect(mailsTo(purchase.recipientEmail)).toEqual([])
    expect(await shows(token)).toMatchObject({ state: 'unpaid' })
    expect((await walletOf(token)).body.id).not.toBe(id)
  })

  test('an order that expired unapproved is replaced, and the purchase ends after a day', async () => {
    const { token, id } = await startsWallet(2800)
    await world.advance(7 * HOUR_MS)
    const { id: next } = (await walletOf(token)).body
    expect(next).not.toBe(id)
    await world.advance(DAY_MS)
    await world.sweep()
    expect((await world.shopper().send('GET', `/api/gift-card?token=${token}`)).status).toBe(404)
  })

  test('a refund by the owner and one at PayPal go back there, and are taken from the card', async () => {
    const { purchase, id, key } = await boughtByWallet(5000)
    const { captureId } = await world.shop.paypal.readOrder(id)
    await world.shop.paypal.refund(captureId ?? '', cents(1000), 0, `elsewhere-${randomUUID()}`)
    await world.settled()
    const card = await listed(purchase)
    expect(card).toMatchObject({ state: 'active', balance: 4000, lost: 0, purchase: { refundable: 4000 } })
    expect((await refunds(card.id, 4000)).status).toBe(200)
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'void', balance: 0, purchase: { refundable: 0 } })
    expect(await balanceOf('liability:unassigned_payments', key)).toBe(0)
    await expectBooksAgree(world)
  })
})

describe('money that goes back at the provider', () => {
  test('is taken from the card; beyond what is left it is a loss, which a refund of an order makes up for', async () => {
    const { purchase, code, intentId, key } = await bought(6000)
    const { byCard, order } = await spendsAndPays(code)
    await world.shop.stripe.refund(intentId, cents(1000), 0, `elsewhere-${randomUUID()}`)
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'active', balance: 5000 - byCard, lost: 0 })
    await world.shop.stripe.refund(intentId, cents(5000), 0, `elsewhere-${randomUUID()}`)
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'void', balance: 0, lost: byCard })
    expect(await balanceOf('liability:unassigned_payments', key)).toBe(0)
    const number = readOrderNumber(order.order_number)
    if (!number) throw new Error('no number')
    await refundOrder(world.shop, number, { kind: 'rest' }, 'asked', COMMAND)
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 0, lost: 0 })
    expect((await types(world.shopper(), code)).status).toBe(422)
    await expectBooksAgree(world)
  })

  test('in a dispute freezes the card until that is won', async () => {
    const { purchase, code, intentId } = await bought(3100)
    const { id: disputeId } = await dispute(intentId)
    await world.settled()
    const { id, state } = await listed(purchase)
    expect(state).toBe('frozen')
    expect((await types(world.shopper(), code)).status).toBe(422)
    expect((await refunds(id, 3100)).body.code).toBe('gift_card_frozen')
    const { disputes } = (await asOwner<{ disputes: unknown[] }>('GET', `/api/admin/gift-cards/${id}/disputes`)).body
    expect(disputes).toMatchObject([
      { id: disputeId, objection: null, gaps: ['Nothing was bought with the gift card.'] },
    ])
    expect((await asOwner('POST', `/api/admin/disputes/stripe/${disputeId}/evidence`)).status).toBe(200)
    await world.settled()
    const pack = await fetch(`${world.address}/api/admin/disputes/stripe/${disputeId}/pack`, {
      headers: { cookie: owner.cookie() },
    })
    const { text } = await extractText(new Uint8Array(await pack.arrayBuffer()), { mergePages: true })
    expect(text).toContain(`Its code was emailed to ${purchase.recipientEmail}`)
    await world.simulators.stripe.change({ change: 'win_dispute', dispute: disputeId })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'active', balance: 3100 })
    expect((await spendsAndPays(code)).byCard).toBeGreaterThan(0)
  })

  test('in a dispute that comes while somebody pays with it: the payment makes no order and is refunded', async () => {
    const { code, intentId } = await bought(1000)
    const { shopper, started } = await spends(code)
    await dispute(intentId)
    await world.settled()
    await shopper.confirms(started)
    await shopper.returnsToShop(started.payment_intent)
    await world.settled()
    const exceptions = await world.audit<{ payment_key: string; kind: string }>('exceptions')
    const key = `stripe:${started.payment_intent}`
    expect(exceptions.find(({ payment_key: of }) => of === key)?.kind).toBe('gift_card_spent')
  })

  test('in a lost dispute takes what is left; what was spent is the loss', async () => {
    const { purchase, code, intentId, key } = await bought(7000)
    const { byCard } = await spendsAndPays(code)
    const before = await balanceOf('expense:disputes')
    const { id } = await dispute(intentId)
    await world.settled()
    await world.simulators.stripe.change({ change: 'lose_dispute', dispute: id })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'void', balance: 0, lost: byCard })
    expect((await balanceOf('expense:disputes')) - before).toBe(byCard)
    expect(await balanceOf('liability:unassigned_payments', key)).toBe(0)
    await expectGiftCardsAgree(world, await entries())
  })

  test('of PayPal in a dispute freezes the card; lost, it takes what is left', async () => {
    const { purchase, id, code } = await boughtByWallet(7000)
    const { byCard } = await spendsAndPays(code)
    const opened = await world.simulators.paypal.change({ change: 'dispute', order: id, chargeback: true })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'frozen' })
    expect((await types(world.shopper(), code)).status).toBe(422)
    const { dispute_id: lost } = opened as { dispute_id: string }
    await world.simulators.paypal.change({ change: 'lose_dispute', dispute: lost })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ state: 'void', balance: 0, lost: byCard })
    await expectGiftCardsAgree(world, await entries())
  })
})

test.each([
  [{ amount: 999 }, 'amount', 'Please enter an amount from $10 to $500'],
  [{ amount: 50_001 }, 'amount', 'Please enter an amount from $10 to $500'],
  [{ amount: 10.5 }, 'amount', 'Please enter an amount from $10 to $500'],
  [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
  [{ recipientEmail: '' }, 'recipientEmail', 'Please enter a valid email address'],
  [{ message: 'x'.repeat(301) }, 'message', 'Please use at most 300 characters'],
])('the buyer is told what is wrong with %j', async (wrong, field, sentence) => {
  const answer = await world.shopper().send<Refused>('POST', '/api/gift-card', { ...wanted(1000), ...wrong })
  expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
})

describe('a mistyped address', () => {
  const corrects = (id: number, email: string) =>
    asOwner<Refused & { done: string }>('POST', `/api/admin/gift-cards/${id}/recipient`, { email })

  test('is corrected by the owner: the new code has the balance, the old one is worth nothing, also in a cart', async () => {
    const { purchase, code } = await bought(5000)
    const card = await listed(purchase)
    const { shopper: stranger, started } = await spends(code)
    expect(await corrects(card.id, 'no address')).toMatchObject({ status: 422 })
    const right = wanted(5000).recipientEmail
    expect((await corrects(card.id, right)).body.done).toContain(right)
    await world.settled()

    const { body: cart } = await stranger.send<{ giftCard?: object }>('GET', '/api/cart/code')
    expect(cart.giftCard).toBeUndefined()
    expect((await stranger.confirms(started)).error).toBeDefined()
    expect((await types(world.shopper(), code)).body.code).toBe('code_unusable')
    const fresh = codeFor({ ...purchase, recipientEmail: right })
    expect(fresh).not.toBe(code)
    expect((await spendsAndPays(fresh)).byCard).toBeGreaterThan(0)
    expect(await listed({ ...purchase, recipientEmail: right })).toMatchObject({ id: card.id, issued: 5000 })
    const { rows } = await world.shop.database.pool.query<{ before: object; after: object }>(
      `select before, after from owner_action where about_kind = 'gift card' and about_id = $1 and what = 'corrected the address of'`,
      [String(card.id)],
    )
    expect(rows).toMatchObject([{ before: { ending: code.slice(-4) }, after: { ending: fresh.slice(-4) } }])
    await expectGiftCardsAgree(world, await entries())
  })

  test('of a card that has nothing left or does not exist stays', async () => {
    const { purchase } = await bought(1000)
    const card = await listed(purchase)
    await refunds(card.id, 1000)
    expect((await corrects(card.id, 'new@example.com')).body.code).toBe('gift_card_empty')
    expect((await corrects(999_999, 'new@example.com')).status).toBe(404)
  })
})

describe('sent on a day that the buyer chose', () => {
  const ZONE = 'America/New_York'
  /** A day in the shop's calendar. */
  const dayAfter = (days: number) => dayIn(ZONE, world.shop.clock.now().getTime()) + days

  async function boughtFor(day: number, amount: number) {
    const purchase = { ...wanted(amount), from: 'Grace', message: 'Merry Christmas!', sendOn: isoOfDay(day) }
    const token = await begins(world.shopper(), purchase)
    const started = await starts(token)
    await confirms(started)
    await world.shopper().returnsToShop(started.intentId)
    await world.settled()
    return { purchase, token, intentId: started.intentId }
  }
  async function waitsUntil(moment: number) {
    await world.advance(moment - world.shop.clock.now().getTime())
    await Promise.all([world.sweep(), world.sweep()])
    await world.settled()
  }
  const corrects = (token: string, email: string) =>
    world.shopper().send<Refused & { done: string }>('POST', '/api/gift-card/recipient', { token, email })

  test('its code comes that morning, once, to the corrected address; the buyer sees the day until then', async () => {
    const day = dayAfter(3)
    const { purchase, token } = await boughtFor(day, 5200)
    expect(await shows(token)).toMatchObject({ state: 'paid', sendsOn: isoOfDay(day) })
    expect(mailsTo(purchase.recipientEmail)).toEqual([])
    expect(mailsTo(purchase.email).map(({ text }) => text)).toEqual([expect.stringContaining(purchase.recipientEmail)])
    expect(await balanceOf('liability:gift_cards')).toBeLessThanOrEqual(-5200)

    const right = wanted(5200).recipientEmail
    expect((await corrects(token, 'no address')).status).toBe(422)
    expect((await corrects(token, right)).body.done).toContain(right)
    await world.settled()
    expect(mailsTo(purchase.email)).toHaveLength(2)
    expect(await listed({ ...purchase, recipientEmail: right })).toMatchObject({
      balance: 5200,
      purchase: { sendsOn: isoOfDay(day) },
    })

    const nine = hourOfDay(ZONE, day, 9)
    await waitsUntil(nine - MINUTE_MS)
    expect([mailsTo(right), mailsTo(purchase.recipientEmail)]).toEqual([[], []])
    await waitsUntil(nine + MINUTE_MS)
    await waitsUntil(nine + DAY_MS)
    expect(mailsTo(right).map(({ text }) => text)).toEqual([expect.stringContaining('Merry Christmas!')])
    expect(mailsTo(purchase.recipientEmail)).toEqual([])
    expect(await shows(token)).toMatchObject({ state: 'paid', sendsOn: null })
    const late = await corrects(token, purchase.recipientEmail)
    expect([late.status, late.body.code]).toEqual([409, 'gift_card_purchase_closed'])
    expect((await spendsAndPays(codeFor({ ...purchase, recipientEmail: right }))).byCard).toBeGreaterThan(0)
    const { rows } = await world.shop.database.pool.query(
      `select 1 from gift_card_purchase where buyer_email = $1 and (message is not null or sender_name is not null)`,
      [purchase.email],
    )
    expect(rows).toEqual([])
  })

  test('the owner corrects the address without sending it early', async () => {
    const day = dayAfter(2)
    const { purchase } = await boughtFor(day, 1500)
    const { id } = await listed(purchase)
    const right = wanted(1500).recipientEmail
    expect((await asOwner<Refused>('POST', `/api/admin/gift-cards/${id}/recipient`, { email: right })).status).toBe(200)
    await world.settled()
    expect(mailsTo(right)).toEqual([])
    await waitsUntil(hourOfDay(ZONE, day, 9))
    expect([mailsTo(right).length, mailsTo(purchase.recipientEmail).length]).toEqual([1, 0])
  })

  test('refunded before, it is never sent', async () => {
    const day = dayAfter(2)
    const { purchase, token } = await boughtFor(day, 1600)
    const { id } = await listed(purchase)
    expect((await refunds(id, 1600)).status).toBe(200)
    await waitsUntil(hourOfDay(ZONE, day, 10))
    expect(mailsTo(purchase.recipientEmail)).toEqual([])
    expect(await shows(token)).toMatchObject({ state: 'refunded', sendsOn: null })
  })

  test('disputed on the day, it waits for the decision: lost, it is never sent; won, it is', async () => {
    const day = dayAfter(2)
    const [lost, won] = [await boughtFor(day, 1700), await boughtFor(day, 1800)]
    const [first, second] = [await dispute(lost.intentId), await dispute(won.intentId)]
    await world.settled()
    await waitsUntil(hourOfDay(ZONE, day, 10))
    expect(mailsTo(won.purchase.recipientEmail)).toEqual([])
    await world.simulators.stripe.change({ change: 'lose_dispute', dispute: first.id })
    await world.simulators.stripe.change({ change: 'win_dispute', dispute: second.id })
    await world.settled()
    await waitsUntil(hourOfDay(ZONE, day, 11))
    expect(mailsTo(lost.purchase.recipientEmail)).toEqual([])
    expect(mailsTo(won.purchase.recipientEmail)).toHaveLength(1)
    await expectGiftCardsAgree(world, await entries())
  })

  test('today is at once, and so is no day', async () => {
    const { purchase, token } = await boughtFor(dayAfter(0), 1900)
    expect(mailsTo(purchase.recipientEmail)).toHaveLength(1)
    expect(await shows(token)).toMatchObject({ state: 'paid', sendsOn: null })
    expect((await world.shopper().send('POST', '/api/gift-card', { ...wanted(1000), sendOn: '' })).status).toBe(200)
  })

  test('an unpaid purchase can be corrected, too', async () => {
    const purchase = wanted(2000)
    const token = await begins(world.shopper(), purchase)
    const right = wanted(2000).recipientEmail
    expect((await corrects(token, right)).status).toBe(200)
    expect(await shows(token)).toMatchObject({ state: 'unpaid', recipient: right })
  })

  test.each([
    ['yesterday', () => isoOfDay(dayAfter(-1))],
    ['more than a year ahead', () => isoOfDay(dayAfter(366))],
    ['no day of the calendar', () => '2027-02-30'],
    ['no day at all', () => 'soon'],
  ])('%s is refused beside the field', async (_, sendOn) => {
    const answer = await world.shopper().send<Refused>('POST', '/api/gift-card', { ...wanted(1000), sendOn: sendOn() })
    expect([answer.status, answer.body.fields['sendOn']]).toEqual([422, expect.stringContaining('Please choose a day')])
  })
})

test('the list as a file names who paid', async () => {
  const { purchase } = await bought(2500)
  await asOwner('GET', '/api/admin/gift-cards')
  const file = await fetch(`${world.address}/api/admin/gift-cards/list`, { headers: { cookie: owner.cookie() } })
  const [head = '', ...rows] = (await file.text()).trim().split('\r\n')
  const cells = rows.find((row) => row.includes(purchase.recipientEmail))?.split(',')
  expect(cells?.[head.split(',').indexOf('Paid by')]).toContain(purchase.email)
})

test('a changed token opens nothing', async () => {
  const token = await begins(world.shopper(), wanted(1000))
  const changed = `${randomUUID()}${token.slice(36)}`
  for (const wrong of [changed, `${token}x`, 'nothing'])
    expect((await world.shopper().send('GET', `/api/gift-card?token=${wrong}`)).status).toBe(404)
})

test('a discount code takes nothing off a gift card, and tax is not asked for', async () => {
  const { key } = await bought(5000)
  const { rows } = await world.shop.database.pool.query<{ amount_cents: string }>(
    'select amount_cents from payment where payment_key = $1',
    [key],
  )
  expect(rows.map(({ amount_cents: amount }) => Number(amount))).toEqual([5000])
})

// Last in this file: no webhook comes after them.
describe('with every webhook lost there is exactly one card', () => {
  test('when the browser was closed: the sweep finds the payment', async () => {
    await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 1000 })
    const purchase = wanted(2100)
    const started = await starts(await begins(world.shopper(), purchase))
    await confirms(started)
    await world.settled()
    expect(await world.sweep()).toEqual({ settled: 1 })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 2100 })
  })

  test('when its buyer only comes back to the page', async () => {
    await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 1000 })
    const purchase = wanted(2200)
    const token = await begins(world.shopper(), purchase)
    await confirms(await starts(token))
    await world.settled()
    expect(mailsTo(purchase.recipientEmail)).toEqual([])
    expect(await shows(token)).toMatchObject({ state: 'paid' })
    await world.settled()
    expect(await listed(purchase)).toMatchObject({ balance: 2200 })
  })
})
