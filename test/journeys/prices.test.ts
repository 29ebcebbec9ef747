import { afterEach, expect, test } from 'vitest'
import type { PriceVersion, ProductPrices } from '#contract/admin-prices.ts'
import { syncProducts } from '#server/catalog/sync.ts'
import { followCatalogEvent } from '#server/catalog/webhooks.ts'
import { writePrices, writePricesLater } from '#server/catalog/variant-prices.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

// The owner changes prices of products on sale.

type Line = { price: number; previousPrice: number | null }
type Refused = { code?: string; message?: string; done?: string }

let world: World
afterEach(() => world[Symbol.asyncDispose]())

/** A hat that is on sale, and the owner before its prices. */
async function ownerOfAHat() {
  world = await openWorld()
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const { id } = await owner.find('hat')
  const productId = id as ProductId
  const path = `/api/admin/products/${id}/prices`
  const show = async () => (await owner.send<ProductPrices>('GET', path)).body
  const change = (changes: object[], accepted = '') => owner.send<Refused>('PUT', `${path}${accepted}`, { changes })
  /** All its variants, from what they cost now. */
  const setAll = async (to: number) =>
    change((await show()).variants.map(({ id: variantId, price }) => ({ variantId, from: price, to })))
  const { rows } = await world.shop.database.pool.query<{ id: string; slug: string }>(
    'select sync_product_id id, slug from product where id = $1',
    [id],
  )
  const syncProductId = Number(rows[0]?.id) as SyncProductId
  const atPrinter = async () => {
    const { variants } = await world.shop.printful.getProduct(syncProductId)
    return [...new Set(variants.map(({ unitPrice }) => unitPrice))]
  }
  /** A sync finds nothing to ask or apply. */
  const expectNoChange = async () => {
    const product = { id: productId, slug: rows[0]?.slug ?? '', syncProductId }
    const report = await syncProducts(world.shop, [{ product, id: syncProductId }])
    expect(report).toMatchObject({ state: 'done', products: 1, applied: 0, waiting: 0, remarks: [] })
    expect(new Set((await show()).variants.map(({ price }) => price)).size).toBe(1)
  }
  return { owner, id: productId, syncProductId, show, change, setAll, atPrinter, expectNoChange }
}

/** The printer answers its next call about a price so. */
function answersNextPrice(rule: Pick<Parameters<World['simulators']['kit']['rules']['add']>[0], 'when' | 'do'>) {
  world.simulators.kit.rules.add({
    ...rule,
    provider: 'printful',
    match: { method: 'PUT', path: '/store/variants/*' },
  })
}

test('a new price is on sale at once, soon at the printer, and no sync asks about it', async () => {
  const { owner, show, setAll, atPrinter, expectNoChange, id } = await ownerOfAHat()
  const shopper = world.shopper()
  const { price } = (await shopper.adds('hat')).body
  const before = await show()
  expect(before).toMatchObject({ printer: { state: 'written' } })
  expect(before.facts?.destinations.length).toBeGreaterThan(20)
  expect(before.variants[0]?.cost).toBeGreaterThan(0)

  expect(await setAll(4995)).toMatchObject({ status: 200, body: { done: 'The prices are saved.' } })
  expect((await shopper.send<Line[]>('GET', '/api/cart')).body).toMatchObject([{ price: 4995, previousPrice: price }])
  expect((await owner.find('hat')).price).toBe(4995)
  await world.settled()
  expect(await atPrinter()).toEqual([4995])
  expect(await show()).toMatchObject({ printer: { state: 'written', refusals: [] } })
  await expectNoChange()

  const { versions } = (
    await owner.send<{ versions: PriceVersion[] }>('GET', `/api/admin/products/${id}/prices/history`)
  ).body
  expect(versions.map(({ by }) => by)).toEqual(['owner', 'shop'])
  expect(versions.map(({ prices }) => prices[0]?.price)).toEqual([4995, price])
  const log = (await owner.send<{ actions: object[] }>('GET', '/api/admin/log')).body.actions
  expect(log[0]).toMatchObject({ what: 'changed prices', about: { id: String(id) }, after: { price: '$49.95' } })
})

test('while the printer is down the shop sells at the new price, and the printer has it once it is back', async () => {
  const { id, show, setAll, atPrinter, expectNoChange } = await ownerOfAHat()
  const [theirs] = await atPrinter()
  answersNextPrice({ when: 'before', do: { status: 500 } })
  await setAll(4995)
  await world.settled()
  expect(await atPrinter()).toEqual([theirs])
  expect(await show()).toMatchObject({ printer: { state: 'waiting' } })
  await expectNoChange()

  await world.advance(120_000)
  await writePricesLater(world.shop)
  await writePrices(world.shop, id)
  expect(await atPrinter()).toEqual([4995])
  expect(await show()).toMatchObject({ printer: { state: 'written' } })
  await expectNoChange()
})

test('the printer takes a price and its answer is lost: it is told again', async () => {
  const { id, syncProductId, show, setAll, atPrinter, expectNoChange } = await ownerOfAHat()
  answersNextPrice({ when: 'after', do: 'reset' })
  await setAll(4995)
  await world.settled()
  expect(await show()).toMatchObject({ printer: { state: 'waiting' } })
  // What the printer tells of the product meanwhile is our own doing.
  expect(await followCatalogEvent(world.shop, { syncProductId })).toBe('prices are being written')
  await world.advance(120_000)
  await Promise.all([writePrices(world.shop, id), writePrices(world.shop, id)])
  expect(await atPrinter()).toEqual([4995])
  expect(await followCatalogEvent(world.shop, { syncProductId })).toMatch(/^synchronization \d+$/)
  await expectNoChange()
})

test('a price set while another one is on its way to the printer arrives there last', async () => {
  const { id, setAll, atPrinter, expectNoChange } = await ownerOfAHat()
  answersNextPrice({ when: 'after', do: { delayMs: 1500 } })
  await setAll(4995)
  await setAll(5995)
  await writePrices(world.shop, id)
  await world.settled()
  await writePrices(world.shop, id)
  expect(await atPrinter()).toEqual([5995])
  await expectNoChange()
})

test('a price that the printer refuses is on sale here, is shown with its reason, and can be sent again', async () => {
  const { show, change, setAll, atPrinter, expectNoChange } = await ownerOfAHat()
  answersNextPrice({
    when: 'before',
    do: {
      status: 400,
      body: { code: 400, result: 'x', error: { reason: 'BadRequest', message: 'Price is too high' } },
    },
  })
  await setAll(4995)
  await world.settled()
  const { printer, variants } = await show()
  expect(printer).toEqual({
    state: 'refused',
    refusals: [`${variants[0]?.name}: The printer refused it: Price is too high`],
  })
  await expectNoChange()
  expect(await change([])).toMatchObject({ status: 200, body: { done: 'The prices are sent to the printer again.' } })
  await world.settled()
  expect(await atPrinter()).toEqual([4995])
  expect(await show()).toMatchObject({ printer: { state: 'written', refusals: [] } })
})

test('a price that changed meanwhile, a loss and an amount that is no price are refused, and nothing changes', async () => {
  const { show, change, atPrinter } = await ownerOfAHat()
  const { variants } = await show()
  const [first] = variants
  const from = first?.price ?? 0
  const of = (seen: number, to: number) => [{ variantId: first?.id, from: seen, to }]
  expect(await change(of(from + 100, 4995))).toMatchObject({
    status: 409,
    body: { code: 'product_changed', message: expect.stringContaining(`a sync changed the price of ${first?.name}`) },
  })
  const loss = await change(of(from, 500))
  expect(loss).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(loss.body.message).toMatch(/^With this, one .+ loses \$[\d.]+ when sent to .+ Nothing was changed: /)
  expect((await change(of(from, 0))).status).toBe(422)
  expect((await change([{ variantId: 1, from, to: 4995 }])).status).toBe(404)
  expect(await show()).toMatchObject({ variants })
  await world.settled()
  expect(await atPrinter()).toEqual([from])

  expect((await change(of(from, 500), '?accepted=1')).status).toBe(200)
  await world.settled()
  expect(new Set(await atPrinter())).toEqual(new Set([500, from]))
  expect((await change(of(from, 4995))).body.message).toContain(`owner changed the price of ${first?.name} to $5.00`)
})

test('an open checkout is paid as it was quoted, although the owner raised the price meanwhile', async () => {
  const { setAll } = await ownerOfAHat()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const started = await shopper.startsPayment()
  await setAll(9995)
  const again = await shopper.startsPayment(addresses.newYork, { amount: started.body.total_amount })
  expect(again).toMatchObject({ status: 200, body: { payment_intent: started.body.payment_intent } })
  await shopper.confirms(started.body)
  expect((await shopper.returnsToShop(started.body.payment_intent)).body).toMatchObject({ success: true })
  expect(Number((await ordersOf(world))[0]?.total_cents)).toBe(started.body.total_amount)
  await world.settled()
  await expectNoPaymentLost(world)
  await expectBooksAgree(world)
})

test('a price that a catalog file changes reaches the printer too', async () => {
  const { owner, id, atPrinter, expectNoChange } = await ownerOfAHat()
  const address = '/api/admin/catalog-file'
  const answer = await fetch(`${world.address}${address}/json`, { headers: { cookie: owner.cookie() } })
  const { products, ...rest } = (await answer.json()) as {
    products: { id: number; slug: string; variants: { price: string }[] }[]
  }
  const file = {
    ...rest,
    products: products.map((one) =>
      one.id === id ? { ...one, variants: one.variants.map((each) => ({ ...each, price: '49.95' })) } : one,
    ),
  }
  const bytes = Buffer.from(JSON.stringify(file))
  const { fingerprint } = (await owner.send<{ fingerprint: string }>('POST', address, bytes)).body
  expect((await owner.send('POST', `${address}?expected=${fingerprint}`, bytes)).status).toBe(200)
  await writePricesLater(world.shop)
  await world.settled()
  expect(await atPrinter()).toEqual([4995])
  await expectNoChange()
})
