import { expect, test } from 'vitest'
import type { OrderNumber } from '#shared/ids.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { runChangeHistories } from '../properties/change-histories.ts'
import { whyChangedOrderDiffers } from '../properties/changed-orders.ts'

// A paid order is changed: its price, tax, refund, books, printer's order and emails follow.

type Shopper = ReturnType<World['shopper']>
type Variant = { id: number; retail_price: string; availability_status: string; name: string }
type Said = { done?: string; code?: string; message?: string; difference?: number }

async function ownerOf(world: World): Promise<Shopper> {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner
}

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

async function sold(world: World, { isWallet = false, isReferred = false, quantity = 2 } = {}) {
  const shopper = world.shopper()
  if (isReferred) {
    await shopper.adds('hat', 1)
    const followed = await fetch(`${world.address}/r/bullion-rudy`, { redirect: 'manual', headers: BROWSER })
    const click = followed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    shopper.usesCookie(`${shopper.cookie()}; ${click}`)
  }
  const rest = isReferred ? quantity - 1 : quantity
  if (isWallet) {
    const id = await shopper.approvesWallet({ quantity: rest })
    await shopper.captures(id)
    const { body } = await shopper.processes(id)
    await world.settled()
    return { shopper, number: String(body.orderNumber) as OrderNumber, paymentId: id }
  }
  const payment = await shopper.paysByCard({ quantity: rest })
  const { body } = await payment.returnsToShop()
  await world.settled()
  return { shopper, number: String(body.orderId) as OrderNumber, paymentId: payment.payment_intent }
}

const variantsOf = async (shopper: Shopper, words: string): Promise<Variant[]> => {
  const { providerProductId } = await shopper.find(words)
  const { body } = await shopper.send<{ result: { sync_variants: Variant[] } }>(
    'GET',
    `/api/printful/products/${providerProductId}`,
  )
  return body.result.sync_variants
}

const rows = async <Row>(world: World, query: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.shop.database.pool.query(query, values)).rows as Row[]
const orderOf = async (world: World, number: string) =>
  (await world.audit('orders')).find((row) => row['order_number'] === number)
const linesOf = async (world: World, number: string) => {
  const order = await orderOf(world, number)
  return (await world.audit('lines')).filter((row) => row['order_id'] === order?.['id'])
}
const change = (owner: Shopper, number: string, body: object) =>
  owner.send<Said>('POST', `/api/admin/orders/${number}/change`, body)
const preview = (owner: Shopper, number: string, body: object) =>
  owner.send<Said & { difference: number; amounts: { tax: number; total: number } }>(
    'POST',
    `/api/admin/orders/${number}/change/preview`,
    body,
  )
const agrees = async (world: World, number: string) =>
  expect(await whyChangedOrderDiffers(world, number), number).toEqual([])

test('the owner removes a piece: its price with tax goes back, and the printer makes the rest once', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const { shopper, number } = await sold(world)
  const before = await orderOf(world, number)
  const [line] = await linesOf(world, number)
  const wish = {
    lines: { changed: [{ position: 0, variantId: Number(line?.['variant_id']), quantity: 1 }], added: [] },
  }
  const { body: seen } = await preview(owner, number, wish)
  expect(seen.difference).toBeLessThan(0)
  expect(await change(owner, number, { ...wish, difference: seen.difference - 1 })).toMatchObject({
    status: 409,
    body: { code: 'change_differs' },
  })
  expect(await change(owner, number, { ...wish, difference: seen.difference })).toMatchObject({ status: 200 })
  await world.settled()
  const after = await orderOf(world, number)
  expect(Number(after?.['total_cents'])).toBe(Number(before?.['total_cents']) + seen.difference)
  expect(after).toMatchObject({ payment_status: 'paid', fulfilment_status: 'submitted', external_id: `${number}-2` })
  expect(await linesOf(world, number)).toMatchObject([{ quantity: 1 }])
  expect(await world.audit('refunds')).toMatchObject([{ amount_cents: String(-seen.difference), status: 'succeeded' }])
  expect(await world.audit('changes')).toMatchObject([{ by: 'owner', kind: 'lines', state: 'done' }])
  const [mail] = world.mailbox.list().filter(({ subject }) => subject.includes('was changed'))
  expect(JSON.stringify(mail?.to)).toContain(shopper.customer.email)
  await agrees(world, number)
})

test('an address in another state is taxed again, and the log has both addresses', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const { number } = await sold(world)
  const before = await orderOf(world, number)
  const oregon = {
    line1: '1 Pine Street',
    line2: null,
    city: 'Portland',
    state: 'OR',
    postal_code: '97201',
    country: 'US',
  }
  const wish = { recipient: { name: 'Ada Fan', shippingAddress: oregon } }
  const { body: seen } = await preview(owner, number, wish)
  expect(seen).toMatchObject({ difference: -Number(before?.['tax_cents']), amounts: { tax: 0 } })
  expect(await change(owner, number, { ...wish, difference: seen.difference })).toMatchObject({ status: 200 })
  await world.settled()
  expect(await orderOf(world, number)).toMatchObject({ tax_cents: '0' })
  const { body: view } = await owner.send('GET', `/api/admin/orders/${number}`)
  expect(JSON.stringify(view['timeline'])).toContain('1 Pine Street')
  expect(JSON.stringify(view['timeline'])).toContain('350 5th Avenue')
  expect(await rows(world, 'select tax_report, tax_evidence->>$1 as tax from shop_order', ['tax'])).toEqual([
    { tax_report: 'reported', tax: '0' },
  ])
  await agrees(world, number)
})

test('what costs more waits for its payment by the emailed link, and is charged once', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const { number, paymentId } = await sold(world, { isWallet: true })
  const [pillow] = (await variantsOf(owner, 'pillow')).filter(({ availability_status: s }) => s === 'active')
  const wish = { lines: { changed: [], added: [{ variantId: Number(pillow?.id), quantity: 1 }] } }
  const before = await orderOf(world, number)
  const { body: seen } = await preview(owner, number, wish)
  expect(seen.difference).toBeGreaterThan(0)
  expect(await change(owner, number, { ...wish, difference: seen.difference })).toMatchObject({
    status: 200,
    body: { done: expect.stringContaining('email to pay') },
  })
  await world.settled()
  // Nothing has changed, and the printer waits.
  expect(await orderOf(world, number)).toMatchObject({
    total_cents: before?.['total_cents'],
    fulfilment_status: 'waiting',
  })
  expect(await change(owner, number, { ...wish, difference: seen.difference })).toMatchObject({
    status: 409,
    body: { code: 'change_refused', message: expect.stringContaining('waits for its payment') },
  })
  const mail = world.mailbox.list().find(({ subject }) => subject.includes('Pay for the change'))
  const token = /order-confirmation\?token=([\w-]+)#pay-change/.exec(mail?.text ?? '')?.[1] ?? ''
  const guest = world.shopper()
  expect((await guest.send('GET', `/api/order/change?token=${token}`)).body['toPay']).toMatchObject({
    amount: seen.difference,
  })
  const pay = () =>
    guest.send<{ intentId: string; clientSecret: string; amount: number }>('POST', '/api/order/change/pay', { token })
  const [first, second] = [await pay(), await pay()]
  expect(second.body).toEqual(first.body)
  await guest.confirms({ payment_intent: first.body.intentId, client_secret: first.body.clientSecret })
  await Promise.all([
    guest.returnsToShop(first.body.intentId),
    world.settle(first.body.intentId),
    world.settle(first.body.intentId),
  ])
  await world.settled()
  await world.sweep()
  await world.settled()
  const after = await orderOf(world, number)
  expect(Number(after?.['total_cents'])).toBe(Number(before?.['total_cents']) + seen.difference)
  expect(after).toMatchObject({ fulfilment_status: 'submitted', payment_status: 'paid' })
  expect((await world.audit('payments')).map((row) => row['order_id'])).toEqual([after?.['id'], after?.['id']])
  expect((await pay()).status).toBe(404)
  await agrees(world, number)

  // Both pieces cost more than one of the payments: it takes from both, and each piece is refunded once.
  const refund = async (wanted: object) => {
    const url = `/api/admin/orders/${number}/refund`
    const seen = await owner.send<{ amount: number; limit: number }>('POST', `${url}/preview`, { wanted })
    const { amount, limit } = seen.body
    return owner.send('POST', url, { wanted, amount, limit, reason: 'all of it' })
  }
  const { body: view } = await guest.send<{ lines: { position: number }[] }>('GET', `/api/order?token=${token}`)
  const pieces = view.lines.map(({ position }) => ({ position, quantity: 1 }))
  expect(pieces).toHaveLength(2)
  expect((await refund({ kind: 'pieces', pieces })).status).toBe(200)
  await world.settled()
  expect(await world.audit('refunds')).toHaveLength(2)
  expect(
    await owner.send('POST', `/api/admin/orders/${number}/refund/preview`, { wanted: { kind: 'pieces', pieces } }),
  ).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect((await refund({ kind: 'rest' })).status).toBe(200)
  await world.settled()
  expect(await orderOf(world, number)).toMatchObject({ payment_status: 'refunded' })
  expect(new Set((await world.audit('refunds')).map((row) => row['payment_key']))).toEqual(
    new Set([`paypal:${paymentId}`, `stripe:${first.body.intentId}`]),
  )
  await agrees(world, number)
})

test('an unpaid change lapses, and a payment that comes too late goes back', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const { shopper, number, paymentId } = await sold(world)
  const [pillow] = (await variantsOf(owner, 'pillow')).filter(({ availability_status: s }) => s === 'active')
  const wish = { lines: { changed: [], added: [{ variantId: Number(pillow?.id), quantity: 1 }] } }
  const { body: seen } = await preview(owner, number, wish)
  await change(owner, number, { ...wish, difference: seen.difference })
  const key = { session_id: paymentId }
  const { body: started } = await shopper.send<{ intentId: string; clientSecret: string }>(
    'POST',
    '/api/order/change/pay',
    key,
  )
  expect((await shopper.send('POST', '/api/order/change/drop', key)).status).toBe(200)
  expect((await shopper.send('POST', '/api/order/change/drop', key)).status).toBe(404)
  await shopper.confirms({ payment_intent: started.intentId, client_secret: started.clientSecret })
  await world.sweep()
  await world.settled()
  expect(await orderOf(world, number)).toMatchObject({ fulfilment_status: 'submitted' })
  expect(await world.audit('changes')).toMatchObject([{ state: 'lapsed' }])
  await agrees(world, number)

  // Another one, dropped by the owner, and a third that nobody pays.
  const again = await preview(owner, number, wish)
  await change(owner, number, { ...wish, difference: again.body.difference })
  expect((await owner.send('POST', `/api/admin/orders/${number}/change/drop`)).status).toBe(200)
  await world.settled()
  await change(owner, number, { ...wish, difference: again.body.difference })
  await world.advance(DAY_MS + HOUR_MS)
  await world.sweep()
  await world.settled()
  expect((await world.audit('changes')).map((row) => row['state'])).toEqual(['lapsed', 'lapsed', 'lapsed'])
  expect(await orderOf(world, number)).toMatchObject({ fulfilment_status: 'submitted' })
  await agrees(world, number)
})

test('an order in production, refunded or disputed is not changed, and says what can be done instead', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const { number } = await sold(world)
  const [line] = await linesOf(world, number)
  const wish = {
    lines: { changed: [{ position: 0, variantId: Number(line?.['variant_id']), quantity: 1 }], added: [] },
  }
  const { body: seen } = await preview(owner, number, wish)
  await world.simulators.printful.change({ change: 'advance', external_id: number })
  expect(await change(owner, number, { ...wish, difference: seen.difference })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('making this order') },
  })
  expect(await linesOf(world, number)).toMatchObject([{ quantity: 2 }])
  const other = await sold(world)
  expect(
    await preview(owner, other.number, {
      lines: { changed: [{ position: 0, variantId: Number(line?.['variant_id']), quantity: 0 }], added: [] },
    }),
  ).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Cancel the order instead') },
  })
  await rows(world, `update shop_order set payment_status = 'disputed' where order_number = $1`, [other.number])
  expect(await preview(owner, other.number, wish)).toMatchObject({
    body: { message: expect.stringContaining('disputed') },
  })
})

/** `CHANGE_HISTORIES` and `CHANGE_SEED` lengthen a run, or repeat it; `npm run prove:changes` runs thousands. */
test('money, tax, printer, commission, books and emails agree after any changes, payments and outages (F59)', async () => {
  const seed = Number(process.env['CHANGE_SEED'] ?? Math.floor(Math.random() * 1e9))
  const found: string[] = []
  const count = Number(process.env['CHANGE_HISTORIES'] ?? 6)
  await runChangeHistories({ count, seed }, (_, wrong) => found.push(...wrong))
  expect(found).toEqual([])
}, 3_600_000)
