import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOrderNumber, type SessionId } from '#shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import type { AdminCode } from '#contract/admin-codes.ts'
import type { BelowFloor } from '#contract/below-floor.ts'
import type { CartCodes } from '#contract/codes.ts'
import type { Earnings } from '#contract/earnings.ts'
import type { PartnerCodes } from '#contract/partner-codes.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { saveFrozenCheckout } from '#server/checkout/frozen-checkout.ts'
import { ensurePartner } from '#server/partners/partner.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, ordersOf } from './invariants.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld({ pages: true })
  owner = world.shopper()
})
afterAll(() => world[Symbol.asyncDispose]())

type Refused = { code: string; message: string; fields: Record<string, string>; summary?: OrderSummary }
const percent = (basisPoints: number) => ({ kind: 'percent', basisPoints })

/** Tests advance the clock, which signs the owner out. */
async function asOwner<Body>(method: string, path: string, body?: object) {
  const answer = await owner.send<Body>(method, path, body)
  if (answer.status !== 401) return answer
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send<Body>(method, path, body)
}

/** The owner makes a code, whatever it costs. */
async function makes(code: string, more: object = {}) {
  const answer = await asOwner<Refused>('POST', '/api/admin/codes?accepted=1', {
    code,
    benefit: percent(1000),
    ...more,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

const listed = async (code: string) =>
  (
    await asOwner<{ codes: (AdminCode & { orders: number; off: number })[] }>('GET', '/api/admin/codes')
  ).body.codes.find((one) => one.code === code)

const applies = (shopper: ReturnType<World['shopper']>, code: string) =>
  shopper.send<CartCodes & Refused>('POST', '/api/cart/code', { code })

/** A shopper with something in the cart and a code on it. */
async function shopperWith(code: string, buying = 'mug', quantity = 1) {
  const shopper = world.shopper()
  await shopper.adds(buying, quantity)
  const applied = await applies(shopper, code)
  if (applied.status !== 200) throw new Error(JSON.stringify(applied.body))
  return shopper
}

async function buys(shopper: ReturnType<World['shopper']>, to: object = addresses.newYork) {
  const { body: started, status } = await shopper.startsPayment(to)
  expect(status).toBe(200)
  await shopper.confirms(started)
  const { body } = await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  const order = (await ordersOf(world)).find(({ order_number: number }) => number === String(body.orderId))
  if (!order) throw new Error('no order')
  return { started, order }
}

type AuditLine = { order_id: number; quantity: number; unit_price_cents: string; list_price_cents: string | null }
const linesOf = async (orderId: number) =>
  (await world.audit<AuditLine>('lines')).filter(({ order_id: id }) => id === orderId)

test('RUDY10 takes 10 % off: what the cart shows is frozen, charged, booked, taxed and printed', async () => {
  await makes('RUDY10')
  const shopper = world.shopper()
  const { body: line } = await shopper.adds('mug', 3)
  const list = line.price * 3
  const applied = await applies(shopper, ' rudy 10 ')
  const off = Math.floor((list * 1000 + 5000) / 10_000)
  expect(applied).toMatchObject({
    status: 200,
    body: { codes: [{ code: 'RUDY10', amount: off, objection: null }], subtotal: list - off },
  })
  const shown = await shopper.send<{ notices: string[] }>('POST', '/api/calculate-shipping', {
    shippingAddress: addresses.newYork,
  })
  expect(shown.body).toMatchObject({ notices: [expect.stringContaining('RUDY10: $')] })

  const { started, order } = await buys(shopper)
  expect(started.subtotal).toBe(list - off)
  expect(Number(order.subtotal_cents)).toBe(list - off)
  const lines = await linesOf(order.id)
  expect(lines.reduce((sum, { quantity, unit_price_cents: price }) => sum + quantity * Number(price), 0)).toBe(
    list - off,
  )
  expect(new Set(lines.map(({ list_price_cents: price }) => Number(price)))).toEqual(new Set([line.price]))
  expect(world.mailbox.list().some(({ text }) => text.includes('RUDY10: $'))).toBe(true)
  expect(await listed('RUDY10')).toMatchObject({ uses: 1, orders: 1, off })
  expect((await shopper.send<CartCodes>('GET', '/api/cart/code')).body.codes).toEqual([])
  await expectBooksAgree(world)
})

test('a refund of pieces gives back what was paid for them, and the rest adds up to the whole', async () => {
  await makes('ODD', { benefit: { kind: 'amount', amount: 100 } })
  const { order } = await buys(await shopperWith('ODD', 'mug', 3))
  const number = readOrderNumber(order.order_number)
  if (!number) throw new Error('no number')
  const [first] = await linesOf(order.id)
  await refundOrder(world.shop, number, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }, 'faulty', COMMAND)
  await refundOrder(world.shop, number, { kind: 'rest' }, 'asked', COMMAND)
  await world.settled()
  const refunds = (await world.audit<{ payment_key: string; amount_cents: string }>('refunds')).filter(
    ({ payment_key: key }) => key === order.payment_key,
  )
  const taxOfPiece = Number(refunds[0]?.amount_cents) - Number(first?.unit_price_cents)
  expect(taxOfPiece).toBeGreaterThanOrEqual(0)
  expect(refunds.reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)).toBe(Number(order.total_cents))
  await expectBooksAgree(world)
})

test('PayPal charges the discounted total, and its items add up', async () => {
  await makes('WALLET5', { benefit: { kind: 'amount', amount: 501 } })
  const shopper = await shopperWith('WALLET5', 'mug', 3)
  const wallet = await shopper.send<{ id: string }>('POST', '/paypal/order', {
    customerInfo: shopper.customerInfo(addresses.newYork),
    termsAccepted: true,
  })
  expect(wallet.status).toBe(200)
  await shopper.approves(wallet.body.id)
  expect((await shopper.captures(wallet.body.id)).status).toBe(200)
  await world.settled()
  expect(await listed('WALLET5')).toMatchObject({ orders: 1, off: 501 })
  await expectBooksAgree(world)
})

test('free shipping waives the surcharge', async () => {
  await makes('SHIPFREE', { benefit: { kind: 'shipping' } })
  const plain = world.shopper()
  await plain.adds('pillow')
  const usual = (await plain.startsPayment(addresses.sydney)).body
  expect(usual.shipping_cost).toBeGreaterThan(0)
  const { started } = await buys(await shopperWith('SHIPFREE', 'pillow'), addresses.sydney)
  expect(started).toMatchObject({ shipping_cost: 0, subtotal: usual.subtotal })
  await expectBooksAgree(world)
})

test('a discount above the total leaves 50 cents to pay', async () => {
  await makes('TOOMUCH', { benefit: { kind: 'amount', amount: 999_999 } })
  const { order } = await buys(await shopperWith('TOOMUCH'))
  expect(Number(order.subtotal_cents)).toBe(50)
})

test('without JavaScript forms add and remove a code, and the cart page shows it', async () => {
  await makes('NOSCRIPT')
  const shopper = world.shopper()
  await shopper.adds('mug')
  const posts = async (body: string) => {
    const answer = await fetch(`${world.address}/cart/code`, {
      ...{ method: 'POST', redirect: 'manual', body },
      headers: {
        ...{ cookie: shopper.cookie(), origin: world.address },
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await posts('code=noscript')).toEqual([303, '/cart?said=code_added'])
  expect(await posts('code=nothing')).toEqual([303, '/cart?said=code_unusable'])
  const page = async () =>
    (await fetch(`${world.address}/cart?said=code_added`, { headers: { cookie: shopper.cookie() } })).text()
  expect(await page()).toMatch(/<form[^>]*action="\/cart\/code"[^>]*>.*name="remove" value="NOSCRIPT"/s)
  expect(await posts('remove=NOSCRIPT')).toEqual([303, '/cart?said=code_removed'])
  expect(await page()).not.toContain('NOSCRIPT')
})

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

describe('a link with a code', () => {
  const follow = async (path: string, headers: Record<string, string> = BROWSER) => {
    const answer = await fetch(world.address + path, { headers, redirect: 'manual' })
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    return { status: answer.status, to: answer.headers.get('location'), cookie, headers: answer.headers }
  }
  const codesOf = async (cookie: string) =>
    ((await (await fetch(`${world.address}/api/cart/code`, { headers: { cookie } })).json()) as CartCodes).codes

  test('adds it before there are pieces, and leads to the page that everybody gets', async () => {
    await makes('LINKED')
    const { status, to, cookie, headers } = await follow('/product/1?variant=5&code=linked')
    expect([status, to, headers.get('cache-control')]).toEqual([
      302,
      '/product/1?variant=5#said=code_added',
      'no-store',
    ])
    expect(await codesOf(cookie)).toMatchObject([
      { code: 'LINKED', amount: 0, objection: 'LINKED takes effect with what you add to your cart.' },
    ])
    const page = await fetch(`${world.address}/products`, { headers: { ...BROWSER, cookie } })
    expect(page.headers.get('cache-control')).toContain('public')
  })

  test('adds to the cart that a session already has, at once', async () => {
    await makes('LINKED2')
    const shopper = world.shopper()
    await shopper.adds('mug')
    expect((await follow('/?code=LINKED2', { ...BROWSER, cookie: shopper.cookie() })).to).toBe('/#said=code_added')
    const { body } = await shopper.send<CartCodes>('GET', '/api/cart/code')
    expect(body.codes).toMatchObject([{ code: 'LINKED2', objection: null }])
    expect(body.codes[0]?.amount).toBeGreaterThan(0)
  })

  test.each([
    ['a preview or bot', '/?code=LINKED', { 'user-agent': 'WhatsApp/2.2' }, '/'],
    ['an image on another site', '/?code=LINKED', { ...BROWSER, 'sec-fetch-dest': 'image' }, '/'],
    ['a code that doesn’t exist', '/?code=NEVER', BROWSER, '/#said=code_unusable'],
    ['a code that is too long', `/?code=${'A'.repeat(50)}`, BROWSER, '/#said=code_unusable'],
    ['HTML', '/?code=%3Cscript%3Ealert(1)%3C/script%3E', BROWSER, '/#said=code_unusable'],
  ] as [string, string, Record<string, string>, string][])('of %s starts no session', async (_, path, headers, to) => {
    expect(await follow(path, headers)).toMatchObject({ status: 302, to, cookie: '' })
  })
})

test('codes in links and forms are tried as often as typed ones, with and without a session', async () => {
  await using strict = await openWorld({ pages: true, env: { RATE_LIMIT_SCALE: '0.1' } })
  const tries = async (cookie: string) => {
    const answers: (string | null)[] = []
    for (let tried = 0; tried < 7; tried += 1)
      answers.push(
        (
          await fetch(`${strict.address}/?code=GUESS${tried}`, {
            ...{ headers: { ...BROWSER, cookie }, redirect: 'manual' },
          })
        ).headers.get('location'),
      )
    return answers
  }
  const [wrong, late] = ['/#said=code_unusable', '/#said=too_many']
  expect(await tries('session=stranger')).toEqual([wrong, late, late, late, late, late, late])
  expect(await tries('')).toEqual([wrong, wrong, wrong, wrong, wrong, late, late])
})

describe('a code that can’t be used', () => {
  test('gets the same answer whether it never existed, has ended, has not begun or is used up', async () => {
    await makes('GONE')
    const { id } = (await listed('GONE')) ?? { id: 0 }
    expect((await asOwner('POST', `/api/admin/codes/${id}/end`)).status).toBe(200)
    await makes('LATER', { startsOn: '2099-01-01' })
    await makes('ONCE', { usesMax: 1 })
    await buys(await shopperWith('ONCE'))
    const shopper = world.shopper()
    await shopper.adds('mug')
    const answers = []
    for (const code of ['NEVER', 'GONE', 'LATER', 'ONCE']) answers.push(await applies(shopper, code))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([422, answers[0]?.body])]),
    )
    expect(answers[0]?.body.fields['code']).toBe('This code doesn’t exist, or can’t be used now.')
  })

  test('is told why by the cart that has it, and pays the full price only after it was shown', async () => {
    await makes('WITHDRAWN')
    const shopper = await shopperWith('WITHDRAWN')
    const before = (await shopper.startsPayment()).body
    const { id } = (await listed('WITHDRAWN')) ?? { id: 0 }
    await asOwner('POST', `/api/admin/codes/${id}/end`)
    // The payment that was started keeps its price.
    expect((await shopper.startsPayment()).body.total_amount).toBe(before.total_amount)
    expect((await shopper.send<CartCodes>('GET', '/api/cart/code')).body.codes).toMatchObject([
      { code: 'WITHDRAWN', objection: 'WITHDRAWN has ended.' },
    ])
    await world.advance(31 * MINUTE_MS)
    const later = await shopper.send<Refused>('POST', '/api/create-payment-intent', {
      customerInfo: shopper.customerInfo(addresses.newYork),
      termsAccepted: true,
      subtotal: before.subtotal,
    })
    expect(later).toMatchObject({ status: 409, body: { code: 'summary_changed' } })
    expect(later.body.summary?.notices).toContain('WITHDRAWN has ended.')
  })

  test('is refused beside another one unless both can be combined', async () => {
    await makes('ALONE')
    await makes('PAIR1', { combines: true })
    await makes('PAIR2', { combines: true, benefit: { kind: 'amount', amount: 200 } })
    const shopper = await shopperWith('PAIR1')
    expect(await applies(shopper, 'ALONE')).toMatchObject({
      status: 409,
      body: { message: 'ALONE can’t be used together with PAIR1. Remove PAIR1 first.' },
    })
    expect((await applies(shopper, 'PAIR2')).body.codes).toHaveLength(2)
    const removed = await shopper.send<CartCodes>('DELETE', '/api/cart/code?code=PAIR1')
    expect(removed.body.codes).toMatchObject([{ code: 'PAIR2', amount: 200 }])
  })
})

describe('a limit', () => {
  test('of one use: of twenty who start to pay at once exactly one gets it, and the others see the full price first', async () => {
    await makes('LASTONE', { usesMax: 1 })
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => shopperWith('LASTONE')))
    const { subtotal } = (await shoppers[0]?.send<CartCodes>('GET', '/api/cart/code'))?.body ?? { subtotal: 0 }
    const answers = await Promise.all(
      shoppers.map((shopper) =>
        shopper.send<Refused>('POST', '/api/create-payment-intent', {
          customerInfo: shopper.customerInfo(addresses.newYork),
          termsAccepted: true,
          subtotal,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect(await listed('LASTONE')).toMatchObject({ uses: 1, status: 'used_up' })
  })

  test('of one use: of two hundred checkouts saved at once exactly one takes it', async () => {
    await makes('MODEL')
    await makes('LAST200', { usesMax: 1 })
    const model = await shopperWith('MODEL')
    await model.startsPayment()
    const { pool } = world.shop.database
    const { rows } = await pool.query<{ session_id: SessionId; frozen: FrozenCheckout }>(
      `select session_id, frozen from checkout join checkout_version v on v.checkout_id = checkout.id
       where frozen->'quote'->'discounts'->0->>'code' = 'MODEL'`,
    )
    const [one] = rows
    const { id = 0 } = (await listed('LAST200')) ?? {}
    const [discount] = one?.frozen.quote.discounts ?? []
    if (!one || !discount) throw new Error('nothing frozen')
    const frozen = { ...one.frozen, quote: { ...one.frozen.quote, discounts: [{ ...discount, id, code: 'LAST200' }] } }
    await pool.query(`insert into session (id) select 'race-' || n from generate_series(1, 200) n`)
    await pool.query(
      `insert into cart_line (session_id, variant_id, quantity)
       select 'race-' || n, variant_id, quantity from cart_line, generate_series(1, 200) n where session_id = $1`,
      [one.session_id],
    )
    const visitor = { click: undefined, userId: null, formerUserId: null, device: null, language: 'en' as const }
    const saved = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        saveFrozenCheckout(
          world.shop,
          `race-${index + 1}` as SessionId,
          {
            frozen: { ...frozen, customer: { ...frozen.customer, email: `${index}@mail.example` } },
            wishHash: '',
            visitor,
          },
          null,
        ),
      ),
    )
    expect(saved.filter(Boolean)).toHaveLength(1)
    expect(await listed('LAST200')).toMatchObject({ uses: 1, status: 'used_up' })
  })

  test('comes back when its checkout is given up', async () => {
    await makes('BACK', { usesMax: 1 })
    await (await shopperWith('BACK')).startsPayment()
    expect(await listed('BACK')).toMatchObject({ uses: 1 })
    await world.advance(DAY_MS + MINUTE_MS)
    await world.sweep()
    expect(await listed('BACK')).toMatchObject({ uses: 0, status: 'active' })
  })

  test('of one per person holds for an email, in capital letters too', async () => {
    await makes('PERSON', { usesMaxPerPerson: 1 })
    const first = await shopperWith('PERSON')
    const { order } = await buys(first)
    const second = await shopperWith('PERSON')
    const info = { ...second.customerInfo(addresses.newYork), email: order.customer_email.toUpperCase() }
    const shown = (await second.send<CartCodes>('GET', '/api/cart/code')).body.subtotal
    const answer = await second.send<Refused>('POST', '/api/create-payment-intent', {
      ...{ customerInfo: info, termsAccepted: true, subtotal: shown },
    })
    expect(answer.status).toBe(409)
    expect(answer.body.summary?.notices).toContain('PERSON was already used with this email address.')
  })

  test('to a first order holds for somebody who has bought before', async () => {
    await makes('WELCOME', { isFirstOrderOnly: true })
    const regular = world.shopper()
    const payment = await regular.paysByCard({ buying: 'mug' })
    await payment.returnsToShop()
    await world.settled()
    await regular.adds('mug')
    await applies(regular, 'WELCOME')
    const { body } = await regular.startsPayment()
    expect(body.subtotal).toBe(payment.subtotal)
    expect((await shopperWith('WELCOME').then((shopper) => shopper.startsPayment())).body.subtotal).toBeLessThan(
      payment.subtotal,
    )
  })

  test('of time ends at midnight in New York after the last day', async () => {
    const today = new Date(world.shop.clock.now().getTime() - 5 * 3_600_000).toISOString().slice(0, 10)
    await makes('TODAY', { startsOn: today, endsOn: today })
    const shopper = await shopperWith('TODAY')
    await world.advance(DAY_MS)
    expect((await shopper.send<CartCodes>('GET', '/api/cart/code')).body.codes).toMatchObject([
      { objection: 'TODAY has ended.' },
    ])
  })
})

describe('the owner', () => {
  test.each([
    [{ code: 'x' }, 'code', 'Please use 3 to 24 letters, digits and hyphens'],
    [{ benefit: percent(10_001) }, 'benefit.basisPoints', 'Please enter a percentage from 1 to 100'],
    [{ benefit: { kind: 'amount', amount: -5 } }, 'benefit.amount', 'Please enter an amount, such as 5.00'],
    [{ benefit: { kind: 'buy_get', buy: 0, get: 1 } }, 'benefit.buy', 'Please enter a number of pieces from 1 to 99'],
    [{ products: [999_999] }, 'products', 'There is no product 999999.'],
    [{ partnerId: 999_999 }, 'partnerId', 'There is no such partner.'],
    [{ isAutomatic: true, partnerId: 1 }, 'partnerId', 'Only a code can be a partner’s'],
    [{ isAutomatic: true, code: 'x' }, 'code', 'Please enter a name, such as Three mugs'],
    [
      { benefit: { kind: 'tiers', tiers: [] } },
      'benefit.tiers',
      'Please enter numbers of pieces with their percentage, such as 3: 10, 6: 15',
    ],
    [{ endsOn: '2020-01-01' }, 'endsOn', 'This day is over.'],
    [{ usesMax: 0 }, 'usesMax', 'Please enter a whole number, or nothing'],
  ])('is told what is wrong with %j beside its field', async (wrong, field, sentence) => {
    const body = { code: 'WRONG', benefit: percent(1000), ...wrong }
    const answer = await asOwner<Refused>('POST', '/api/admin/codes', body)
    expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
    expect(await listed('WRONG')).toBeUndefined()
  })

  test('is asked before a code for 60 % off a mug, which sells it at a loss, and can say yes', async () => {
    const mugs = { code: 'SIXTY', benefit: percent(6000), types: ['mug'] }
    const answer = await asOwner<Refused & { reason?: string }>('POST', '/api/admin/codes', mugs)
    expect(answer).toMatchObject({ status: 409, body: { code: 'below_floor' } })
    expect(answer.body.message).toMatch(/With this, one .*Mug.* loses \$.* when sent to /)
    expect(await listed('SIXTY')).toBeUndefined()
    expect((await asOwner('POST', '/api/admin/codes?accepted=1', mugs)).status).toBe(200)
    expect(await listed('SIXTY')).toMatchObject({ status: 'active' })
  })

  test('is asked about codes that combine as if they were one, and about others alone', async () => {
    const { body } = await asOwner<{ codes: AdminCode[] }>('GET', '/api/admin/codes')
    for (const { id, rule, status } of body.codes)
      if (rule.combines && status !== 'ended') await asOwner('POST', `/api/admin/codes/${id}/end`)
    const polos = (code: string, combines: boolean) =>
      asOwner<Omit<Refused, 'summary'> & { summary: BelowFloor }>('POST', '/api/admin/codes', {
        ...{ code, benefit: percent(1200), types: ['polo'], combines },
      })
    expect((await polos('POLO1', true)).status).toBe(200)
    expect((await polos('POLO2', false)).status).toBe(200)
    const asked = await polos('POLO3', true)
    expect(asked).toMatchObject({ status: 409, body: { code: 'below_floor', summary: { together: ['POLO1'] } } })
    expect(asked.body.message).toMatch(/loses \$.* Counted is what it takes off together with POLO1\./)
    expect(await listed('POLO3')).toBeUndefined()
    const { id } = (await listed('POLO1')) ?? { id: 0 }
    await asOwner('POST', `/api/admin/codes/${id}/end`)
    expect((await polos('POLO3', true)).status).toBe(200)
  })

  test('makes a name once, and the log has who made and ended it', async () => {
    await makes('NAMED', { benefit: percent(6000) })
    const again = { code: 'named', benefit: percent(500) }
    expect((await asOwner('POST', '/api/admin/codes?accepted=1', again)).status).toBe(409)
    const { id } = (await listed('NAMED')) ?? { id: 0 }
    await asOwner('POST', `/api/admin/codes/${id}/end`)
    await asOwner('POST', `/api/admin/codes/${id}/end`)
    const { rows } = await world.shop.database.pool.query<{ what: string }>(
      `select what from owner_action where about_kind = 'code' and about_id = 'NAMED' order by id`,
    )
    expect(rows.map(({ what }) => what)).toEqual(['accepted sales below the floor with', 'made', 'ended'])
  })
})

test('a piece removed from an order gives back what it cost with the code, and the other keeps its price', async () => {
  await makes('KEPT')
  const { order } = await buys(await shopperWith('KEPT', 'hat', 2))
  const { body: shown } = await asOwner<{ lines: { position: number; variantId: number; unitPrice: number }[] }>(
    'GET',
    `/api/admin/orders/${order.order_number}`,
  )
  const [line] = shown.lines
  const lines = { changed: [{ position: 0, variantId: line?.variantId, quantity: 0 }], added: [] }
  const { body: preview } = await asOwner<{ difference: number; lines: { unitPrice: number; quantity: number }[] }>(
    'POST',
    `/api/admin/orders/${order.order_number}/change/preview`,
    { lines },
  )
  // Of $73.90 less 10%, one piece cost a cent more than the other.
  expect(preview.lines).toMatchObject([{ unitPrice: (line?.unitPrice ?? 0) - 1, quantity: 1 }])
  expect(-preview.difference).toBeGreaterThanOrEqual(line?.unitPrice ?? 0)
})

test('an automatic discount is in every cart that it fits, by its name, until it is ended', async () => {
  const benefit = { kind: 'tiers', tiers: [{ pieces: 2, basisPoints: 1000 }] }
  await makes('Two totes', { isAutomatic: true, benefit, types: ['tote'] })
  const shopper = world.shopper()
  const { body: line } = await shopper.adds('tote')
  const codesOf = async () => (await shopper.send<CartCodes>('GET', '/api/cart/code')).body.codes
  expect(await codesOf()).toEqual([])
  await shopper.adds('tote')
  const off = Math.floor((line.price * 2 * 1000 + 5000) / 10_000)
  expect(await codesOf()).toMatchObject([{ code: 'Two totes', amount: off, isAutomatic: true }])
  expect((await applies(shopper, 'Two totes')).status).toBe(422)
  const { order } = await buys(shopper)
  expect(Number(order.subtotal_cents)).toBe(line.price * 2 - off)
  expect(await world.audit('discounts')).toContainEqual(
    expect.objectContaining({ order_id: order.id, code: 'Two totes', amount_cents: String(off), partner_id: null }),
  )
  const { id } = (await listed('Two totes')) ?? { id: 0 }
  await asOwner('POST', `/api/admin/codes/${id}/end`)
  await shopper.adds('tote', 2)
  expect(await codesOf()).toEqual([])
  await expectBooksAgree(world)
})

/** A new user who is a partner. */
const partner = async (name: string) => {
  const shopper = world.shopper()
  await shopper.send('POST', '/api/register', { username: name, password: 'a long enough secret' })
  const links = [{ code: `${name}-link`, path: '/', campaign: '' }]
  await ensurePartner(world.shop, name, { displayName: name, channelUrl: null, code: name, links })
  await world.shop.database.pool.query('update app_user set is_partner = true where username = $1', [name])
  const { rows } = await world.shop.database.pool.query<{ id: number }>('select id from app_user where username = $1', [
    name,
  ])
  return { shopper, id: rows[0]?.id ?? 0 }
}

describe('a partner’s code', () => {
  const earnedBy = async (id: number) =>
    (await world.audit<{ account: string; amount_cents: string; partner_id: number | null }>('ledger'))
      .filter((entry) => entry.account === 'liability:commission' && entry.partner_id === id)
      .reduce((sum, entry) => sum - Number(entry.amount_cents), 0)
  const sets = async (value: string) => {
    const was = value === 'list' ? 'paid' : 'list'
    const answer = await asOwner('PUT', '/api/admin/settings', { commissionOn: { was, value } })
    expect(answer.status).toBe(200)
  }

  test('beats another partner’s link, and portal and order page say so', async () => {
    const [linker, coder] = [await partner('linker'), await partner('coder')]
    await makes('CODER10', { partnerId: coder.id })
    const shopper = await shopperWith('CODER10')
    const clicked = await fetch(`${world.address}/r/linker`, { headers: BROWSER, redirect: 'manual' })
    const click =
      clicked.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('click='))
        ?.split(';', 1)[0] ?? ''
    const session = shopper.cookie()
    shopper.usesCookie(`${session}; ${click}`)
    const { order } = await buys(shopper)
    const subtotal = Number(order.subtotal_cents)
    expect([await earnedBy(coder.id), await earnedBy(linker.id)]).toEqual([Math.round(subtotal * 0.12), 0])
    expect(await world.audit('discounts')).toContainEqual(
      expect.objectContaining({ order_id: order.id, code: 'CODER10', partner_id: coder.id }),
    )
    const shown = await asOwner<{ partner: object }>('GET', `/api/admin/orders/${order.order_number}`)
    expect(shown.body.partner).toEqual({ name: 'coder', by: 'CODER10' })
    await coder.shopper.send('POST', '/api/login', { username: 'coder', password: 'a long enough secret' })
    const why = await coder.shopper.send('GET', `/api/partnership/earnings/why?order=${order.order_number}`)
    expect(why.body).toMatchObject({ why: 'code', code: 'CODER10', link: null, order: { code: 'CODER10' } })
    const earnings = await coder.shopper.send<Earnings>('GET', '/api/partnership/earnings')
    expect(earnings.body.codes).toMatchObject([{ code: 'CODER10', orders: 1, sales: subtotal }])
    expect(earnings.body.totals).toMatchObject({ orders: 1, sales: subtotal })
    await expectBooksAgree(world)
  })

  test('that is removed before paying leaves the sale to the link', async () => {
    const { rows } = await world.shop.database.pool.query<{ id: number }>(
      `select id from app_user where username = 'linker'`,
    )
    const shopper = await shopperWith('CODER10')
    const clicked = await fetch(`${world.address}/r/linker`, { headers: BROWSER, redirect: 'manual' })
    const click =
      clicked.headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('click='))
        ?.split(';', 1)[0] ?? ''
    await shopper.startsPayment()
    await shopper.send('DELETE', '/api/cart/code')
    shopper.usesCookie(`${shopper.cookie()}; ${click}`)
    const { order } = await buys(shopper)
    expect(await earnedBy(rows[0]?.id ?? 0)).toBe(Math.round(Number(order.subtotal_cents) * 0.12))
  })

  test('earns on the price before discounts where the owner wants that, also when the rule changes before a refund', async () => {
    const { id } = await partner('lister')
    await makes('LISTED', { partnerId: id, benefit: percent(2000) })
    await sets('list')
    const { order } = await buys(await shopperWith('LISTED', 'hat', 2))
    await sets('paid')
    const [line] = await linesOf(order.id)
    const list = Number(line?.list_price_cents) * 2
    expect(await earnedBy(id)).toBe(Math.round(list * 0.12))
    const number = readOrderNumber(order.order_number)
    if (!number) throw new Error('no number')
    await refundOrder(world.shop, number, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }, 'faulty', COMMAND)
    await world.settled()
    expect(await earnedBy(id)).toBe(Math.round(list * 0.06))
    await refundOrder(world.shop, number, { kind: 'rest' }, 'asked', COMMAND)
    await world.settled()
    expect(await earnedBy(id)).toBe(0)
    await expectBooksAgree(world)
  })
})

describe('a code that a partner makes', () => {
  /** The owner's bounds, whatever they may cost. */
  const bounds = async (percent: number, active: number) => {
    const { body } = await asOwner<{ values: { partnerCodes: object } }>('GET', '/api/admin/settings')
    const change = { partnerCodes: { was: body.values.partnerCodes, value: { percent, active } } }
    expect((await asOwner('PUT', '/api/admin/settings?accepted=1', change)).status).toBe(200)
  }
  const make = (shopper: ReturnType<World['shopper']>, code: string, percent: unknown = 10) =>
    shopper.send<PartnerCodes & Refused>('POST', '/api/partnership/codes', { code, percent })

  test('waits for the owner, who says at most how much they take off and how many there are', async () => {
    const { shopper } = await partner('keen')
    expect(await make(shopper, 'KEEN10')).toMatchObject({ status: 409, body: { code: 'no_own_codes' } })
    const change = { partnerCodes: { was: { percent: 0, active: 3 }, value: { percent: 60, active: 2 } } }
    const asked = await asOwner<Refused>('PUT', '/api/admin/settings', change)
    expect(asked).toMatchObject({ status: 409, body: { code: 'below_floor' } })
    expect(asked.body.message).toMatch(/With this, one .* loses \$/)
    expect((await shopper.send<PartnerCodes>('GET', '/api/partnership/codes')).body).toEqual({
      ...{ percentMax: 0, activeMax: 3, active: 0, codes: [] },
    })
    await bounds(10, 2)
    const lower = { partnerCodes: { was: { percent: 10, active: 2 }, value: { percent: 5, active: 2 } } }
    expect((await asOwner('PUT', '/api/admin/settings', lower)).status).toBe(200)
    expect((await make(shopper, 'KEEN10')).body.fields).toEqual({ percent: 'Please enter at most 5' })
    expect((await make(shopper, 'KEEN5', 5)).status).toBe(200)
  })

  test('is sold with by its link, earns by code, and ended for good; the log has the partner’s number', async () => {
    await bounds(10, 2)
    const { shopper: maker } = await partner('maker')
    const made = await make(maker, ' maker 10 ')
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ percentMax: 10, activeMax: 2, active: 1 },
        codes: [{ code: 'MAKER10', status: 'active', isOwn: true, orders: 0, earned: 0 }],
      },
    })
    const [own] = made.body.codes
    if (!own) throw new Error('no code')
    const followed = await fetch(own.address, { headers: BROWSER, redirect: 'manual' })
    expect(followed.headers.get('location')).toBe('/#said=code_added')
    const shopper = world.shopper()
    shopper.usesCookie((followed.headers.get('set-cookie') ?? '').split(';')[0] ?? '')
    const { body: line } = await shopper.adds('mug')
    const { order } = await buys(shopper)
    const paid = line.price - Math.floor((line.price * 1000 + 5000) / 10_000)
    expect(Number(order.subtotal_cents)).toBe(paid)
    const { body } = await maker.send<PartnerCodes>('GET', '/api/partnership/codes')
    expect(body.codes).toMatchObject([{ code: 'MAKER10', orders: 1, earned: Math.round(paid * 0.12) }])
    expect(await listed('MAKER10')).toMatchObject({ isMadeByPartner: true, partner: 'maker', orders: 1 })
    await expectBooksAgree(world)

    const ended = await maker.send<PartnerCodes>('POST', `/api/partnership/codes/${own.id}/end`)
    expect(ended).toMatchObject({ status: 200, body: { active: 0, codes: [{ code: 'MAKER10', status: 'ended' }] } })
    expect((await applies(shopper, 'MAKER10')).status).toBe(422)
    const { rows } = await world.shop.database.pool.query<{ what: string; user_name: string; username: string }>(
      `select what, user_name, username from owner_action join app_user on app_user.id = user_id
       where about_kind = 'code' and about_id = 'MAKER10' order by owner_action.id`,
    )
    expect(rows).toEqual([
      { what: 'made', user_name: 'partner', username: 'maker' },
      { what: 'ended', user_name: 'partner', username: 'maker' },
    ])
  })

  test('is one too many for one of two who send the last one at once, and an ended one makes room', async () => {
    await bounds(10, 2)
    const { shopper } = await partner('racer')
    expect((await make(shopper, 'RACER1')).status).toBe(200)
    const both = await Promise.all([make(shopper, 'RACER2'), make(shopper, 'RACER3')])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      ...{ code: 'too_many_codes' },
      message: 'You have 2 active codes, which is the most at once. Please end one first.',
    })
    const { body } = await shopper.send<PartnerCodes>('GET', '/api/partnership/codes')
    expect(body).toMatchObject({ active: 2, codes: { length: 2 } })
    await shopper.send('POST', `/api/partnership/codes/${body.codes[0]?.id}/end`)
    expect((await make(shopper, 'RACER4')).status).toBe(200)
  })

  test('with the same word by two partners at once is one of theirs', async () => {
    await bounds(10, 2)
    const makers = [await partner('twin-a'), await partner('twin-b')]
    const both = await Promise.all(makers.map(({ shopper }) => make(shopper, 'TWIN')))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.fields).toEqual({
      code: 'There is already a code of this name.',
    })
  })

  let typist: ReturnType<World['shopper']>
  beforeAll(async () => {
    typist = (await partner('typist')).shopper
  })
  test.each([
    [{ code: 'x', percent: 5 }, { code: 'Please use 3 to 24 letters, digits and hyphens' }],
    [{ code: '<b>BOLD</b>', percent: 5 }, { code: 'Please use 3 to 24 letters, digits and hyphens' }],
    [{ code: '', percent: 5 }, { code: 'Please enter a code' }],
    ...[0, -5, 2.5, 101, null, '10'].map((percent) => [
      { code: 'PERCENT', percent },
      { percent: 'Please enter a whole percentage, such as 10' },
    ]),
    [{ code: 'PERCENT', percent: 11 }, { percent: 'Please enter at most 10' }],
  ] as [object, object][])('is refused beside its field: %j', async (body, fields) => {
    await bounds(10, 2)
    const answer = await typist.send<Refused>('POST', '/api/partnership/codes', body)
    expect([answer.status, answer.body.fields]).toEqual([422, fields])
  })

  test('is nobody else’s to end, and the owner’s codes are not the partner’s to end', async () => {
    await bounds(10, 2)
    const [mine, other] = [await partner('mine'), await partner('other')]
    await makes('GIVEN20', { partnerId: mine.id, benefit: percent(2000) })
    const { body } = await make(mine.shopper, 'MINE10')
    expect(body).toMatchObject({
      active: 1,
      codes: [
        { code: 'MINE10', isOwn: true },
        { code: 'GIVEN20', isOwn: false },
      ],
    })
    const [own, given] = body.codes
    const ends = (shopper: ReturnType<World['shopper']>, id: number | undefined) =>
      shopper.send<Refused>('POST', `/api/partnership/codes/${id}/end`)
    expect(await ends(mine.shopper, given?.id)).toMatchObject({ status: 404, body: { code: 'unknown_code' } })
    expect((await ends(other.shopper, own?.id)).status).toBe(404)
    expect(await listed('MINE10')).toMatchObject({ status: 'active' })
    expect(await listed('GIVEN20')).toMatchObject({ status: 'active' })
    expect((await asOwner('POST', `/api/admin/codes/${own?.id}/end`)).status).toBe(200)
    expect(await listed('MINE10')).toMatchObject({ status: 'ended' })
  })

  test('is made by nobody whose partnership has ended; codes of before still take off, and earn nothing', async () => {
    await bounds(10, 2)
    const { shopper: former, id } = await partner('former')
    expect((await make(former, 'FORMER10')).status).toBe(200)
    await world.shop.database.pool.query(`update partner set state = 'ended' where id = $1`, [id])
    expect(await make(former, 'FORMER5', 5)).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
    const { order } = await buys(await shopperWith('FORMER10'))
    expect(await world.audit('discounts')).toContainEqual(
      expect.objectContaining({ order_id: order.id, code: 'FORMER10' }),
    )
    const { body } = await former.send<PartnerCodes>('GET', '/api/partnership/codes')
    expect(body.codes).toMatchObject([{ code: 'FORMER10', earned: 0 }])
  })
})
