import { expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'

type Line = { price: number; previousPrice: number | null; available: boolean; quantity: number }

const change = (world: World, column: string, variantId: number) =>
  world.shop.database.pool.query(`update variant set ${column} where id = $1`, [variantId])

test('a price that changed since adding is shown beside the old one, until the shopper adds at the new', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  const lines = async () => (await shopper.send<Line[]>('GET', '/api/cart')).body
  expect(await lines()).toMatchObject([{ price: added.price, previousPrice: null }])

  await change(world, 'price_cents = price_cents + 150', added.variantId)
  expect(await lines()).toMatchObject([{ price: added.price + 150, previousPrice: added.price }])

  await shopper.adds('mouse pad')
  expect(await lines()).toMatchObject([{ price: added.price + 150, previousPrice: null, quantity: 2 }])
})

test('a price that came back is no change', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  await change(world, 'price_cents = price_cents - 100', added.variantId)
  await change(world, 'price_cents = price_cents + 100', added.variantId)
  expect((await shopper.send<Line[]>('GET', '/api/cart')).body).toMatchObject([{ previousPrice: null }])
})

test('what can no longer be bought since adding stays in the cart and says so', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  await change(world, "availability = 'out_of_stock'", added.variantId)
  expect((await shopper.send<Line[]>('GET', '/api/cart')).body).toMatchObject([{ available: false, quantity: 1 }])
})
