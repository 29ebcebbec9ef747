import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireQuote } from '#contract/quote.ts'
import type { AdminGiftCard } from '#contract/admin-gift-cards.ts'
import type { CartCodes } from '#contract/codes.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { formatUsd, cents } from '#shared/money.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { refundOrder, type RefundRequest } from '#server/payments/refunds.ts'
import { checkForExceptions } from '#server/reconciliation/exception-checks.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, giftCardsOf, ordersOf } from './invariants.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
})
afterAll(() => world[Symbol.asyncDispose]())

type Shopper = ReturnType<World['shopper']>
type Refused = { code: string; message: string; fields: Record<string, string>; summary?: OrderSummary }

/** Tests advance the clock, which signs the owner out. */
async function asOwner<Body>(method: string, path: string, body?: object) {
  const answer = await owner.send<Body>(method, path, body)
  if (answer.status !== 401) return answer
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send<Body>(method, path, body)
}

/** The owner gives a card. @returns its code */
async function gives(amount: number, more: object = {}): Promise<string> {
  const body = { requestKey: randomUUID(), amount, reason: 'A late parcel', ...more }
  const answer = await asOwner<{ code: string }>('POST', '/api/admin/gift-cards', body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.code
}

const listed = async (code: string): Promise<AdminGiftCard> => {
  const search = code.slice(-4)
  const { body } = await asOwner<{ cards: AdminGiftCard[] }>('GET', `/api/admin/gift-cards?search=${search}`)
  const [card] = body.cards
  if (!card) throw new Error(`no card ends with ${search}`)
  return card
}

const types = (shopper: Shopper, code: string) => shopper.send<CartCodes & Refused>('POST', '/api/cart/code', { code })

async function shopperWith(code: string, buying = 'mug', quantity = 1): Promise<Shopper> {
  const shopper = world.shopper()
  await shopper.adds(buying, quantity)
  const typed = await types(shopper, code)
  if (typed.status !== 200) throw new Error(JSON.stringify(typed.body))
  return shopper
}

type Summary = { total: number; giftCard?: { lastFour: string; amount: number } }

async function pays(shopper: Shopper, to: object = addresses.newYork) {
  const { body: started, status } = await shopper.startsPayment(to)
  expect(status).toBe(200)
  await shopper.confirms(started)
  const { body } = await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  const order = (await ordersOf(world)).find(({ order_number: number }) => number === String(body.orderId))
  const summary = (started as unknown as { summary: Summary }).summary
  return { started, order, summary, byCard: summary.giftCard?.amount ?? 0 }
}

async function buys(shopper: Shopper, to: object = addresses.newYork) {
  const { order, ...paid } = await pays(shopper, to)
  if (!order) throw new Error('no order')
  return { order, ...paid }
}

async function refunds(orderNumber: string, wanted: RefundRequest) {
  const number = readOrderNumber(orderNumber)
  if (!number) throw new Error('no number')
  await refundOrder(world.shop, number, wanted, 'asked', COMMAND)
  await world.settled()
}

type AuditRefund = { payment_key: string; amount_cents: string; status: string; gift_card_id: number | null }
const refundsOf = async (key: string | null) =>
  (await world.audit<AuditRefund>('refunds')).filter(({ payment_key: of }) => of === key)
const sumOf = (rows: readonly { amount_cents: string }[]) =>
  rows.reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)

test('a card pays a part of two orders: shown, frozen, charged and booked are the same, and tax is on the whole', async () => {
  const code = await gives(3000, { email: 'ada@example.com' })
  await world.settled()
  const mails = world.mailbox.list().filter(({ subject }) => subject.includes('$30.00'))
  expect(mails.at(-1)?.text).toContain(code)
  const { rows } = await world.shop.database.pool.query(`select * from mail where kind = 'gift_card'`)
  expect(JSON.stringify(rows)).not.toContain(code)
  expect(JSON.stringify((await world.shop.database.pool.query('select * from gift_card')).rows)).not.toContain(
    code.replaceAll('-', ''),
  )

  const plain = world.shopper()
  await plain.adds('mug')
  const usual = (await plain.startsPayment()).body
  const half = world.shopper()
  await half.adds('mug')
  expect((await types(half, code.toLowerCase().replaceAll('-', ' '))).body.giftCard).toEqual({
    lastFour: code.slice(-4),
    balance: 3000,
  })
  const preview = await half.send<{ tax_amount: number; quote: WireQuote }>('POST', '/api/calculate-taxes', {
    customerAddress: addresses.newYork,
  })
  const first = await buys(half)
  expect(first.byCard).toBe(Math.min(3000, usual.total_amount - 50))
  expect(preview.body).toMatchObject({
    tax_amount: usual.tax_amount,
    quote: { giftCard: { amount: first.byCard }, total: usual.total_amount },
  })
  expect(first.started.total_amount).toBe(usual.total_amount - first.byCard)
  expect(Number(first.order.total_cents)).toBe(usual.total_amount)
  expect(Number(first.order.tax_cents)).toBe(usual.tax_amount)
  expect((await half.send<CartCodes>('GET', '/api/cart/code')).body.giftCard).toBeUndefined()

  const second = await buys(await shopperWith(code, 'hat'))
  expect(second.byCard).toBe(3000 - first.byCard)
  expect(await listed(code)).toMatchObject({
    balance: 0,
    issued: 3000,
    movements: [
      { kind: 'issue', amount: 3000, orderNumber: null },
      { kind: 'use', amount: -first.byCard, orderNumber: first.order.order_number },
      { kind: 'use', amount: -second.byCard, orderNumber: second.order.order_number },
    ],
  })
  await expectBooksAgree(world)
  await expectNoPaymentLost(world)
})

test('PayPal charges what is left to pay', async () => {
  const code = await gives(1234)
  const shopper = await shopperWith(code, 'mug', 3)
  const wallet = await shopper.send<{ id: string }>('POST', '/paypal/order', {
    customerInfo: shopper.customerInfo(addresses.newYork),
    termsAccepted: true,
  })
  expect(wallet.status).toBe(200)
  await shopper.approves(wallet.body.id)
  expect((await shopper.captures(wallet.body.id)).status).toBe(200)
  await world.settled()
  expect((await listed(code)).balance).toBe(0)
  await expectBooksAgree(world)
})

describe('a refund', () => {
  test('goes to the card first and then to the gift card, until both have everything back', async () => {
    const code = await gives(1000)
    const { order, started } = await buys(await shopperWith(code, 'hat', 2))
    const { order_number: number, payment_key: key } = order
    const paid = started.total_amount
    await refunds(number, { kind: 'amount', amount: cents(paid - 100) })
    expect(await refundsOf(key)).toMatchObject([{ gift_card_id: null, amount_cents: String(paid - 100) }])
    await refunds(number, { kind: 'amount', amount: cents(350) })
    expect((await refundsOf(key)).slice(1)).toMatchObject([
      { amount_cents: '100', gift_card_id: null, status: 'succeeded' },
      { amount_cents: '250', gift_card_id: expect.any(Number), status: 'succeeded' },
    ])
    expect((await listed(code)).balance).toBe(250)
    await refunds(number, { kind: 'rest' })
    expect((await listed(code)).balance).toBe(1000)
    expect(sumOf(await refundsOf(key))).toBe(Number(order.total_cents))
    expect((await ordersOf(world)).find(({ id }) => id === order.id)?.payment_status).toBe('refunded')
    await expect(refunds(number, { kind: 'amount', amount: cents(1) })).rejects.toMatchObject({
      code: 'nothing_to_refund',
    })
    await expectBooksAgree(world)
  })

  test('of a removed piece goes back the same way', async () => {
    const code = await gives(5000)
    const { order, started } = await buys(await shopperWith(code, 'hat', 2))
    const { body: shown } = await asOwner<{ lines: { variantId: number }[] }>(
      'GET',
      `/api/admin/orders/${order.order_number}`,
    )
    const lines = { changed: [{ position: 0, variantId: shown.lines[0]?.variantId, quantity: 1 }], added: [] }
    const path = `/api/admin/orders/${order.order_number}/change`
    const { body: preview } = await asOwner<{ difference: number }>('POST', `${path}/preview`, { lines })
    const changed = await asOwner('POST', path, { lines, difference: preview.difference })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await world.settled()
    const toCard = -preview.difference - started.total_amount
    expect(toCard).toBeGreaterThan(0)
    expect((await listed(code)).balance).toBe(5000 - (Number(order.total_cents) - started.total_amount) + toCard)
    await refunds(order.order_number, { kind: 'rest' })
    expect((await listed(code)).balance).toBe(5000)
    await expectBooksAgree(world)
  })
})

test('the owner refunds a part as store credit: the money stays, the email has a card, and it buys the next order', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat', 2)
  const { order } = await buys(shopper)
  const path = `/api/admin/orders/${order.order_number}/refund`
  const wanted = { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }
  const { body: shown } = await asOwner<{ amount: number; limit: number }>('POST', `${path}/preview`, { wanted })
  const { amount, limit } = shown
  const refunded = await asOwner('POST', path, { wanted, amount, limit, reason: 'Too small', asCredit: true })
  expect(refunded.status, JSON.stringify(refunded.body)).toBe(200)
  await world.settled()
  expect(await refundsOf(order.payment_key)).toMatchObject([
    { amount_cents: String(amount), gift_card_id: expect.any(Number), status: 'succeeded' },
  ])
  const mails = world.mailbox.list().filter(({ to }) => to === shopper.customer.email)
  const [code = ''] = mails.flatMap(({ text }) => /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/.exec(text) ?? [])
  expect(await listed(code)).toMatchObject({ balance: amount, issued: amount })
  expect((await giftCardsOf(world)).filter((card) => card.issued_order_id === order.id)).toMatchObject([
    { amount_cents: String(amount), state: 'active' },
  ])
  expect((await buys(await shopperWith(code, 'hat'))).byCard).toBeGreaterThan(0)
  await expectBooksAgree(world)
})

describe('a balance', () => {
  test('is never spent twice: of twenty shoppers who start to pay at once, one gets it, and the others see their total first', async () => {
    const code = await gives(1000)
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => shopperWith(code)))
    const summaries = await Promise.all(
      shoppers.map(async (shopper) => {
        const { body } = await shopper.startsPayment()
        return (body as unknown as { summary: Summary }).summary
      }),
    )
    expect(summaries.reduce((sum, { giftCard }) => sum + (giftCard?.amount ?? 0), 0)).toBe(1000)
    expect((await giftCardsOf(world)).every(({ balance_cents: balance }) => Number(balance) >= 0)).toBe(true)
  })

  test('is shown again before anything is charged when another tab has used it', async () => {
    const code = await gives(1000)
    const [slow, quick] = [await shopperWith(code), await shopperWith(code)]
    const { summary } = await buys(quick)
    const answer = await slow.send<Refused>('POST', '/api/create-payment-intent', {
      customerInfo: slow.customerInfo(addresses.newYork),
      termsAccepted: true,
      amount: summary.total,
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'summary_changed' } })
    expect(answer.body.summary).toMatchObject({ total: summary.total + 1000 })
    expect(answer.body.summary?.notices).toContain(
      `Gift card ending ${code.slice(-4)} has nothing left that can be used now.`,
    )
  })

  test('moves from a payment that was only started to where its code is typed next', async () => {
    const code = await gives(1000)
    const phone = await shopperWith(code)
    const { body: started } = await phone.startsPayment()
    const laptop = await shopperWith(code)
    expect((await laptop.send<CartCodes>('GET', '/api/cart/code')).body.giftCard?.balance).toBe(1000)
    expect((await buys(laptop)).byCard).toBe(1000)
    const late = await phone.confirms(started)
    expect(JSON.stringify(late)).not.toContain('"succeeded"')
    await expectBooksAgree(world)
  })

  test('is released with its checkout', async () => {
    const code = await gives(1000)
    await (await shopperWith(code)).startsPayment()
    await world.advance(DAY_MS + MINUTE_MS)
    await world.sweep()
    const later = await shopperWith(code)
    expect((await later.send<CartCodes>('GET', '/api/cart/code')).body.giftCard?.balance).toBe(1000)
  })

  test('taken back while somebody pays: the payment makes no order and is refunded', async () => {
    const code = await gives(1000)
    const shopper = await shopperWith(code)
    const { body: started } = await shopper.startsPayment()
    const { id } = await listed(code)
    expect((await asOwner('POST', `/api/admin/gift-cards/${id}/void`, { reason: 'Stolen' })).status).toBe(200)
    await shopper.confirms(started)
    await shopper.returnsToShop(started.payment_intent)
    await world.settled()
    const key = `stripe:${started.payment_intent}`
    const exceptions = await world.audit<{ payment_key: string; kind: string }>('exceptions')
    expect(exceptions.find(({ payment_key: of }) => of === key)?.kind).toBe('gift_card_spent')
    expect(sumOf(await refundsOf(key))).toBe(started.total_amount)
    await expectBooksAgree(world)
    await expectNoPaymentLost(world)
  })
})

test('a code that is not one, an empty card and one that was taken back get the same answer as an unknown discount code', async () => {
  const empty = await gives(100)
  const { id } = await listed(empty)
  await asOwner('POST', `/api/admin/gift-cards/${id}/void`, { reason: 'A mistake' })
  expect(await listed(empty)).toMatchObject({ state: 'void', balance: 0, reason: 'A late parcel Voided: A mistake' })
  expect((await asOwner('POST', `/api/admin/gift-cards/${id}/void`, { reason: 'Again' })).status).toBe(409)
  const shopper = world.shopper()
  await shopper.adds('mug')
  const answers = []
  for (const code of [empty, '0000-0000-0000-0000', 'NEVER']) answers.push(await types(shopper, code))
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
    new Set([JSON.stringify([422, answers[2]?.body])]),
  )
})

test('taken out of the cart, it pays nothing', async () => {
  const code = await gives(1000)
  const shopper = await shopperWith(code)
  expect((await shopper.send<CartCodes>('DELETE', '/api/cart/gift-card')).body.giftCard).toBeUndefined()
  expect((await pays(shopper)).byCard).toBe(0)
  expect((await listed(code)).balance).toBe(1000)
})

describe('the owner', () => {
  test.each([
    [{ amount: 99 }, 'amount', 'Please enter an amount from $1 to $500'],
    [{ amount: 50_001 }, 'amount', 'Please enter an amount from $1 to $500'],
    [{ amount: 10.5 }, 'amount', 'Please enter an amount from $1 to $500'],
    [{ reason: '' }, 'reason', 'Please enter a reason'],
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
  ])('is told what is wrong with %j', async (wrong, field, sentence) => {
    const before = (await giftCardsOf(world)).length
    const body = { requestKey: randomUUID(), amount: 1000, reason: 'Sorry', ...wrong }
    const answer = await asOwner<Refused>('POST', '/api/admin/gift-cards', body)
    expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
    expect(await giftCardsOf(world)).toHaveLength(before)
  })

  test('gives one card for a form that was sent twice', async () => {
    const requestKey = randomUUID()
    const codes = await Promise.all([gives(700, { requestKey }), gives(700, { requestKey })])
    expect(codes[0]).toBe(codes[1])
    await expectBooksAgree(world)
  })

  test('finds cards by email, and has all of them as a file with the totals of the books', async () => {
    await gives(4321, { email: 'Grace@Example.com', reason: '=1+1' })
    const { body } = await asOwner<{ cards: AdminGiftCard[]; totals: Record<string, number> }>(
      'GET',
      '/api/admin/gift-cards?search=grace%40example',
    )
    expect(body.cards).toMatchObject([{ issued: 4321, email: 'Grace@Example.com' }])
    const { totals } = body
    expect(totals['open']).toBe(
      (totals['issued'] ?? 0) + (totals['returned'] ?? 0) - (totals['used'] ?? 0) - (totals['voided'] ?? 0),
    )
    const file = await fetch(`${world.address}/api/admin/gift-cards/list`, { headers: { cookie: owner.cookie() } })
    const [head = '', ...rows] = (await file.text()).trim().split('\r\n')
    const open = head.split(',').indexOf('Open')
    expect(rows).toHaveLength((await giftCardsOf(world)).length)
    const cell = (row: string) => Number((row.match(/"[^"]*"|[^,]+/g) ?? [])[open])
    expect(formatUsd(cents(Math.round(rows.reduce((sum, row) => sum + cell(row), 0) * 100)))).toBe(
      formatUsd(cents(totals['open'] ?? 0)),
    )
    expect(rows.find((row) => row.includes('Grace'))).toContain(`"'=1+1"`)
  })

  test('is told when balances and ledger differ, and not before', async () => {
    const check = async () => {
      await checkForExceptions(world.shop, 0)
      return (await world.audit<{ kind: string; resolved_at: string | null }>('exceptions')).filter(
        ({ kind, resolved_at: at }) => kind === 'gift_cards' && at === null,
      )
    }
    expect(await check()).toEqual([])
    const { pool } = world.shop.database
    await pool.query('update gift_card set balance_cents = balance_cents + 1 where id = 1')
    expect(await check()).toHaveLength(2)
    await pool.query('update gift_card set balance_cents = balance_cents - 1 where id = 1')
    expect(await check()).toEqual([])
  })
})
