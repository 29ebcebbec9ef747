import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

const DAY_MS = 86_400_000

type View = {
  card?: { brand: string; lastFour: string }
  orderNumber: string
  status: string
  fulfillment: string
  email: string
  isPayer: boolean
  city: string
  country: string
  lines: { productName: string; quantity: number; unitPrice: number }[]
  amounts: Record<'subtotal' | 'shipping' | 'tax' | 'vatProtection' | 'total' | 'refunded', number> & {
    surcharges: { productName: string; amount: number }[]
  }
  milestones: { station: string; state: string; at: string | null }[]
  expected: { from: string; to: string } | null
  parcels: { name: string; deliveredAt: string | null; returnedAt: string | null; items: { quantity: number }[] }[]
  stillToCome: { quantity: number }[]
}

type Shopper = ReturnType<World['shopper']>

/** A shopper who has paid; `number` is the order's, `token` the secret in the emailed link. */
async function bought(
  world: World,
  { buying = 'pillow', quantity = 1, to = addresses.sydney }: { buying?: string; quantity?: number; to?: object } = {},
) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying, quantity, to })
  const { body } = await payment.returnsToShop()
  await expect
    .poll(() => ordersOf(world).then((orders) => orders.at(-1)?.status), { timeout: 20_000 })
    .toBe('submitted')
  await world.settled()
  return { shopper, payment, number: body.orderId ?? '', token: tokenIn(mailsTo(world, shopper.customer.email)[0]) }
}

const mailsTo = (world: World, email: string) =>
  world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))

const tokenIn = (mail: { text: string } | undefined): string =>
  /order-confirmation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

const sees = (shopper: Shopper, query: string) => shopper.send<View>('GET', `/api/order?${query}`)

/** What a browser without script posts from a page of the shop. */
const form = (world: World, fields: Record<string, string>) =>
  [
    new URLSearchParams(fields).toString(),
    { 'content-type': 'application/x-www-form-urlencoded', origin: world.address },
  ] as const

test('the buyer sees the order by its payment and by its number, to the cent', async () => {
  await using world = await openWorld()
  const { shopper, payment, number } = await bought(world, { quantity: 2 })
  for (const query of [`session_id=${payment.payment_intent}`, `order=${number}`]) {
    const { status, body: view } = await sees(shopper, query)
    expect(status).toBe(200)
    const { amounts } = view
    expect(view).toMatchObject({ orderNumber: number, city: 'Sydney', country: 'Australia', isPayer: true })
    expect(view.email).toBe(shopper.customer.email)
    expect(view.card).toEqual({ brand: 'visa', lastFour: '4242' })
    expect(amounts.total).toBe(payment.total_amount)
    expect(amounts.surcharges).toEqual([{ productName: expect.stringContaining('Pillow'), amount: 6998 }])
    expect(
      amounts.subtotal + amounts.shipping + (amounts.surcharges[0]?.amount ?? 0) + amounts.tax + amounts.vatProtection,
    ).toBe(amounts.total)
    expect(view.milestones.map(({ station, state }) => `${station} ${state}`).slice(0, 3)).toEqual([
      'paid done',
      'submitted now',
      'in_production next',
    ])
    expect(view.expected).not.toBeNull()
  }
})

test('a wallet order has the same page, by its payment and its number', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const id = await shopper.approvesWallet({ buying: 'mug', to: addresses.berlin })
  await shopper.captures(id)
  const { orderNumber } = (await shopper.processes(id)).body
  await world.settled()
  for (const query of [`session_id=${id}`, `order=${orderNumber}`])
    expect((await sees(shopper, query)).body).toMatchObject({ orderNumber, paidWith: 'paypal', country: 'Germany' })
  expect((await sees(world.shopper(), `session_id=${id}`)).status).toBe(404)
})

const ways: [string, (world: World, shopper: Shopper) => Promise<() => Promise<unknown>>][] = [
  ['the browser’s return', async (_, shopper) => (await shopper.paysByCard({ quantity: 2 })).returnsToShop],
  [
    'the sweep alone',
    async (world, shopper) => {
      await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
      await shopper.paysByCard({ quantity: 2 })
      return () => world.sweep()
    },
  ],
  [
    'the webhook alone',
    async (world, shopper) => {
      await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
      await shopper.paysByCard({ quantity: 2 })
      return () => world.simulators.kit.webhooks.set({ provider: 'stripe', release: true })
    },
  ],
  [
    'the wallet',
    async (_, shopper) => {
      const id = await shopper.approvesWallet({ buying: 'hat', quantity: 2 })
      return () => shopper.captures(id)
    },
  ],
]

test.each(ways)('what was bought leaves the cart by %s, and later additions stay', async (_, pays) => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const settle = await pays(world, shopper)
  await shopper.adds('hat', 1)
  await shopper.adds('mouse pad', 1)
  await settle()
  await expect
    .poll(async () => (await shopper.cart()).map(({ quantity }) => quantity), { timeout: 10_000 })
    .toEqual([1, 1])
})

test('a return page opened in another browser shows a status, and nobody’s order (S27)', async () => {
  await using world = await openWorld()
  const { shopper, payment, number } = await bought(world)
  const stranger = world.shopper()
  await stranger.adds('hat') // has a session of its own
  const result = await stranger.send('GET', `/api/payment-success/${payment.payment_intent}`)
  expect(result).toMatchObject({ status: 200, body: { status: 'paid' } })
  const settled = await stranger.send('POST', '/api/process-completed-payment', {
    paymentIntentId: payment.payment_intent,
  })
  for (const text of [JSON.stringify(result.body), JSON.stringify(settled.body)])
    for (const secret of [number, shopper.customer.email, shopper.customer.name, 'Sydney', 'Macquarie'])
      expect(text).not.toContain(secret)
  for (const query of [`session_id=${payment.payment_intent}`, `order=${number}`, 'token=guess', ''])
    expect(await sees(stranger, query), query).toMatchObject({ status: 404, body: { code: 'order_not_shown' } })
})

test('the link in the confirmation opens the order without names; after 90 days a new link comes by email', async () => {
  await using world = await openWorld()
  const { shopper, token } = await bought(world)
  const anybody = world.shopper()
  const { status, body: view } = await sees(anybody, `token=${token}`)
  expect(status).toBe(200)
  expect(view).toMatchObject({ isPayer: false, city: 'Sydney' })
  expect(view).not.toHaveProperty('card')
  for (const secret of [shopper.customer.email, shopper.customer.name, 'Macquarie', '2000'])
    expect(JSON.stringify(view)).not.toContain(secret)

  // The database stores no key: neither in its own table nor in the sent email.
  const { rows } = await world.shop.database.pool.query(
    'select row_to_json(m)::text as row from mail m union all select row_to_json(a)::text from order_access a',
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toContain(token)

  await world.advance(91 * DAY_MS)
  expect(await sees(anybody, `token=${token}`)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
  for (const wrong of [token, token, 'guess']) {
    const answer = await anybody.send('POST', '/order-confirmation', ...form(world, { wish: 'renew', token: wrong }))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/order-confirmation?said=link_sent'])
  }
  await world.settled()
  // To the order's own address, once, however often it is requested.
  const links = world.mailbox.list().filter(({ subject }) => subject.startsWith('A new link'))
  expect(links.map(({ to }) => JSON.stringify(to).includes(shopper.customer.email))).toEqual([true])
  const fresh = tokenIn(links[0])
  expect(fresh).not.toBe(token)
  expect((await sees(anybody, `token=${fresh}`)).status).toBe(200)
})

test('an order is tracked by number and email as people type them; a wrong pair reveals nothing', async () => {
  await using world = await openWorld()
  const { shopper, number } = await bought(world)
  const { email } = shopper.customer
  const visitor = world.shopper()
  const track = (orderNumber: string, address: string) =>
    visitor.send<{ code: string; message: string }>('POST', '/api/track', { orderNumber, email: address })

  const answers = [
    await track(number, 'somebody@mail.example'),
    await track('0000-0000', email),
    await track('not a number', email),
  ]
  for (const { status, body } of answers)
    expect([status, body.message]).toEqual([404, 'We could not find an order with this number and email.'])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(visitor.cookie()).toBe('') // and leaves no session behind

  const typed = number.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  const found = await track(`pf ${typed}`, ` ${email.toUpperCase()} `)
  expect(found).toMatchObject({ status: 200, body: { orderNumber: number } })
  expect((await sees(visitor, `order=${number}`)).body).toMatchObject({ orderNumber: number, isPayer: false })
  expect((await sees(world.shopper(), `order=${number}`)).status).toBe(404)

  await world.advance(3 * 3_600_000)
  expect((await sees(visitor, `order=${number}`)).status).toBe(404)
})

test('guessing payments, links and pairs returns 404, and then 429 (S25)', { timeout: 90_000 }, async () => {
  await using world = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const guess = async (ask: (n: number) => Promise<{ status: number }>, times: number) => {
    const seen: number[] = []
    for (let n = 0; n < times; n += 1) seen.push((await ask(n)).status)
    return seen
  }
  const stranger = world.shopper()
  const kinds: [string, (n: number) => Promise<{ status: number }>, number][] = [
    ['payments', (n) => stranger.send('GET', `/api/payment-success/pi_${n}guess`), 260],
    ['links', (n) => stranger.send('GET', `/api/order?token=guess${n}`), 260],
    [
      'pairs',
      (n) =>
        stranger.send('POST', '/api/track', {
          orderNumber: `0000-${String(n).padStart(4, '0')}`,
          email: 'fan@mail.example',
        }),
      50,
    ],
  ]
  for (const [kind, ask, times] of kinds) {
    const seen = await guess(ask, times)
    expect(new Set(seen), kind).toEqual(new Set([404, 429]))
    expect(seen.lastIndexOf(404), kind).toBeLessThan(seen.indexOf(429))
  }
})

test('made-up parameters show no success (S24)', async () => {
  await using world = await openWorld()
  const stranger = world.shopper()
  for (const id of ['pi_x', '1', 'K7QM-4T2X', '5O190127TN364715T'])
    expect((await stranger.send('GET', `/api/payment-success/${id}`)).status, id).toBe(404)
})

test('without a script an order is tracked, ordered again and asked about by forms and links', async () => {
  await using world = await openWorld()
  const { shopper, number } = await bought(world, { buying: 'vented hat', quantity: 2, to: addresses.newYork })
  const visitor = world.shopper()
  const post = (path: string, fields: Record<string, string>) => visitor.send('POST', path, ...form(world, fields))

  const wrong = await post('/track', { orderNumber: number, email: 'no@mail.example' })
  expect([wrong.status, wrong.headers.get('location')]).toEqual([303, `/track?said=unknown_order&order=${number}`])
  expect(wrong.headers.get('location')).not.toContain('mail')
  const found = await post('/track', { orderNumber: number, email: shopper.customer.email })
  expect([found.status, found.headers.get('location')]).toEqual([303, `/order-confirmation?order=${number}`])

  const again = await post('/order-confirmation', { wish: 'reorder', order: number })
  expect(again.headers.get('location')).toBe('/cart?said=reordered')
  expect(await visitor.cart()).toMatchObject([{ quantity: 2 }])
  const foreign = await visitor.send('POST', '/order-confirmation', 'wish=reorder', {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://evil.example',
  })
  expect(foreign.status).toBe(403)
  expect((await post('/order-confirmation', { wish: 'reorder', order: '0000-0000' })).status).toBe(404)
})

test('the receipt and the calendar entry are only for people who may see the order, and are never cached', async () => {
  await using world = await openWorld()
  const { shopper, token, number } = await bought(world)
  const get = (file: string, key: string) => fetch(`${world.address}/order-confirmation/${file}?token=${key}`)

  const receipt = await get('receipt.pdf', token)
  expect(receipt.headers.get('content-type')).toBe('application/pdf')
  expect(receipt.headers.get('cache-control')).toBe('no-store')
  expect(receipt.headers.get('referrer-policy')).toBe('same-origin')
  const textOf = async (file: Response) =>
    (await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })).text
  const pdf = await textOf(receipt)
  const { body: view } = await sees(shopper, `order=${number}`)
  expect(pdf).toContain(`PF${number}`)
  expect(pdf).toContain(`$${(view.amounts.total / 100).toFixed(2)}`)
  expect(pdf).not.toContain(shopper.customer.name)
  expect(pdf).not.toContain('Macquarie')
  const own = await fetch(`${world.address}/order-confirmation/receipt.pdf?order=${number}`, {
    headers: { cookie: shopper.cookie() },
  })
  expect(await textOf(own)).toContain(shopper.customer.name)

  const entry = await (await get('arrival.ics', token)).text()
  expect(entry).toContain(`DTSTART;VALUE=DATE:${view.expected?.from.replaceAll('-', '')}`)
  expect(entry).not.toContain(token)
  for (const file of ['receipt.pdf', 'arrival.ics']) expect((await get(file, 'guess')).status).toBe(404)
})
