import { describe, expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree } from './invariants.ts'

type Believed = { id: string; status: string; amount_cents: number }
const captured = (world: World) =>
  (world.simulators.paypal.ledger().payments as Believed[]).filter(({ status }) => status === 'COMPLETED')

const payerOf = (shopper: ReturnType<World['shopper']>, id: string) =>
  shopper.send<{ email: string; name: string; address: Record<string, string>; code?: string }>(
    'GET',
    `/paypal/express/${id}`,
  )

/** From a full cart to the last sheet, with an address chosen at PayPal. */
async function comesBack(shopper: ReturnType<World['shopper']>, to: object = addresses.newYork) {
  const { id } = await shopper.startsExpress()
  await shopper.approvesExpress(id, to)
  const { body } = await payerOf(shopper, id)
  return { id, payer: body }
}

const quoteFor = (shopper: ReturnType<World['shopper']>, address: object) =>
  shopper.send<{ quote: { total: number; tax: number }; code?: string; message?: string }>(
    'POST',
    '/api/calculate-taxes',
    { customerAddress: address },
  )

/** What the last sheet’s button sends. */
const pays = (
  shopper: ReturnType<World['shopper']>,
  id: string,
  payer: { name: string; email: string; address: object },
  more: object = {},
) =>
  shopper.startsWallet(payer.address, {
    customerInfo: { email: payer.email, name: payer.name, shippingAddress: payer.address },
    expressOrder: id,
    ...more,
  })

describe('an express purchase at PayPal', () => {
  test('is quoted for the wallet’s address, taken only after the last sheet’s yes, and agrees to the cent', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('pillow')
    const { id, payer } = await comesBack(shopper)
    expect(payer).toMatchObject({ name: 'Ada Fan', email: expect.stringContaining('@'), address: { city: 'New York' } })

    // PayPal’s event of the approval, and the sweep: the shopper has not seen the total yet.
    await world.settled()
    await world.sweep()
    expect(captured(world)).toEqual([])
    expect(await world.audit('checkouts')).toEqual([])

    const { quote } = (await quoteFor(shopper, payer.address)).body
    expect(quote.tax).toBeGreaterThan(0)
    const paid = await pays(shopper, id, payer, { amount: quote.total })
    expect(paid).toMatchObject({ status: 200, body: { id, quote: { total: quote.total } } })
    expect(await shopper.captures(id)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
    await world.settled()
    expect(captured(world)).toEqual([expect.objectContaining({ id, amount_cents: quote.total })])
    expect(await world.audit('orders')).toHaveLength(1)
    expect(await shopper.cart()).toEqual([])
    expect((await payerOf(shopper, id)).body.code).toBe('already_paid')
    await expectBooksAgree(world)
  })

  test('a changed address makes another quote, and an amount that the shopper did not see takes nothing', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('pillow')
    const { id, payer } = await comesBack(shopper)
    const first = (await quoteFor(shopper, payer.address)).body.quote
    // Back at PayPal, another of their addresses.
    await shopper.approvesExpress(id, addresses.berlin)
    const moved = (await payerOf(shopper, id)).body
    expect(moved.address).toMatchObject({ city: 'Berlin', country: 'DE', state: '' })
    const second = (await quoteFor(shopper, moved.address)).body.quote
    expect(second.total).not.toBe(first.total)

    expect((await pays(shopper, id, moved, { amount: first.total })).body).toMatchObject({ code: 'summary_changed' })
    expect(await world.audit('checkouts')).toEqual([])
    expect((await pays(shopper, id, moved, { amount: second.total })).status).toBe(200)
    await shopper.captures(id)
    expect(captured(world)).toEqual([expect.objectContaining({ amount_cents: second.total })])
  })

  test('where it may not go, nothing is taken, and the payer is known for step 1; an age is confirmed first', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('pillow')
    const havana = { line1: 'Calle 23 No. 105', city: 'La Habana', postal_code: '10400', country: 'CU' }
    const { id, payer } = await comesBack(shopper, havana)
    expect(payer).toMatchObject({ name: 'Ada Fan', address: { line1: 'Calle 23 No. 105', country: 'CU' } })
    expect((await quoteFor(shopper, payer.address)).body.code).toBe('country_unsupported')
    expect((await pays(shopper, id, payer)).body).toMatchObject({ code: 'country_unsupported' })

    const { rows } = await world.shop.database.pool.query<{ name: string }>(
      `update product set metadata = jsonb_set(metadata, '{restrictions,blockedCountries}', '["AU"]')
       where metadata->'restrictions' ? 'minimumAge' returning name`,
    )
    await shopper.adds(String(rows[0]?.name))
    const abroad = await comesBack(shopper, addresses.sydney)
    const beyond = await pays(shopper, abroad.id, abroad.payer, { ageConfirmed: true })
    expect(beyond.body).toMatchObject({ code: 'country_blocked' })

    const atHome = await comesBack(shopper)
    expect((await pays(shopper, atHome.id, atHome.payer)).body).toMatchObject({ code: 'age_unconfirmed' })
    expect((await pays(shopper, atHome.id, atHome.payer, { ageConfirmed: true })).status).toBe(200)
    expect(captured(world)).toEqual([])
  })

  test('is nobody else’s to read or to pay, and cannot be paid before it is approved', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    expect(await shopper.startsExpress()).toMatchObject({ status: 422, code: 'cart_empty' })
    await shopper.adds('hat')
    const open = await shopper.startsExpress('XX')
    expect((await payerOf(shopper, open.id)).body.code).toBe('wallet_not_approved')
    const { id, payer } = await comesBack(shopper)

    const stranger = world.shopper()
    await stranger.adds('hat')
    for (const other of [id, 'UNKNOWN'])
      expect(await payerOf(stranger, other)).toMatchObject({ status: 404, body: { code: 'unknown_payment' } })
    expect((await pays(stranger, id, payer)).body).toMatchObject({ code: 'unknown_payment' })
    expect((await pays(shopper, open.id, payer)).body).toMatchObject({ code: 'wallet_not_approved' })
    expect(captured(world)).toEqual([])
  })

  test('pressed twice, in two tabs, and with a lost answer, it is taken once', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('mug')
    const { id, payer } = await comesBack(shopper)
    const other = await comesBack(shopper)
    const presses = await Promise.all([
      pays(shopper, id, payer),
      pays(shopper, id, payer),
      pays(shopper, other.id, payer),
    ])
    expect(presses.map(({ status }) => status)).toEqual([200, 200, 200])
    await Promise.all([shopper.captures(id), shopper.captures(other.id), shopper.captures(id)])
    await world.settled()
    await world.sweep()
    expect(captured(world)).toHaveLength(1)
    expect(await world.audit('orders')).toHaveLength(1)
    await expectBooksAgree(world)
  })

  test('what changed after the yes needs PayPal’s page again; a declined approval keeps the cart', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('mug')
    const { id } = await shopper.startsExpress()
    await shopper.approvesExpress(id, addresses.newYork, 'decline')
    const payer = (await payerOf(shopper, id)).body
    expect((await pays(shopper, id, payer)).status).toBe(200)
    expect((await shopper.captures(id)).body).toMatchObject({ code: 'wallet_declined' })
    await shopper.adds('hat')
    expect((await pays(shopper, id, payer)).body).toMatchObject({ code: 'wallet_not_approved' })
    expect(await shopper.cart()).toHaveLength(2)
    expect(captured(world)).toEqual([])
  })
})

describe('an express purchase with Apple Pay or Google Pay', () => {
  const quoteAt = (shopper: ReturnType<World['shopper']>, place: object) =>
    shopper.send<{ total: number; tax: number; code?: string }>('POST', '/api/express-quote', place)

  test('is quoted for what the sheet tells of an address, and charged as quoted for the whole one', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    expect((await quoteAt(shopper, { country: 'US' })).body.code).toBe('cart_empty')
    await shopper.adds('pillow')
    const { city, state, postal_code, country } = addresses.newYork
    const quote = (await quoteAt(shopper, { city, state, postal_code, country })).body
    expect(quote.total).toBe((await quoteFor(shopper, addresses.newYork)).body.quote.total)
    expect((await quoteAt(shopper, { city: 'Berlin', postal_code: '10117', country: 'DE' })).body.total).not.toBe(
      quote.total,
    )
    // Half a postal code, as Apple gives it.
    const whole = await quoteAt(shopper, { city: 'London', postal_code: 'SW1A 2AA', country: 'GB' })
    expect((await quoteAt(shopper, { city: 'London', postal_code: 'SW1A', country: 'GB' })).body.total).toBe(
      whole.body.total,
    )
    expect((await quoteAt(shopper, { city: 'La Habana', country: 'CU' })).body.code).toBe('country_unsupported')

    const start = (total: number) => shopper.startsPayment(addresses.newYork, { orderSummary: { total } })
    expect((await start(whole.body.total)).body).toMatchObject({ code: 'summary_changed' })
    const started = await start(quote.total)
    expect(started.body.total_amount).toBe(quote.total)
    await shopper.confirms(started.body)
    await shopper.returnsToShop(started.body.payment_intent)
    expect(await world.audit('orders')).toHaveLength(1)
    await expectBooksAgree(world)
  })
})
