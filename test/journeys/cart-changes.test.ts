import { expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'

type Line = { price: number; previousPrice: number | null; available: boolean; quantity: number }

const change = (world: World, column: string, variantId: number) =>
  world.shop.database.pool.query(`update variant set ${column} where id = $1`, [variantId])

test('a price that changed since the item was added is shown beside the old one until the shopper accepts it', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  const lines = async () => (await shopper.send<Line[]>('GET', '/api/cart')).body
  expect(await lines()).toMatchObject([{ price: added.price, previousPrice: null }])

  await change(world, 'unit_price_cents = unit_price_cents + 150', added.variantId)
  expect(await lines()).toMatchObject([{ price: added.price + 150, previousPrice: added.price }])

  await shopper.adds('mouse pad')
  expect(await lines()).toMatchObject([{ price: added.price + 150, previousPrice: null, quantity: 2 }])
})

test('a price that returns to its old value is no change', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  await change(world, 'unit_price_cents = unit_price_cents - 100', added.variantId)
  await change(world, 'unit_price_cents = unit_price_cents + 100', added.variantId)
  expect((await shopper.send<Line[]>('GET', '/api/cart')).body).toMatchObject([{ previousPrice: null }])
})

test('an item that is no longer for sale stays in the cart and is marked unavailable', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: added } = await shopper.adds('mouse pad')
  await change(world, "availability = 'out_of_stock'", added.variantId)
  expect((await shopper.send<Line[]>('GET', '/api/cart')).body).toMatchObject([{ available: false, quantity: 1 }])

  // The cart is filled up to one free line: two more products are one too many, more of the same is fine.
  await world.shop.database.pool.query(
    `insert into cart_line (session_id, variant_id, quantity)
     select session_id, v.id, 1 from cart_line, variant v where v.id <> variant_id order by v.id limit 98`,
  )
  const others = await world.shop.database.pool.query<{ productId: string; variantId: string }>(
    `select v.product_id::text as "productId", v.id::text as "variantId" from variant v join product p on p.id = v.product_id
     where p.visible and availability = 'active' and gone_at is null and v.id not in (select variant_id from cart_line) limit 2`,
  )
  const [last, tooMany] = others.rows.map((other) => ({ ...other, quantity: 1 }))
  expect(await shopper.send('POST', '/api/cart', last)).toMatchObject({ status: 200, body: { quantity: 1 } })
  expect(await shopper.send('POST', '/api/cart', tooMany)).toMatchObject({
    status: 422,
    body: { code: 'invalid', fields: { productId: 'A cart holds at most 100 different items.' } },
  })
  expect(await shopper.send('POST', '/api/cart', last)).toMatchObject({ status: 200, body: { quantity: 2 } })
})

test('each of many concurrent first-time shoppers gets their own session, and a request for an unknown product creates none', async () => {
  await using world = await openWorld()
  const { pool } = world.shop.database
  const { rows: sold } = await pool.query<{ productId: string; variantId: string; price: number }>(
    `select v.product_id::text as "productId", v.id::text as "variantId", unit_price_cents::int as price from variant v
     join product p on p.id = v.product_id where p.visible and availability = 'active' and gone_at is null order by v.id limit 10`,
  )
  const wanted = [...sold, ...sold].map((item, at) => ({ ...item, quantity: 1 + (at % 3) }))
  const unknownItem = { productId: sold[0]?.productId, variantId: '1', quantity: 1 }
  const shoppers = wanted.map(() => world.shopper())
  const [refused, ...added] = await Promise.all([
    world.shopper().send('POST', '/api/cart', unknownItem),
    ...wanted.map((item, at) => shoppers[at]?.send('POST', '/api/cart', item)),
  ])
  expect(refused).toMatchObject({ status: 404, body: { code: 'unknown_variant' } })
  const asWanted = wanted.map(({ productId, variantId, quantity, price }) => ({
    ...{ productId: Number(productId), variantId: Number(variantId) },
    ...{ quantity, price, previousPrice: null },
  }))
  expect(added.map((answer) => answer?.body)).toMatchObject(asWanted)
  const carts = await Promise.all(shoppers.map((shopper) => shopper.send('GET', '/api/cart')))
  expect(carts.map(({ body }) => body)).toMatchObject(asWanted.map((line) => [line]))
  const { rows: sessions } = await pool.query(`select 1 from session`)
  expect(sessions).toHaveLength(wanted.length)
})
