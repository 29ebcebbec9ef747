import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProductPrices } from '#contract/admin-prices.ts'
import type { PartnerRates } from '#contract/payouts.ts'
import type { Rehearsal, RehearsedChange } from '#contract/rehearsals.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// What the last 90 days would have been under another rule.

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

/** One person buys everything here. */
const EMAIL = 'ann@example.com'

let world: World
let owner: ReturnType<World['shopper']>
let mug: number
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  mug = (await owner.find('mug')).id
  await buysMugByLink()
  const wallet = world.shopper()
  wallet.customer.email = EMAIL
  await wallet.processes(await wallet.approvesWallet({ to: addresses.berlin }))
  await world.settled()
  const leaving = world.shopper()
  await leaving.adds('mug')
  await leaving.startsPayment()
  await world.shopper().adds('mug', 2)
  // By then the printer's bills and the providers' fees are known.
  await world.advance(2 * 60 * 60_000)
  await world.sweep()
  await world.settled()
})
afterAll(() => world[Symbol.asyncDispose]())

/** A visitor follows a creator's link and buys a mug by card. */
async function buysMugByLink() {
  const shopper = world.shopper()
  shopper.customer.email = EMAIL
  await shopper.adds('mug')
  const followed = await fetch(`${world.address}/r/bullion`, { redirect: 'manual', headers: BROWSER })
  shopper.usesCookie(`${shopper.cookie()}; ${followed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''}`)
  const { body } = await shopper.startsPayment(addresses.newYork)
  await shopper.confirms(body)
  await shopper.returnsToShop(body.payment_intent)
  await world.settled()
  const order = (await ordersOf(world)).at(-1)
  const { rows } = await world.shop.database.pool.query<{ amount: string }>(
    'select sum(amount_cents) as amount from commission_entry where order_id = $1',
    [order?.id],
  )
  return { total: Number(order?.total_cents), tax: Number(order?.tax_cents), commission: Number(rows[0]?.amount) }
}

const rehearse = (change: RehearsedChange | object, page = 1) =>
  owner.send<Rehearsal & { code?: string; message?: string }>('POST', '/api/admin/rehearsals', { change, page })
const pricesOfMug = async () => (await owner.send<ProductPrices>('GET', `/api/admin/products/${mug}/prices`)).body
const mugAt = async (to: number) => ({
  kind: 'price',
  prices: (await pricesOfMug()).variants.map(({ id: variantId }) => ({ variantId, to })),
})
const partnerId = async () => (await owner.send<PartnerRates[]>('GET', '/api/admin/partner-rates')).body[0]?.partnerId

/** A fingerprint of every row of every table; the queue of jobs keeps its own by itself. */
async function everyRow(): Promise<string[]> {
  const { pool } = world.shop.database
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pgboss') order by 1`,
  )
  const prints: string[] = []
  for (const { name } of rows) {
    const found = await pool.query<{ print: string }>(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print from ${name} t`,
    )
    prints.push(`${name} ${found.rows[0]?.print}`)
  }
  return prints
}

test('profit, tax and commission stand beside what the books say, order by order', async () => {
  const { status, body } = await rehearse(await mugAt(1895))
  expect(status).toBe(200)
  expect(body).toMatchObject({ floor: 0, hasMore: false, orders: { sales: 2, changed: 1, unknown: 0 } })
  expect(body.about).toMatch(/ at \$18\.95$/)
  const margins = await world.audit<{ actual_cents: string }>('margin')
  expect(body.orders.before.profit).toBe(margins.reduce((all, { actual_cents: one }) => all + Number(one), 0))
  const orders = await ordersOf(world)
  expect(body.orders.before).toMatchObject({
    total: orders.reduce((all, { total_cents: one }) => all + Number(one), 0),
    tax: orders.reduce((all, { tax_cents: one }) => all + Number(one), 0),
  })
  const [row] = body.rows
  expect(row).toMatchObject({
    orderNumber: orders[0]?.order_number,
    before: { total: Number(orders[0]?.total_cents), tax: Number(orders[0]?.tax_cents) },
  })
  expect(body.orders.after.profit - body.orders.before.profit).toBe(
    (row?.after.profit ?? 0) - (row?.before.profit ?? 0),
  )
  // What did not become orders is counted apart.
  expect(body.unpaid).toMatchObject({ sales: 1, changed: 1 })
  expect(body.carts).toMatchObject({ carts: 1, after: 2 * 1895 })
})

test('prices, shares, shipping, surcharges and codes are tried on without writing a row, as a page and as a workbook', async () => {
  const before = await everyRow()
  expect(before.length).toBeGreaterThan(50)
  const changes = [
    [await mugAt(1895), 1],
    [{ kind: 'commission', partnerId: await partnerId(), productId: null, rate: 1500 }, 1],
    [{ kind: 'commission', partnerId: await partnerId(), productId: mug, rate: 0 }, 1],
    [{ kind: 'shipping', paidBy: 'partner' }, 2],
    [{ kind: 'shipping', paidBy: 'free' }, 0],
    [
      {
        ...{ kind: 'surcharge', productId: mug },
        surcharge: { amount: 500, regions: ['US'], description: 'Heavy', enabled: true },
      },
      1,
    ],
    [{ kind: 'surcharge', productId: mug, surcharge: null }, 1],
    [{ kind: 'code', benefit: { kind: 'percent', basisPoints: 1000 } }, 2],
    [{ kind: 'code', benefit: { kind: 'percent', basisPoints: 1000 }, usesMax: 1 }, 1],
    [{ kind: 'code', benefit: { kind: 'percent', basisPoints: 1000 }, usesMaxPerPerson: 1 }, 1],
    [{ kind: 'code', benefit: { kind: 'percent', basisPoints: 1000 }, isFirstOrderOnly: true }, 1],
    [{ kind: 'code', benefit: { kind: 'amount', amount: 500 }, products: [mug] }, 1],
    [{ kind: 'code', benefit: { kind: 'tiers', tiers: [{ pieces: 2, basisPoints: 1000 }] } }, 0],
  ] as const
  for (const [change, concerned] of changes) {
    const { status, body } = await rehearse(change)
    expect([status, body.orders.changed, body.rows.length], JSON.stringify(change)).toEqual([200, concerned, concerned])
    const answer = await fetch(`${world.address}/api/admin/rehearsals/workbook`, {
      method: 'POST',
      headers: { cookie: owner.cookie(), 'content-type': 'application/json', origin: world.address },
      body: JSON.stringify({ change }),
    })
    expect(answer.status).toBe(200)
    const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
    const [head = [], ...rows] = sheets.find(({ name }) => name === 'By order')?.rows ?? []
    const sumOf = (title: string) =>
      rows.slice(0, 2).reduce((all, row) => all + Math.round(Number(row[head.indexOf(title)]) * 100), 0)
    expect(sumOf('Profit then')).toBe(body.orders.after.profit)
    expect(sumOf('Difference')).toBe(body.orders.after.profit - body.orders.before.profit)
    expect(sheets[0]?.rows).toContainEqual(['Rule', body.about])
  }
  expect(await everyRow()).toEqual(before)
})

test('pages are as long as they say', async () => {
  expect((await rehearse({ kind: 'shipping', paidBy: 'partner' }, 2)).body).toMatchObject({ rows: [], hasMore: false })
})

test('what is no rule is refused with a sentence', async () => {
  const refused = async (change: object) => {
    const { status, body } = await rehearse(change)
    return [status, body.code]
  }
  expect(await refused({ kind: 'price', prices: [] })).toEqual([422, 'invalid'])
  expect(await refused({ kind: 'price', prices: [{ variantId: 1, to: 0 }] })).toEqual([422, 'invalid'])
  expect(await refused({ kind: 'price', prices: [{ variantId: 1, to: 100 }] })).toEqual([404, 'unknown_variant'])
  expect(await refused({ kind: 'commission', partnerId: 1, productId: null, rate: 1501 })).toEqual([422, 'invalid'])
  expect(await refused({ kind: 'commission', partnerId: 999_999, productId: null, rate: 1 })).toEqual([
    404,
    'unknown_partner',
  ])
  expect(await refused({ kind: 'surcharge', productId: 999_999, surcharge: null })).toEqual([404, 'unknown_product'])
  expect(await refused({ kind: 'code', benefit: { kind: 'percent', basisPoints: 0 } })).toEqual([422, 'invalid'])
  expect(await refused({ kind: 'demand' })).toEqual([422, 'invalid'])
})

test('an order under the new price is what was rehearsed', async () => {
  const change = await mugAt(1895)
  const { after } = (await rehearse(change)).body.rows[0] ?? {}
  const { variants } = await pricesOfMug()
  const changes = variants.map(({ id: variantId, price: from }) => ({ variantId, from, to: 1895 }))
  const saved = await owner.send('PUT', `/api/admin/products/${mug}/prices?accepted=1`, { changes })
  expect(saved.status).toBe(200)
  expect(await buysMugByLink()).toEqual({ total: after?.total, tax: after?.tax, commission: after?.commission })
})
