import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminProduct, AdminSync } from '#contract/admin-products.ts'
import type { AuditLogEntry } from '#contract/admin.ts'
import type { AdminOrder } from '#contract/admin-orders.ts'
import type { BelowFloor } from '#contract/below-floor.ts'
import type { ProductPrices } from '#contract/admin-prices.ts'
import type { PartnerRates } from '#contract/payouts.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dayIn } from '#shared/time-zone.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// No sale falls below the owner's floor without a yes.

type Refused = { code?: string; message?: string; summary?: BelowFloor }

const ACCEPTED = '?accepted=1'

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const listed = async () => (await owner.send<{ products: AdminProduct[] }>('GET', '/api/admin/products')).body.products
const productOf = async (id: number) => (await listed()).find((one) => one.id === id) as AdminProduct
const actions = async () => (await owner.send<{ actions: AuditLogEntry[] }>('GET', '/api/admin/log')).body.actions

/** Sets all prices of a product, with the owner's yes. */
async function setPrice(id: number, to: number) {
  const path = `/api/admin/products/${id}/prices`
  const { variants } = (await owner.send<ProductPrices>('GET', path)).body
  const changes = variants.map(({ id: variantId, price }) => ({ variantId, from: price, to }))
  expect((await owner.send('PUT', path + ACCEPTED, { changes })).status).toBe(200)
}

async function setting<Name extends keyof SiteSettings>(name: Name, value: SiteSettings[Name], accepted = '') {
  const { values } = (await owner.send<{ values: SiteSettings }>('GET', '/api/admin/settings')).body
  return owner.send<Refused>('PUT', `/api/admin/settings${accepted}`, { [name]: { was: values[name], value } })
}

const MUG = 11
const COOLER = 24

test('every product of the demo shows its usual and its worst margin, and none is below the floor', async () => {
  const products = await listed()
  expect(products).toHaveLength(36)
  for (const { margins } of products) {
    expect(margins?.isBelowFloor).toBe(false)
    expect(margins?.worst).toBeGreaterThanOrEqual(0)
    expect(margins?.usual).toBeGreaterThanOrEqual(margins?.worst ?? 0)
    expect(margins?.worstSale).toMatch(/^sent to .+, paid by PayPal, with a partner’s 12%$/)
  }
})

describe('a code for 10 % off and a share of 15 %, which lose money together', () => {
  const sale = /loses \$0\.27 when sent to .+, paid by PayPal, with a partner’s 15%/
  const partners = async () => (await owner.send<PartnerRates[]>('GET', '/api/admin/partner-rates')).body
  const agree = async (rate: number, productId: number, accepted = '') =>
    owner.send<Refused>('POST', `/api/admin/partner-rates${accepted}`, {
      ...{ partnerId: (await partners())[0]?.partnerId, productId, rate },
      startsOn: dayInShop(),
    })
  const dayInShop = () => isoOfDay(dayIn('America/New_York', world.shop.clock.now().getTime()))
  const makes = (code: string, products: number[], accepted = '') =>
    owner.send<Refused>('POST', `/api/admin/codes${accepted}`, {
      ...{ code, products, benefit: { kind: 'percent', basisPoints: 1000 } },
    })
  const coldStorage = async () => (await listed()).find(({ name }) => name.includes('Cold Storage'))?.id ?? 0
  const ends = async (word: string) => {
    const { codes } = (await owner.send<{ codes: { id: number; code: string }[] }>('GET', '/api/admin/codes')).body
    const id = codes.find(({ code }) => code === word)?.id
    expect((await owner.send('POST', `/api/admin/codes/${id}/end`)).status).toBe(200)
  }

  test('the share is asked about when the code is there, and not once that has ended', async () => {
    const id = await coldStorage()
    const word = `TEN-${randomUUID().slice(0, 8)}`.toUpperCase()
    expect((await makes(word, [id])).status).toBe(200)
    const refused = await agree(1500, id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
    expect(refused.body.message).toMatch(sale)
    expect(refused.body.message).toContain(`with a partner’s 15% and ${word}.`)
    expect(refused.body.summary?.products.map(({ worst }) => worst.code)).toEqual([word])
    await ends(word)
    // What partners may make counts as if it was there.
    expect((await setting('partnerCodes', { percent: 10, active: 3 })).status).toBe(200)
    expect((await agree(1500, id)).body.message).toContain('with a partner’s 15% and a partner’s code.')
    expect((await setting('partnerCodes', { percent: 0, active: 3 })).status).toBe(200)
    expect((await agree(1500, id)).status).toBe(204)
  })

  test('the code is asked about when the share is agreed, and so is the bound of partners’ codes', async () => {
    const word = `TEN-${randomUUID().slice(0, 8)}`.toUpperCase()
    const refused = await makes(word, [await coldStorage()])
    expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
    expect(refused.body.message).toMatch(sale)
    const bound = await setting('partnerCodes', { percent: 10, active: 3 })
    expect(bound).toMatchObject({ status: 409, body: { code: 'below_floor' } })
    expect((await makes(word, [await coldStorage()], ACCEPTED)).status).toBe(200)
    await ends(word)
  })
})

test('a cost that a sync raises below the floor waits, is refused without a yes, and is recorded with it', async () => {
  const { rows } = await world.shop.database.pool.query<{ id: number }>(
    'select catalog_variant_id as id from variant where product_id = $1 limit 1',
    [MUG],
  )
  const costs = async () =>
    (
      await world.shop.database.pool.query<{ cost: string }>(
        'select distinct cost_cents as cost from variant where product_id = $1',
        [MUG],
      )
    ).rows.map(({ cost }) => Number(cost))
  const before = await costs()
  await world.simulators.printful.change({ change: 'cost', variant_id: Number(rows[0]?.id), cost: '11.95' })
  expect(await syncCatalog(world.shop, 'owner')).toMatchObject({ state: 'done' })
  expect(await costs()).toEqual(before)
  const { syncs } = (await owner.send<{ syncs: AdminSync[] }>('GET', '/api/admin/catalog')).body
  const [sync] = syncs
  expect(sync?.waiting).toBeGreaterThan(0)

  const refused = await owner.send<Refused>('POST', `/api/admin/catalog/${sync?.id}/apply`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(refused.body.message).toMatch(/loses \$[\d.]+ when sent to Brazil, paid by PayPal, with a partner’s 12%/)
  expect(refused.body.summary?.products[0]?.countries).toContain('BR')
  expect(await costs()).toEqual(before)

  expect((await owner.send('POST', `/api/admin/catalog/${sync?.id}/apply${ACCEPTED}`)).status).toBe(200)
  expect(await costs()).toContain(1195)
  expect((await actions()).slice(0, 2).map(({ what }) => what)).toContain('accepted sales below the floor with')
  // A cost that leaves enough is taken without asking.
  await world.simulators.printful.change({ change: 'cost', variant_id: Number(rows[0]?.id), cost: '7.45' })
  expect(await syncCatalog(world.shop, 'owner')).toMatchObject({ state: 'done', waiting: 0 })
  expect(await costs()).toEqual(before)
})

test('a share with which a mug loses money is refused until the owner accepts it', async () => {
  await setPrice(MUG, 2050)
  const [partner] = (await owner.send<PartnerRates[]>('GET', '/api/admin/partner-rates')).body
  const today = world.shop.clock.now().toISOString().slice(0, 10)
  const agree = (rate: number, accepted = '', productId: number | null = null) =>
    owner.send<Refused>('POST', `/api/admin/partner-rates${accepted}`, {
      ...{ partnerId: partner?.partnerId, productId, rate, startsOn: today },
    })
  expect((await agree(1200)).status).toBe(204)
  const refused = await agree(1500)
  expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(refused.body.message).toContain('with a partner’s 15%')
  expect(refused.body.summary?.products.map(({ product }) => product)).toEqual([(await productOf(MUG)).name])
  // Another product's own share does not touch the mug.
  expect((await agree(1500, '', 19)).status).toBe(204)
  expect((await agree(1500, ACCEPTED)).status).toBe(204)
  expect(await productOf(MUG)).toMatchObject({ margins: { isBelowFloor: true } })
  await setPrice(MUG, 2395)
})

test('free shipping with which a product loses money is refused with its countries, and taking it back is not', async () => {
  expect((await setting('shipping', 'partner')).status).toBe(200)
  await setPrice(COOLER, 995)
  const refused = await setting('shipping', 'free')
  expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(refused.body.summary?.products).toMatchObject([{ product: (await productOf(COOLER)).name }])
  expect(refused.body.message).toMatch(/It concerns .+ and \d+ more\./)
  expect((await setting('shipping', 'free', ACCEPTED)).status).toBe(200)
  expect((await setting('shipping', 'partner')).status).toBe(200)
  await setPrice(COOLER, 1895)
  expect((await setting('shipping', 'environment')).status).toBe(200)
})

test('a floor is an amount from 0, and a product that misses it goes on sale only with a yes', async () => {
  expect((await setting('marginFloor', -1 as never)).status).toBe(422)
  expect((await setting('marginFloor', 2.5 as never)).status).toBe(422)
  expect((await setting('marginFloor', 500 as never)).status).toBe(200)
  const save = async (state: string, accepted = '') => {
    const { id, from: _, picture: __, margins: ___, ...values } = await productOf(MUG)
    return owner.send<Refused>('PUT', `/api/admin/products/${id}${accepted}`, { ...values, state })
  }
  expect((await save('retired')).status).toBe(200)
  const refused = await save('published')
  expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(refused.body.message).toContain('You want at least $5.00 to be left.')
  expect(await productOf(MUG)).toMatchObject({ state: 'retired', margins: { isBelowFloor: true } })
  expect((await save('published', ACCEPTED)).status).toBe(200)
  expect((await setting('marginFloor', 0 as never)).status).toBe(200)
})

test('an order keeps what it was expected to leave, and what it left once fee and cost are booked', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.paysByCard()
  await world.settled()
  const order = (await ordersOf(world)).at(-1)
  const shown = async () =>
    (await owner.send<AdminOrder>('GET', `/api/admin/orders/${order?.order_number}`)).body.amounts
  expect((await shown()).estimatedProfit).toBeGreaterThan(0)
  await world.advance(2 * 60 * 60_000)
  await world.sweep()
  await world.settled()
  const { estimatedProfit, profit } = await shown()
  expect(profit).not.toBeNull()
  expect(Math.abs((profit ?? 0) - (estimatedProfit ?? 0))).toBeLessThan(10)
  const margins = await world.audit<{ order_id: number; estimated_cents: string; actual_cents: string }>('margin')
  expect(margins.find(({ order_id }) => order_id === order?.id)).toMatchObject({
    ...{ estimated_cents: String(estimatedProfit), actual_cents: String(profit) },
  })
})
