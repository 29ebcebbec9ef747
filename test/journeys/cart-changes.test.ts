import { expect, test } from 'vitest'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { openWorld, type World } from '#sandbox/world.ts'

type Line = { price: number; previousPrice: number | null; available: boolean; quantity: number }

type FullLine = Line & { id: number; variantId: number }
type Piece = { productId: number; variantId: number }

/** Of one color each time, in the order of sizes. */
async function variantsOf(shopper: ReturnType<World['shopper']>, words: string): Promise<Piece[]> {
  const { id: productId, providerProductId } = await shopper.find(words)
  const { body } = await shopper.send<{ result: { sync_variants: { id: number }[] } }>(
    'GET',
    `/api/printful/products/${providerProductId}`,
  )
  return body.result.sync_variants.map(({ id: variantId }) => ({ productId, variantId }))
}

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

test('a line takes another color or size in its place, at today’s price; what can’t be had changes nothing', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const shirts = await variantsOf(shopper, 't-shirt')
  const [small, medium, large] = shirts
  const [mug] = await variantsOf(shopper, 'mug')
  if (!small || !medium || !large || !mug) throw new Error('the demo has shirts in sizes, and mugs')
  const put = (id: unknown, body: object) =>
    shopper.send<FullLine & { code: string; fields: object }>('PUT', `/api/cart/${String(id)}`, body)
  const lines = async () => (await shopper.send<FullLine[]>('GET', '/api/cart')).body
  const adds = async (piece: Piece, quantity: number) =>
    (await shopper.send<FullLine>('POST', '/api/cart', { ...piece, quantity })).body
  const first = await adds(small, 2)
  await adds(mug, 1)
  expect(await lines()).toMatchObject([{ hasOtherVariants: true }, {}])

  await change(world, "availability = 'out_of_stock'", large.variantId)
  const before = await lines()
  for (const [id, body, status, code] of [
    [first.id, { variantId: 1 }, 404, 'unknown_variant'],
    [first.id, { variantId: mug.variantId }, 404, 'unknown_variant'],
    [first.id, { variantId: large.variantId }, 409, 'sold_out'],
    [first.id, { variantId: large.variantId, quantity: 5 }, 409, 'sold_out'],
    [first.id, { variantId: 'blue' }, 422, 'invalid'],
    [first.id, { variantId: null }, 422, 'invalid'],
    [first.id, { variantId: medium.variantId, quantity: QUANTITY_MAX + 1 }, 422, 'invalid'],
    [first.id, {}, 422, 'invalid'],
    [999_999, { variantId: medium.variantId }, 404, 'unknown_line'],
  ] as const)
    expect(await put(id, body), JSON.stringify(body)).toMatchObject({ status, body: { code } })
  const stranger = world.shopper()
  await stranger.adds('mouse pad')
  expect(await stranger.send('PUT', `/api/cart/${first.id}`, { variantId: medium.variantId })).toMatchObject({
    status: 404,
  })
  expect(await lines()).toEqual(before)

  await change(world, 'unit_price_cents = unit_price_cents + 150', medium.variantId)
  expect(await put(first.id, { variantId: medium.variantId })).toMatchObject({
    status: 200,
    body: { id: first.id, variantId: medium.variantId, quantity: 2, price: first.price + 150, previousPrice: null },
  })
  expect((await lines()).map(({ variantId }) => variantId)).toEqual([medium.variantId, mug.variantId])

  // The same variant in another line: both become one, and never more than a line may hold.
  const back = await adds(small, 1)
  expect(await put(first.id, { variantId: small.variantId, quantity: 3 })).toMatchObject({
    body: { id: back.id, quantity: 4 },
  })
  expect(await lines()).toMatchObject([{ variantId: mug.variantId }, { id: back.id, quantity: 4 }])
  await adds(medium, QUANTITY_MAX)
  expect((await put(back.id, { variantId: medium.variantId })).body).toMatchObject({ quantity: QUANTITY_MAX })
  expect(await lines()).toHaveLength(2)
})

test('two tabs that change lines into each other at the same time lose no piece', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const [small, medium] = await variantsOf(shopper, 't-shirt')
  if (!small || !medium) throw new Error('the demo has shirts in sizes')
  const adds = async (piece: Piece) =>
    (await shopper.send<FullLine>('POST', '/api/cart', { ...piece, quantity: 2 })).body
  for (let race = 1; race <= 8; race += 1) {
    await shopper.send('DELETE', '/api/cart')
    const [one, other] = [await adds(small), await adds(medium)]
    const answers = await Promise.all([
      shopper.send('PUT', `/api/cart/${one.id}`, { variantId: medium.variantId }),
      shopper.send('PUT', `/api/cart/${other.id}`, { variantId: small.variantId }),
      shopper.send('POST', '/api/cart', { ...small, quantity: 1 }),
    ])
    for (const { status } of answers) expect([200, 404]).toContain(status)
    const { body } = await shopper.send<FullLine[]>('GET', '/api/cart')
    expect(body.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(5)
  }
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
