import { expect, test } from 'vitest'
import { addresses, openWorld } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

test('one checkout has one intent, no matter what is clicked or how often (S35)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const starts = await Promise.all(Array.from({ length: 20 }, () => shopper.startsPayment()))
  expect(starts.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(new Set(starts.map(({ body }) => body.payment_intent)).size).toBe(1)
  expect(world.simulators.stripe.ledger().payments).toHaveLength(1)
})

test('a changed cart updates the same intent; the shopper pays for what was shown last', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const first = await shopper.startsPayment()
  await shopper.adds('mug')
  const second = await shopper.startsPayment(addresses.berlin)
  expect(second.body.payment_intent).toBe(first.body.payment_intent)
  expect(second.body.total_amount).not.toBe(first.body.total_amount)

  // Back to the first cart: an old idempotency key must not return an old answer.
  const [, mug] = await shopper.cart()
  await shopper.send('DELETE', `/api/cart/${mug?.id}`)
  const third = await shopper.startsPayment()
  expect(third.body.total_amount).toBe(first.body.total_amount)
  await shopper.confirms(third.body)
  expect((await shopper.returnsToShop(third.body.payment_intent)).body).toMatchObject({ success: true })
  expect(Number((await ordersOf(world))[0]?.total_cents)).toBe(first.body.total_amount)
  await expectBooksAgree(world)
})

test('a price change between quote and payment leaves a valid quote alone and asks for confirmation of an expired one', async () => {
  await using world = await openWorld({ env: { QUOTE_TTL_S: '1800' } })
  const shopper = world.shopper()
  const added = await shopper.adds('mouse pad')
  const first = await shopper.startsPayment()
  await world.shop.database.pool.query('update variant set unit_price_cents = unit_price_cents + 100 where id = $1', [
    added.body.variantId,
  ])
  expect((await shopper.startsPayment(addresses.newYork, { amount: first.body.total_amount })).body.total_amount).toBe(
    first.body.total_amount,
  )
  // A reloaded page shows today's price, and pays it.
  const unseen = await shopper.startsPayment(addresses.newYork, { subtotal: 1 })
  expect(unseen).toMatchObject({ status: 409, body: { summary: { subtotal: first.body.subtotal + 100 } } })
  const loadedAgain = await shopper.startsPayment(addresses.newYork, { subtotal: first.body.subtotal + 100 })
  expect(loadedAgain.body).toMatchObject({
    subtotal: first.body.subtotal + 100,
    payment_intent: first.body.payment_intent,
  })
  await world.shop.database.pool.query('update variant set unit_price_cents = unit_price_cents + 100 where id = $1', [
    added.body.variantId,
  ])
  await world.advance(31 * 60_000)
  const expired = await shopper.startsPayment(addresses.newYork, { amount: loadedAgain.body.total_amount })
  expect(expired).toMatchObject({ status: 409, body: { code: 'summary_changed' } })
})

test('paying again for a paid order is refused with an explanation', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ drop: 10_000 })
  const shopper = world.shopper()
  const payment = await shopper.paysByCard()
  expect(await shopper.confirms(payment)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  // The shop has not heard of the payment yet; a changed cart meets the paid intent.
  const paidBefore = { code: 'already_paid', payment: `stripe:${payment.payment_intent}` }
  expect(await shopper.startsPayment(addresses.berlin)).toMatchObject({ status: 409, body: paidBefore })
  await shopper.returnsToShop(payment.payment_intent)
  // The cart is empty now, and a page left open is told why.
  expect(await shopper.startsPayment()).toMatchObject({ status: 409, body: paidBefore })
  await world.sweep()
  await expectNoPaymentLost(world)
})

test('a hanging payment provider is reported before it answers, and nothing is charged', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { method: 'POST', path: '/v1/payment_intents' },
    when: 'before',
    do: 'hang',
    times: 10,
  })
  const answer = await shopper.startsPayment()
  expect(answer).toMatchObject({ status: 503, body: { code: 'card_unavailable' } })
  expect(answer.headers.get('retry-after')).toBeTruthy()
  world.simulators.kit.rules.clear()
  expect((await shopper.startsPayment()).status).toBe(200)
})

test('when the tax provider fails, tax is 0 and the page says so; the surcharge stays (F31)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('pillow')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { path: '/v1/tax/calculations' },
    when: 'before',
    do: { status: 500, body: {} },
    times: 10,
  })
  const answer = await shopper.startsPayment(addresses.sydney)
  expect(answer).toMatchObject({ status: 200, body: { tax_amount: 0, shipping_cost: 3499 } })
  expect((answer.body as unknown as { summary: { notices: string[] } }).summary.notices.join()).toContain(
    'Tax could not be calculated',
  )
})

test('an address the tax provider rejects is never taxed at 0: no payment can start (F31)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const answer = await shopper.startsPayment({ ...addresses.newYork, postal_code: '00000' })
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'address_refused', fields: { 'customerInfo.shippingAddress.postal_code': expect.any(String) } },
  })
  expect(world.simulators.stripe.ledger().payments).toEqual([])
})

test('a printer that is down blocks no payment; the order is submitted when it is back', async () => {
  await using world = await openWorld()
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 503, body: 'away' },
    times: 2,
  })
  const payment = await world.shopper().paysByCard()
  expect((await payment.returnsToShop()).body).toMatchObject({ success: true })
  await expect.poll(() => ordersOf(world).then(([order]) => order?.status), { timeout: 50_000 }).toBe('submitted')
})

test('an email that the mail server defers is delivered later, once', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  world.mailbox.failNext(shopper.customer.email, 451)
  const payment = await shopper.paysByCard()
  await payment.returnsToShop()
  await expect.poll(() => world.mailbox.list().length, { timeout: 20_000 }).toBe(1)
  await world.settled()
  expect(await world.audit('mails')).toMatchObject([{ state: 'sent' }])
})

test('checkouts unpaid for a day are canceled at the provider (F57)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const started = await shopper.startsPayment()
  await world.advance(25 * 3_600_000)
  await world.sweep()
  expect(await world.audit('checkouts')).toMatchObject([{ state: 'released' }])
  expect(await shopper.confirms(started.body)).toMatchObject({ error: expect.anything() })
  expect((await shopper.startsPayment()).status).toBe(200)
})

test('a session that keeps starting payments is rate limited (S35)', async () => {
  await using world = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const shopper = world.shopper()
  await shopper.adds('hat')
  const answers = []
  for (let n = 0; n < 12; n += 1) answers.push(await shopper.startsPayment())
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many' } })
  expect(answers.at(-1)?.headers.get('retry-after')).toBeTruthy()
})

test('a stranger who discards the cookie every time still counts as one address (S38)', async () => {
  await using world = await openWorld({ env: { RATE_LIMIT_SCALE: '0.02' } })
  const { id } = await world.shopper().find('mouse pad')
  const answers = []
  for (let n = 0; n < 14; n += 1) {
    const stranger = world.shopper()
    stranger.usesCookie(`session=${n}`)
    answers.push(await stranger.send('POST', '/api/cart', { productId: id, variantId: null }))
  }
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(12)
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many' } })
})

test('an update that failed halfway never shows one total and charges another', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const first = await shopper.startsPayment()
  await shopper.adds('mug', 3)
  const update = { method: 'POST', path: `/v1/payment_intents/${first.body.payment_intent}` }
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: update,
    when: 'before',
    do: { status: 503, body: {} },
    times: 2,
  })
  expect((await shopper.startsPayment(addresses.sydney)).status).toBe(503)

  const again = await shopper.startsPayment(addresses.sydney)
  expect(again.status).toBe(200)
  await shopper.confirms(again.body)
  await shopper.returnsToShop(again.body.payment_intent)
  const [order] = await ordersOf(world)
  expect(Number(order?.total_cents)).toBe(again.body.total_amount)
  await expectBooksAgree(world)
})

test.each([401, 403, 429])('nothing is sold untaxed when the tax provider answers %i', async (status) => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const body = { error: { type: 'invalid_request_error', message: 'no' } }
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { path: '/v1/tax/calculations' },
    when: 'before',
    do: { status, body },
    times: 5,
  })
  expect(await shopper.startsPayment()).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  expect(world.simulators.stripe.ledger().payments).toEqual([])
})

test('an expired printer token strands no order: it is submitted once the token is renewed', async () => {
  await using world = await openWorld()
  const body = {
    code: 401,
    result: 'The access token provided is invalid.',
    error: { reason: 'Unauthorized', message: 'no' },
  }
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 401, body },
    times: 1,
  })
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await expect.poll(() => ordersOf(world).then(([order]) => order?.status), { timeout: 50_000 }).toBe('submitted')
})

test('a waiting order has one job, however often the sweep runs', async () => {
  await using world = await openWorld()
  const body = 'away'
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 503, body },
    times: 100,
  })
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await world.advance(11 * 60_000)
  for (let n = 0; n < 5; n += 1) await world.sweep()
  const jobs = await world.audit<{ name: string }>('jobs')
  expect(jobs.filter(({ name }) => name === 'submit-order')).toHaveLength(1)
})

test.runIf(process.env['TEST_DATABASE'] === 'postgresql')(
  'a connection that drops during a transaction fails only that transaction (F39)',
  async () => {
    await using world = await openWorld()
    const { db, pool } = world.shop.database
    const unheard: Error[] = []
    const hear = (error: Error) => unheard.push(error)
    process.on('uncaughtExceptionMonitor', hear)
    const lent = await pool.connect()
    const isCut = new Promise((resolve) => lent.once('end', resolve))
    const transaction = db.transaction(async (tx) => {
      await tx.execute('select 1')
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
        and datname = current_database() and application_name = 'pawtelier'`)
      await isCut
      await tx.execute('select 1')
    })
    await expect(transaction).rejects.toThrow()
    lent.release()
    expect((await world.shopper().adds('mug')).status).toBe(200)
    process.off('uncaughtExceptionMonitor', hear)
    expect(unheard).toEqual([])
  },
)
