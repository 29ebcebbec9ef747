import { expect, test } from 'vitest'
import { syncBySchedule, syncWhenDue } from '#server/catalog/jobs.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

// The printer changes its store while people shop.

type Line = { variantId: number; price: number; previousPrice: number | null; available: boolean }
type Synced = { sync: number; applied: number; waiting: number; changes: { state: string; change: string }[] }

/** The owner's command, as the running shop carries it out. */
const owner = (world: World, ...args: string[]) =>
  ownerVerbs(world.shop.database, async () => world.shop)(['sync', ...args]) as Promise<Synced>

const partnerSays = async (world: World, change: Record<string, unknown>) => {
  await world.simulators.printful.change(change)
  await world.settled()
}

const cartOf = async (shopper: ReturnType<World['shopper']>) => (await shopper.send<Line[]>('GET', '/api/cart')).body

/** A shopper with a hat in the cart. */
async function aHat(world: World) {
  const shopper = world.shopper()
  const { id } = await shopper.find('hat')
  const { variantId, price } = (await shopper.adds('hat')).body
  const addsAgain = () => shopper.send('POST', '/api/cart', { productId: String(id), variantId: String(variantId) })
  return { shopper, variantId, price, addsAgain }
}

/** The last synchronization with changes to review. */
const waiting = async (world: World) => {
  const all = (await owner(world, '--list')) as unknown as { id: number; waiting: number }[]
  return all.find((sync) => sync.waiting > 0)?.id ?? 0
}

test('an item that sells out at the printer is unavailable after one event, and available again after the next', async () => {
  await using world = await openWorld()
  const { shopper, variantId, addsAgain } = await aHat(world)
  await partnerSays(world, { change: 'stock_out', sync_variant_id: variantId })
  expect(await cartOf(shopper)).toMatchObject([{ available: false }])
  expect(await addsAgain()).toMatchObject({ status: 409, body: { code: 'sold_out' } })
  expect(await shopper.startsPayment()).toMatchObject({ status: 409, body: { code: 'sold_out' } })

  await partnerSays(world, { change: 'back_in_stock', sync_variant_id: variantId })
  expect(await cartOf(shopper)).toMatchObject([{ available: true }])
  expect((await shopper.startsPayment()).status).toBe(200)
  const events = await world.audit<{ provider: string; type: string; outcome: string }>('events')
  const outcomes = events.filter(({ provider }) => provider === 'printful').map(({ type, outcome }) => [type, outcome])
  expect(outcomes).toEqual([
    ['stock_updated', expect.stringMatching(/^synchronization \d+$/)],
    ['stock_updated', expect.stringMatching(/^synchronization \d+$/)],
  ])
})

test('a new price waits for the owner; then the cart shows both, and the payment asks for confirmation', async () => {
  await using world = await openWorld()
  const { shopper, variantId, price } = await aHat(world)
  const quoted = await shopper.startsPayment()
  await partnerSays(world, { change: 'price', sync_variant_id: variantId, retail_price: '99.00' })
  expect(await cartOf(shopper)).toMatchObject([{ price, previousPrice: null }])

  await owner(world, '--apply', String(await waiting(world)))
  expect(await cartOf(shopper)).toMatchObject([{ price: 9900, previousPrice: price }])
  // The quote is still valid (half an hour) for the same cart.
  const seen = { amount: quoted.body.total_amount }
  expect((await shopper.startsPayment(addresses.newYork, seen)).body.total_amount).toBe(quoted.body.total_amount)
  await world.advance(31 * 60_000)
  expect(await shopper.startsPayment(addresses.newYork, seen)).toMatchObject({
    status: 409,
    body: { code: 'summary_changed' },
  })
})

test.each([
  ['deleted', { change: 'delete_variant' }],
  ['discontinued', { change: 'discontinue' }],
  ['withdrawn with its product', { change: 'delete_product' }],
])('a variant that is %s between cart and quote is named to the shopper', async (_, change) => {
  await using world = await openWorld()
  const { shopper, variantId, addsAgain } = await aHat(world)
  await partnerSays(world, { ...change, sync_variant_id: variantId })
  expect(await cartOf(shopper)).toMatchObject([{ available: false }])
  const answers = [
    await addsAgain(),
    await shopper.startsPayment(),
    await shopper.send('POST', '/api/calculate-shipping', { address: addresses.newYork }),
  ]
  for (const { status } of answers) expect(status).toBeLessThan(500)
  expect(answers[0]?.status).toBe(409)
  expect(answers[1]).toMatchObject({
    status: 409,
    body: { code: 'sold_out', message: expect.stringContaining('is sold out in this color and size.') },
  })
  // The product page still works: nothing is deleted before the owner accepts.
  expect((await shopper.find('hat')).variantCount).toBeGreaterThan(1)

  // Once the owner accepts, the product is gone, and the cart still names it.
  const sync = await waiting(world)
  if (sync) await owner(world, '--apply', String(sync))
  expect(await cartOf(shopper)).toMatchObject([{ available: false }])
  expect((await shopper.startsPayment()).status).toBe(409)
})

test.each([
  ['deleted', { change: 'delete_variant' }],
  ['dearer', { change: 'price', retail_price: '99.00' }],
  ['withdrawn with its product', { change: 'delete_product' }],
])('a product %s between quote and payment is sold as quoted', async (_, change) => {
  await using world = await openWorld()
  const { shopper, variantId } = await aHat(world)
  const started = await shopper.startsPayment()
  await partnerSays(world, { ...change, sync_variant_id: variantId })
  await owner(world, '--apply', String(await waiting(world)))

  const again = await shopper.startsPayment(addresses.newYork, { amount: started.body.total_amount })
  expect(again).toMatchObject({ status: 200, body: { payment_intent: started.body.payment_intent } })
  await shopper.confirms(started.body)
  expect((await shopper.returnsToShop(started.body.payment_intent)).body).toMatchObject({ success: true })
  expect(Number((await ordersOf(world))[0]?.total_cents)).toBe(started.body.total_amount)
  await world.settled()
  await expectNoPaymentLost(world)
  await expectBooksAgree(world)
})

test('the whole catalog is checked on schedule, once for all instances, and the owner hears what needs a decision', async () => {
  await using world = await openWorld({ env: { SYNC_INTERVAL_S: '900' } })
  await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 100 })
  const { variantId } = await aHat(world)
  await world.simulators.printful.change({ change: 'price', sync_variant_id: variantId, retail_price: '99.00' })
  await world.simulators.printful.change({ change: 'cost', sync_variant_id: variantId, cost: '11.00' })
  const syncs = async () => (await owner(world, '--list')) as unknown as { trigger: string; whole: boolean }[]
  const before = (await syncs()).length

  await world.advance(16 * 60_000)
  await Promise.all([syncWhenDue(world.shop), syncWhenDue(world.shop)])
  await world.settled()
  expect((await syncs()).length).toBe(before + 1)
  expect((await syncs())[0]).toMatchObject({ trigger: 'schedule', whole: true })
  // Another instance whose timer fires a moment later has nothing to do, and nobody is notified twice.
  await syncBySchedule(world.shop)
  await syncWhenDue(world.shop)
  await world.settled()
  expect((await syncs()).length).toBe(before + 1)

  const mails = world.mailbox.list().filter(({ subject }) => subject.startsWith('Catalog changes'))
  expect(mails).toHaveLength(1)
  const sync = await waiting(world)
  expect(mails[0]?.text).toContain(`npm run owner -- sync --apply ${sync}`)
  expect(mails[0]?.text).toMatch(/price: .*hat.*: \$[\d.]+ -> \$99\.00 \(margin \$[\d.]+ -> \$[\d.]+\)/)
  const { changes } = await owner(world, '--show', String(sync))
  expect(changes.map(({ change, state }) => `${change} ${state}`)).toEqual(['price waiting', 'cost applied'])
})

test('two instances, the owner and an event that check concurrently find a change once', async () => {
  await using world = await openWorld()
  const { variantId } = await aHat(world)
  await world.simulators.printful.change({ change: 'price', sync_variant_id: variantId, retail_price: '99.00' })
  await world.simulators.printful.change({ change: 'stock_out', sync_variant_id: variantId })
  const synced = await Promise.all([
    owner(world),
    syncCatalog(world.shop, 'schedule'),
    syncCatalog(world.shop, 'schedule'),
  ])
  await world.settled()
  const { rows } = await world.shop.database.pool.query<{ change: string }>(
    `select kind || ' ' || state as change from catalog_change where variant_id = $1 order by 1`,
    [variantId],
  )
  expect(rows.map(({ change }) => change)).toEqual(['price waiting', 'sold_out applied'])
  expect(synced.reduce((sum, { waiting }) => sum + waiting, 0)).toBeLessThanOrEqual(1)
})

test('a missing page in the printer’s product list removes no products', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: before } = await shopper.send<object[]>('GET', '/api/products')
  const syncWith = async (body: unknown) => {
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { path: '/store/products' },
      when: 'before',
      do: { status: 200, body },
    })
    return owner(world)
  }
  await expect(syncWith({ code: 200, result: [], paging: { total: 0, offset: 0, limit: 100 } })).rejects.toThrow(
    'nothing was compared',
  )
  await expect(syncWith({ code: 200, result: [], paging: { total: 36, offset: 0, limit: 100 } })).rejects.toThrow(
    'no usable answer',
  )
  await expect(syncWith({ code: 200, result: null })).rejects.toThrow('no usable answer')
  await expect(syncWith('<html>maintenance</html>')).rejects.toThrow('no usable answer')
  expect((await shopper.send('GET', '/api/products')).body).toEqual(before)
})
