import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminOrderCalls, type AdminOrder, type OpenOrders, type OrderRow } from '#contract/admin-orders.ts'
import { adminOverviewCalls, type Overview } from '#contract/admin-overview.ts'
import type { Call } from '#contract/call.ts'
import { adminCalls } from '#contract/admin.ts'
import type { Found } from '#contract/admin-find.ts'
import { VIEWS_MAX, type SavedView } from '#contract/saved-views.ts'
import { COMMAND, recordAction } from '#server/audit-log/audit-log.ts'
import { DAY_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree } from './invariants.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = await signedIn('owner', 'owner-demo')
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedIn(username: string, password: string) {
  const somebody = world.shopper()
  const { status } = await somebody.send('POST', '/api/login', { username, password })
  expect(status).toBe(200)
  return somebody
}

describe('the admin is for the owner alone', () => {
  test('every call refuses visitors, users and creators', async () => {
    const nobody = world.shopper()
    const partner = await signedIn('partner', 'partner-demo')
    const user = world.shopper()
    await user.send('POST', '/api/register', { username: 'just-a-fan', password: 'sleeps all day' })
    const calls: Call[] = [
      ...Object.values(adminCalls),
      ...Object.values(adminOverviewCalls),
      ...Object.values(adminOrderCalls),
    ]
    for (const { method, path } of calls.filter(({ access }) => access !== 'anyone')) {
      const address = path.replace(/:\w+/g, '1')
      const body = method === 'GET' ? undefined : {}
      for (const [who, status] of [
        [nobody, 401],
        [user, 403],
        [partner, 403],
      ] as const) {
        const answer = await who.send(method, address, body)
        // Authorization comes before validation of the body.
        expect(answer.status, `${method} ${path}`).toBe(status)
      }
    }
  })
})

test('the to-do list counts open work, and a quiet day shows none', async () => {
  const waits = async () => (await owner.send<Record<string, number>>('GET', '/api/admin')).body
  const before = await waits()
  expect(
    Object.values(before)
      .flat()
      .every((count) => count === 0),
  ).toBe(true)
  const message = { name: 'Ada Fan', email: 'ada@mail.example', subject: 'Where is it?', message: 'My hat is late.' }
  await world.shopper().send('POST', '/api/contact', message)
  expect(await waits()).toEqual({ ...before, messages: 1 })
})

describe('the activity log', () => {
  test('shows who, when and from where, newest first, page by page', async () => {
    const at = world.shop.clock.now()
    await world.shop.db.transaction(async (tx) => {
      for (let id = 1; id <= 60; id += 1)
        await recordAction(tx, { by: COMMAND, what: 'tried', about: { kind: 'thing', id }, after: { size: id }, at })
    })
    const first = await owner.send<Log>('GET', '/api/admin/log')
    expect(first.body.actions[0]).toMatchObject({
      who: 'command',
      address: '',
      what: 'tried',
      about: { kind: 'thing', id: '60' },
      before: null,
      after: { size: 60 },
      at: at.toISOString(),
    })
    expect(first.body.actions).toHaveLength(50)
    const next = await owner.send<Log>('GET', `/api/admin/log?older=${first.body.actions.at(-1)?.id}`)
    expect(next.body.actions.map(({ about }) => about.id).slice(0, 10)).toEqual([
      '10',
      '9',
      '8',
      '7',
      '6',
      '5',
      '4',
      '3',
      '2',
      '1',
    ])
    expect(next.body.hasMore).toBe(false)
  })

  test('cannot be changed or deleted', async () => {
    const { pool } = world.shop.database
    await expect(pool.query(`update owner_action set what = 'nothing'`)).rejects.toThrow('append-only')
    await expect(pool.query('delete from owner_action')).rejects.toThrow('append-only')
  })
})

describe('an order', () => {
  let number: string
  let buyer: ReturnType<World['shopper']>
  let intent: string
  const found = async (query: string) => {
    const { status, body } = await owner.send<{ orders: OrderRow[] }>('GET', `/api/admin/orders?${query}`)
    expect(status).toBe(200)
    return body.orders.map(({ orderNumber }) => orderNumber)
  }
  const orderView = async () => (await owner.send<AdminOrder>('GET', `/api/admin/orders/${number}`)).body

  beforeAll(async () => {
    buyer = world.shopper()
    const payment = await buyer.paysByCard({ buying: 'pillow', quantity: 2, to: addresses.sydney })
    await payment.returnsToShop()
    await world.settled()
    intent = payment.payment_intent
    const other = await world.shopper().paysByCard({ buying: 'mug' })
    await other.returnsToShop()
    await world.settled()
    const { rows } = await world.shop.database.pool.query<{ order_number: string }>(
      'select order_number from shop_order where customer_email = $1',
      [buyer.customer.email],
    )
    number = rows[0]?.order_number ?? ''
  })

  test('shows which terms the shopper agreed to, and when', async () => {
    const { terms, placedAt } = await orderView()
    expect(terms?.version).toBe(1)
    expect(Date.parse(terms?.acceptedAt ?? '')).toBeLessThanOrEqual(Date.parse(placedAt))
  })

  test('is found by its number, email, name or payment, and wildcards match nothing', async () => {
    expect(await found(`q=${number.toLowerCase().replace('-', '')}`)).toEqual([number])
    expect(await found(`q=${encodeURIComponent(buyer.customer.email.slice(0, 12))}`)).toEqual([number])
    expect(await found(`q=${intent}`)).toEqual([number])
    expect(await found('q=ada+f')).toHaveLength(2)
    for (const strange of ['%%%', '___', '\\\\\\', `' OR 1=1--`, '"; DROP'])
      expect(await found(`q=${encodeURIComponent(strange)}`), strange).toEqual([])
  })

  test('is found with its customer by the search over everything, beside products and messages', async () => {
    const find = async (q: string) => {
      const { status, body } = await owner.send<Found>('GET', `/api/admin/find?q=${encodeURIComponent(q)}`)
      expect(status).toBe(200)
      return body
    }
    const byNumber = await find(number)
    expect(byNumber.orders.map(({ orderNumber }) => orderNumber)).toEqual([number])
    expect(byNumber.customers).toEqual([{ email: buyer.customer.email, name: 'Ada Fan', orders: 1 }])
    expect((await find(buyer.customer.email.toUpperCase())).customers).toHaveLength(1)
    const { products } = await find('pillow')
    expect(products.length).toBeGreaterThan(0)
    expect(products.every(({ name }) => /pillow/i.test(name))).toBe(true)

    const message = {
      name: 'Zoe',
      email: 'zoe@mail.example',
      subject: 'Hello',
      message: `${'word '.repeat(40)}zeppelin`,
    }
    await world.shopper().send('POST', '/api/contact', message)
    const [found] = (await find('ZEPPELIN')).messages
    expect(found).toMatchObject({ subject: 'Hello', name: 'Zoe', excerpt: expect.stringMatching(/^… .*zeppelin$/) })
    for (const strange of ['%%%', '___', `' OR 1=1--`])
      expect(await find(strange), strange).toEqual({ orders: [], customers: [], products: [], messages: [] })
    expect((await owner.send('GET', '/api/admin/find?q=ab')).status).toBe(422)
  })

  test('is exported with others, and a number that is none exports nothing', async () => {
    const file = await owner.send<string>('GET', `/api/admin/orders/file?numbers=${number}`)
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(file.body.split('\r\n')).toHaveLength(3)
    expect(file.body).toContain(buyer.customer.email)
    expect((await owner.send('GET', `/api/admin/orders/file?numbers=${number},NONE-NONE`)).status).toBe(404)
  })

  test('is listed in views that each person saves under a name of their own', async () => {
    const list = async () => (await owner.send<{ views: SavedView[] }>('GET', '/api/admin/views')).body.views
    const save = (name: string, filter: object) => owner.send('POST', '/api/admin/views', { name, filter })
    expect((await save('Late', { late: '1', status: '' })).status).toBe(200)
    // A search text, which may name a customer, is not stored.
    expect((await save('Late', { late: '1', provider: 'paypal', q: 'ada' })).status).toBe(200)
    const [view, ...others] = await list()
    expect(others).toEqual([])
    expect(view).toMatchObject({ name: 'Late', filter: { late: '1', provider: 'paypal' } })
    expect(JSON.stringify(view)).not.toContain('ada')
    for (let more = 1; more < VIEWS_MAX; more += 1) await save(`View ${more}`, { late: '1' })
    expect((await save('One more', {})).body).toMatchObject({ code: 'too_many_views' })
    for (const { id } of await list()) expect((await owner.send('DELETE', `/api/admin/views/${id}`)).status).toBe(200)
    expect((await owner.send('DELETE', `/api/admin/views/${view?.id}`)).status).toBe(404)
  })

  test('is found by status, payment provider and date', async () => {
    expect(await found('status=submitted&provider=stripe')).toHaveLength(2)
    expect(await found('status=on_hold')).toEqual([])
    expect(await found('provider=paypal')).toEqual([])
    expect(await found('from=2020-01-01&to=2020-12-31')).toEqual([])
    const [latest, earlier] = await found('')
    const { body } = await owner.send<{ orders: OrderRow[] }>('GET', '/api/admin/orders')
    expect(await found(`older=${body.orders[0]?.id}`)).toEqual([earlier])
    expect(latest).not.toBe(earlier)
  })

  test.each([
    ['from=2024-13-40', 'from'],
    ['from=2023-02-29', 'from'],
    ["to='--", 'to'],
    ['to=9999-12-31T25:00', 'to'],
    ['status=free', 'status'],
    ['late=yes', 'late'],
    ['older=0x1', 'older'],
    ['q=ab', 'q'],
  ])('search refuses %s, and the answer says why', async (query, field) => {
    const { status, body } = await owner.send('GET', `/api/admin/orders?${query}`)
    expect(status).toBe(422)
    expect(Object.keys(body['fields'] as object)).toEqual([field])
  })

  test('shows its history: payment, printer, emails and ledger', async () => {
    const order = await orderView()
    expect(order.customer).toMatchObject({ email: buyer.customer.email, name: 'Ada Fan' })
    expect(order.amounts.left).toBe(order.amounts.total)
    expect(order.printer.id).not.toBeNull()
    expect(order.mails.map(({ kind }) => kind)).toContain('confirmation')
    for (const { entries } of order.postings) expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    expect(new Set(order.timeline.map(({ kind }) => kind))).toEqual(
      new Set(['order', 'provider', 'partner', 'mail', 'money']),
    )
    const news = order.timeline.filter(({ kind }) => kind === 'provider' || kind === 'partner')
    expect(news.filter(({ title, detail }) => /_|The answer was/.test(`${title} ${detail}`))).toEqual([])
    const times = order.timeline.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
  })

  test('takes notes, and the log records that a note was added', async () => {
    const words = 'Called: <b>wants</b> the other color $& next time.'
    expect((await owner.send('POST', `/api/admin/orders/${number}/notes`, { words })).status).toBe(200)
    expect((await owner.send('POST', `/api/admin/orders/${number}/notes`, { words: ' ' })).status).toBe(422)
    const order = await orderView()
    expect(order.notes).toMatchObject([{ author: 'owner', words }])
    expect(order.actions[0]).toMatchObject({ who: 'owner', what: 'wrote a note', address: '127.0.0.1' })
  })

  test('is refunded the amount on screen, once, however often the button is pressed', async () => {
    const preview = (wanted: object) =>
      owner.send<{ amount: number; limit: number; parts: Record<string, number> }>(
        'POST',
        `/api/admin/orders/${number}/refund/preview`,
        { wanted },
      )
    const shipping = await preview({ kind: 'shipping' })
    expect(shipping.body.parts).toMatchObject({ merchandise: 0, shipping: 0, surcharge: 2 * 3499 })
    const wanted = { kind: 'amount', amount: 1000 }
    const { amount, limit } = (await preview(wanted)).body
    expect((await orderView()).refunds).toEqual([])

    const yes = { wanted, amount, limit, reason: 'arrived late' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => owner.send('POST', `/api/admin/orders/${number}/refund`, yes)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    await world.settled()
    const order = await orderView()
    expect(order.refunds).toMatchObject([{ amount, status: 'succeeded', reason: 'arrived late' }])
    expect(order.amounts.left).toBe(order.amounts.total - amount)
    expect(order.actions[0]).toMatchObject({ what: 'refunded' })
    await expectBooksAgree(world)

    expect((await preview({ kind: 'amount', amount: order.amounts.left + 1 })).status).toBe(422)
  })

  test('can have its emails resent, to its own address only', async () => {
    const { mails } = await orderView()
    const mail = mails.find(({ kind }) => kind === 'confirmation')
    const before = world.mailbox.list().length
    const path = `/api/admin/orders/${number}/mails/${mail?.id}/resend`
    for (const status of [200, 200]) expect((await owner.send('POST', path)).status).toBe(status)
    await world.settled()
    expect(world.mailbox.list().length).toBe(before + 1)
    expect((await owner.send('POST', `/api/admin/orders/${number}/mails/999999/resend`)).status).toBe(409)
  })

  test('is held, released, canceled or resubmitted where possible, and otherwise says why not', async () => {
    const { can } = await orderView()
    expect(can).toMatchObject({ refund: null, cancel: null, hold: expect.any(String), release: expect.any(String) })
    const press = (what: string, body?: object) =>
      owner.send<{ code: string }>('POST', `/api/admin/orders/${number}/${what}`, body)
    for (const [what, code] of [
      ['hold', 'cannot_hold'],
      ['release', 'cannot_release'],
      ['resubmit', 'cannot_resubmit'],
    ] as const)
      expect((await press(what, what === 'hold' ? { reason: 'why' } : undefined)).body.code).toBe(code)
    expect((await press('cancel')).status).toBe(200)
    await world.settled()
    const order = await orderView()
    expect(order.fulfillment).toBe('cancelled')
    expect(order.can.cancel).not.toBeNull()
    expect(order.actions[0]).toMatchObject({ what: 'cancelled', who: 'owner' })
    expect((await press('resubmit')).status).toBe(200)
    await world.settled()
    expect((await orderView()).fulfillment).toBe('submitted')
  })

  test('that does not exist is not found', async () => {
    for (const unknownNumber of ['0000-0000', 'nonsense', '1'])
      expect((await owner.send('GET', `/api/admin/orders/${unknownNumber}`)).status).toBe(404)
  })
})

describe('the start page', () => {
  const overview = async (): Promise<Overview> => {
    const { status, body } = await owner.send<Overview>('GET', '/api/admin/overview')
    expect(status).toBe(200)
    return body
  }
  const period = ({ periods }: Overview, wanted: string) => {
    const found = periods.find(({ name }) => name === wanted)
    if (!found) throw new Error(`no figures of ${wanted}`)
    return found
  }
  /** What the ledger earned, on accounts of revenue alone and less expenses. */
  async function earned(): Promise<{ net: number; profit: number }> {
    const { rows } = await world.shop.database.pool.query<{ net: string; profit: string }>(
      `select -sum(amount_cents) filter (where account like 'revenue:%') as net,
         -sum(amount_cents) filter (where account ~ '^(revenue|expense):') as profit from audit_ledger`,
    )
    return { net: Number(rows[0]?.net), profit: Number(rows[0]?.profit) }
  }

  test('has the figures of the reports and of the ledger, and keeps what was booked on earlier days', async () => {
    const before = period(await overview(), 'week')
    expect(before.now).toMatchObject({ orders: 2, ...(await earned()) })
    expect(before.before).toEqual({ orders: 0, gross: 0, net: 0, profit: 0 })
    const { body } = await owner.send('GET', `/api/reports/summary?start_date=${before.from}&end_date=${before.to}`)
    expect(body).toMatchObject({ totalOrders: before.now.orders, totalRevenue: before.now.gross })

    await world.advance(DAY_MS)
    owner = await signedIn('owner', 'owner-demo')
    const again = await overview()
    // Known from now on without summing it again; a refund of today counts today.
    expect(period(again, 'yesterday').now).toEqual(before.now)
    const [order] = again.lastOrders
    const path = `/api/admin/orders/${order?.orderNumber}/refund`
    const wanted = { kind: 'amount', amount: 500 }
    const { body: preview } = await owner.send('POST', `${path}/preview`, { wanted })
    const { amount, limit } = preview
    expect((await owner.send('POST', path, { wanted, amount, limit, reason: 'late' })).status).toBe(200)
    await world.settled()
    const after = await overview()
    expect(period(after, 'yesterday').now).toEqual(before.now)
    expect(period(after, 'today').now).toMatchObject({ orders: 0, gross: 0 })
    expect(period(after, 'today').now.net).toBeLessThan(0)
    expect(period(after, 'month').now).toMatchObject({ orders: 2, gross: before.now.gross, ...(await earned()) })
  })

  test('shows orders under way with the late ones, the last orders with their goods, and the providers', async () => {
    const { states, lastOrders, providers } = await overview()
    const sums = (of: OpenOrders) => ({
      orders: of.reduce((sum, { orders }) => sum + orders, 0),
      late: of.reduce((sum, { late }) => sum + late, 0),
    })
    expect(sums(states)).toEqual({ orders: 2, late: 0 })
    expect(lastOrders.map(({ pieces, goods, isLate }) => [pieces, goods.length, isLate])).toEqual([
      [1, 1, false],
      [2, 1, false],
    ])
    expect(lastOrders[0]?.goods[0]).toMatchObject({
      name: expect.stringContaining('Mug'),
      imageUrl: expect.any(String),
    })
    expect(providers.map(({ name }) => name)).toEqual(['Stripe', 'PayPal', 'Printful'])

    const [{ id } = { id: 0 }] = lastOrders
    const tell = (state: string) =>
      world.shop.database.pool.query(
        `insert into parcel_notice (order_id, kind, pieces, state, told_at) values ($1, 'late', '[]', $2, now())
         on conflict on constraint parcel_notice_once do update set state = excluded.state`,
        [id, state],
      )
    await tell('open')
    const late = await overview()
    expect(sums(late.states)).toEqual({ orders: 2, late: 1 })
    expect(late.lastOrders.map(({ isLate }) => isLate)).toEqual([true, false])
    const { body: list } = await owner.send<{ orders: OrderRow[]; open: OpenOrders }>('GET', '/api/admin/orders?late=1')
    expect(list.orders.map((order) => order.id)).toEqual([id])
    // Of all orders, whatever the list is filtered by.
    expect(sums(list.open)).toEqual({ orders: 2, late: 1 })
    await tell('over')
    expect(sums((await overview()).states)).toEqual({ orders: 2, late: 0 })
  })
})

type Log = { actions: { id: number; about: { id: string } }[]; hasMore: boolean }
