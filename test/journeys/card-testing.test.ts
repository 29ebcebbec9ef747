import { afterEach, describe, expect, test } from 'vitest'
import { cards, openWorld, type World } from '#sandbox/world.ts'
import { countDeclines } from '#server/checkout/declines.ts'

// Somebody tests stolen cards at the shop, next to honest shoppers who share the address.

let world: World
afterEach(() => world[Symbol.asyncDispose]())

type Shopper = ReturnType<World['shopper']>
type Started = Awaited<ReturnType<Shopper['startsPayment']>>['body']

const tells = (shopper: Shopper, payment: Started) =>
  shopper.send<{ code?: string; message?: string; summary?: { total: number } }>('POST', '/api/payment-declined', {
    paymentIntentId: payment.payment_intent,
  })

async function begins(shopper = world.shopper()) {
  await shopper.adds('mouse pad')
  const { status, body } = await shopper.startsPayment()
  return { shopper, status, body }
}

const intentAt = (payment: Started) =>
  world.simulators.stripe.ledger().payments?.find(({ id }) => id === payment.payment_intent)?.status

const declinesKept = async () =>
  Number((await world.shop.database.pool.query<{ n: string }>('select count(*) as n from card_decline')).rows[0]?.n)

/** The bank declines, and only the provider reports it. */
async function isDeclined(shopper: Shopper, payment: Started, times: number) {
  for (let n = 0; n < times; n += 1)
    expect((await shopper.confirms(payment, cards.declined)).error?.code).toBe('card_declined')
}

test('the fifth decline of a checkout closes its card payment: the intent is canceled, the form keeps its entries, the wallet still works (S93)', async () => {
  world = await openWorld()
  const { shopper, body: payment } = await begins()
  for (let n = 0; n < 4; n += 1) {
    await isDeclined(shopper, payment, 1)
    // Reported by the provider's two events and by the browser, and still one decline.
    expect((await tells(shopper, payment)).status).toBe(204)
    await world.settled()
    expect(await declinesKept()).toBe(n + 1)
  }
  expect((await shopper.startsPayment()).body.payment_intent).toBe(payment.payment_intent)
  await isDeclined(shopper, payment, 1)
  const report = await tells(shopper, payment)
  expect(report).toMatchObject({
    status: 429,
    body: { code: 'card_closed', summary: { total: payment.total_amount } },
  })
  expect(report.body.message).toContain('Nothing was charged, and your details are still here.')
  await world.settled()
  expect(intentAt(payment)).toBe('canceled')
  expect((await shopper.confirms(payment)).error?.code).toBe('payment_intent_unexpected_state')
  expect(await shopper.startsPayment()).toMatchObject({ status: 429, body: { code: 'card_closed' } })
  // A changed cart is the same checkout.
  await shopper.adds('hat')
  expect(await shopper.startsPayment()).toMatchObject({ status: 429, body: { code: 'card_closed' } })
  expect(world.simulators.stripe.ledger().payments).toHaveLength(1)

  const { body: wallet } = await shopper.startsWallet()
  await shopper.approves(wallet.id)
  expect((await shopper.captures(wallet.id)).body.status).toBe('COMPLETED')
  // The purchase clears the declines: the next order may be paid by card.
  expect((await begins(shopper)).status).toBe(200)
})

test('declines that the browser never reports are counted from the provider’s events (S93)', async () => {
  world = await openWorld()
  const { shopper, body: payment } = await begins()
  await isDeclined(shopper, payment, 5)
  await world.settled()
  expect(await declinesKept()).toBe(5)
  expect(intentAt(payment)).toBe('canceled')
  expect((await shopper.confirms(payment)).error?.code).toBe('payment_intent_unexpected_state')
})

test('five declines reported concurrently, each several times, count as five and close the card once (S93)', async () => {
  world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 1000 })
  const { shopper, body: payment } = await begins()
  await isDeclined(shopper, payment, 5)
  const { rows } = await world.shop.database.pool.query<{ id: string }>('select id from checkout')
  const id = rows[0]?.id as Parameters<typeof countDeclines>[1]
  const charges = await world.shop.stripe.listDeclines(payment.payment_intent)
  expect(charges).toHaveLength(5)
  const reports = await Promise.all(
    [...charges, ...charges, ...charges].map((charge) => countDeclines(world.shop, id, [charge])),
  )
  expect(reports.filter((closure) => closure === 'checkout').length).toBeGreaterThan(0)
  await world.settled()
  expect(await declinesKept()).toBe(5)
  expect(intentAt(payment)).toBe('canceled')
  const jobs = await world.audit<{ name: string }>('jobs')
  expect(jobs.filter(({ name }) => name === 'cancel-intent')).toHaveLength(1)
})

test('declines that a browser invents are ignored: only the provider’s own payments count (S93)', async () => {
  world = await openWorld()
  const { body: payment } = await begins()
  const stranger = (await begins()).shopper
  for (let n = 0; n < 8; n += 1) expect(await tells(stranger, payment)).toMatchObject({ status: 404 })
  const own = await begins()
  for (let n = 0; n < 8; n += 1) expect((await tells(own.shopper, own.body)).status).toBe(204)
  expect(await declinesKept()).toBe(0)
})

test('a wallet payment that the bank declines counts too, each attempt once (S93)', async () => {
  world = await openWorld({ env: { CARD_DECLINES_PER_CHECKOUT: '2' } })
  const { shopper, body: payment } = await begins()
  const { body: wallet } = await shopper.startsWallet()
  for (let n = 0; n < 2; n += 1) {
    await shopper.approves(wallet.id, 'decline')
    expect((await shopper.captures(wallet.id)).body.code).toBe('wallet_declined')
    await world.settled()
  }
  expect(await declinesKept()).toBe(2)
  expect(intentAt(payment)).toBe('canceled')
  await shopper.approves(wallet.id)
  expect((await shopper.captures(wallet.id)).body.status).toBe('COMPLETED')
})

describe('behind one address', () => {
  const real = { RATE_LIMIT_SCALE: '1' }

  test('fifteen declines in an hour pause cards for shoppers who were declined, not for past customers, nor for the wallet (S93)', async () => {
    world = await openWorld({ env: real })
    const known = world.shopper()
    const bought = await known.paysByCard({ buying: 'mouse pad' })
    await bought.returnsToShop()
    const neighbor = await begins()
    const tried: { shopper: Shopper; body: Started }[] = []
    for (let n = 0; n < 4; n += 1) {
      const thief = await begins()
      tried.push(thief)
      await isDeclined(thief.shopper, thief.body, n < 3 ? 4 : 3)
    }
    await world.settled()
    expect(await declinesKept()).toBe(15)
    for (const { body } of tried) expect(intentAt(body)).toBe('canceled')

    const late = await begins()
    expect(late).toMatchObject({ status: 429, body: { code: 'card_paused' } })
    expect((await late.shopper.startsWallet()).status).toBe(200)
    // A shopper at the payment step who was never declined can continue; so can a past customer.
    expect((await neighbor.shopper.confirms(neighbor.body)).status).toBe('succeeded')
    expect((await begins(known)).status).toBe(200)

    await world.advance(61 * 60_000)
    expect((await late.shopper.startsPayment()).status).toBe(200)
    const { shopper, body } = tried[0] as { shopper: Shopper; body: Started }
    const again = await shopper.startsPayment()
    expect(again.status).toBe(200)
    expect(again.body.payment_intent).not.toBe(body.payment_intent)
  })

  test('declines before a successful payment do not count against the address (S93)', async () => {
    world = await openWorld({ env: { ...real, CARD_DECLINES_PER_ADDRESS: '4' } })
    const honest = await begins()
    await isDeclined(honest.shopper, honest.body, 3)
    expect((await honest.shopper.confirms(honest.body)).status).toBe('succeeded')
    await honest.shopper.returnsToShop(honest.body.payment_intent)
    await world.settled()
    const other = await begins()
    await isDeclined(other.shopper, other.body, 3)
    await world.settled()
    expect((await begins()).status).toBe(200)
  })

  test('thirty payments an hour may be started and abandoned, each purchase allows two more, and the wallet stays open (S93)', async () => {
    world = await openWorld({ env: { ...real, UNPAID_STARTS_PER_ADDRESS: '6' } })
    const start = async () => {
      const payment = await begins()
      // Payments started at the same time have their own limit.
      await world.advance(2 * 60_000)
      return payment
    }
    for (let n = 0; n < 6; n += 1) expect((await start()).status).toBe(200)
    const late = await start()
    expect(late).toMatchObject({ status: 429, body: { code: 'card_paused' } })
    expect((await late.shopper.startsPayment()).status).toBe(429)
    const { body: wallet } = await late.shopper.startsWallet()
    await late.shopper.approves(wallet.id)
    expect((await late.shopper.captures(wallet.id)).body.status).toBe('COMPLETED')
    for (let n = 0; n < 2; n += 1) expect((await start()).status).toBe(200)
    expect((await start()).status).toBe(429)
    await world.advance(61 * 60_000)
    expect((await start()).status).toBe(200)
  })
})
