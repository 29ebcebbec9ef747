import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { beginCapture } from '#server/checkout/wallet-orders.ts'
import { expectBooksAgree, expectNoPaymentLost, ordersOf } from './invariants.ts'

// The browser and the approval's event both capture a wallet order. PayPal works on the first request and may refuse the
// second.

const SLOW_MS = 3000

const captured = ({ simulators }: World) =>
  (simulators.paypal.ledger().payments ?? []).filter(({ status }) => status === 'COMPLETED')

/** The capture calls PayPal received for an order, with its answers. */
const captureCalls = ({ simulators }: World, id: string) =>
  simulators.kit.log
    .since(0)
    .filter(({ path }) => path === `/v2/checkout/orders/${id}/capture`)
    .map(({ status }) => status)

const slowCaptures = ({ simulators }: World, ms = SLOW_MS) => simulators.paypal.change({ change: 'slow_captures', ms })

/** Sets PayPal's answer to the next captures of an order, before or after they are carried out. */
const saysToCapture = ({ simulators }: World, id: string, when: 'before' | 'after', issue: string, times = 1) => {
  const details = [{ issue, description: `PayPal says ${issue}.` }]
  simulators.kit.rules.add({
    provider: 'paypal',
    match: { path: `/v2/checkout/orders/${id}/capture` },
    when,
    do: { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', message: 'No.', details, debug_id: 'f2a3' } },
    times,
  })
}

const mailsOfRefusal = ({ mailbox }: World) =>
  mailbox.list().filter(({ subject }) => subject.includes('did not go through'))

/** A shopper whose payer has approved; the approval's event is held back until released. */
async function approved(world: World, as?: string) {
  await world.simulators.kit.webhooks.set({ provider: 'paypal', hold: true })
  const shopper = world.shopper()
  return { shopper, id: await shopper.approvesWallet({ ...(as && { as }) }) }
}

const letEventsGo = ({ simulators }: World) => simulators.kit.webhooks.set({ provider: 'paypal', release: true })

test.each(['the browser first', 'the event first'] as const)(
  'browser and event capture the same order concurrently, %s: one capture, one order, and nobody sees an error (F58)',
  { timeout: 60_000 },
  async (order) => {
    await using world = await openWorld()
    const { shopper, id } = await approved(world)
    await slowCaptures(world)
    const capture = () => shopper.captures(id)
    const letGo = () => letEventsGo(world)
    const [first, second] = order === 'the browser first' ? [capture, letGo] : [letGo, capture]
    const firstAnswer = first()
    await expect.poll(() => isCaptureBegun(world), { interval: 20, timeout: 5000 }).toBe(true)
    const answers = await Promise.all([firstAnswer, second()])
    const answer = answers.find((result) => result && 'body' in result) as Awaited<ReturnType<typeof capture>>
    expect([answer.status, answer.body.status]).toEqual([200, 'COMPLETED'])
    await world.settled()
    expect(captureCalls(world, id)).toEqual([201])
    expect(await ordersOf(world)).toMatchObject([{ payment_key: `paypal:${id}` }])
    expect(await world.audit('exceptions')).toEqual([])
    await expectNoPaymentLost(world)
    await expectBooksAgree(world)
  },
)

/** Whether a capture has started and has no answer yet. */
const isCaptureBegun = async ({ shop }: World) => {
  const { rows } = await shop.database.pool.query('select 1 from wallet_order where capture_until is not null')
  return rows.length > 0
}

test(
  'a second capture that PayPal refuses while the first is running is no decline (F58)',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const { shopper, id } = await approved(world)
    await slowCaptures(world)
    // A capture by another process that knows nothing of this one, such as after a wrong clock.
    const elsewhere = world.shop.paypal.capture(id)
    await new Promise((later) => setTimeout(later, 300))
    const answer = await shopper.captures(id)
    expect([answer.status, answer.body.status]).toEqual([200, 'PROCESSING'])
    expect((await shopper.processes(id)).body).toMatchObject({ success: false, status: 'PROCESSING' })
    await elsewhere
    expect(captureCalls(world, id)).toEqual([409, 201])

    // The polling page learns of the money without any event.
    await expect
      .poll(() => shopper.processes(id).then(({ body }) => body.status), { timeout: 10_000 })
      .toBe('COMPLETED')
    expect(await ordersOf(world)).toHaveLength(1)
    expect(captured(world)).toHaveLength(1)
  },
)

test.each(['before PayPal was asked', 'while PayPal takes the money'] as const)(
  'a process that captures dies %s: nobody else starts before its lease ends, and there is one order (F58)',
  { timeout: 60_000 },
  async (moment) => {
    await using world = await openWorld()
    const { shopper, id } = await approved(world)
    const now = world.shop.clock.now()
    const until = new Date(now.getTime() + 30_000)
    expect(await world.shop.db.transaction((tx) => beginCapture(tx, id, now, until))).toBeDefined()
    if (moment === 'while PayPal takes the money') {
      await slowCaptures(world, 600)
      void world.shop.paypal.capture(id)
    }
    expect(await world.shop.db.transaction((tx) => beginCapture(tx, id, now, until))).toBeUndefined()
    expect((await shopper.processes(id)).body).toMatchObject({ status: 'PROCESSING' })
    await world.sweep()
    expect(await ordersOf(world)).toEqual([])
    await expect
      .poll(() => captureCalls(world, id).length, { timeout: 5000 })
      .toBe(moment === 'before PayPal was asked' ? 0 : 1)

    await world.advance(MINUTE_MS)
    expect((await shopper.processes(id)).body).toMatchObject({ success: true, status: 'COMPLETED' })
    expect(captureCalls(world, id)).toEqual([201])
    await letEventsGo(world)
    await world.settled()
    expect(await ordersOf(world)).toHaveLength(1)
    await expectBooksAgree(world)
  },
)

test('a temporary refusal during a capture is settled by the order’s status, not by the answer (F58)', async () => {
  await using world = await openWorld()
  for (const issue of [
    'PREVIOUS_REQUEST_IN_PROGRESS',
    'DUPLICATE_REQUEST_ID',
    'ORDER_COMPLETION_IN_PROGRESS',
    'MOON_IN_THE_WAY',
  ]) {
    const { shopper, id } = await approved(world)
    saysToCapture(world, id, 'after', issue)
    const answer = await shopper.captures(id)
    expect([issue, answer.status, answer.body.status]).toEqual([issue, 200, 'COMPLETED'])
  }
  expect(await ordersOf(world)).toHaveLength(4)
})

test(
  'an undocumented PayPal issue is no decline: the shop keeps checking until PayPal has decided or deleted the order (F58)',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const [first, second] = [await approved(world), await approved(world)]
    for (const { id } of [first, second]) saysToCapture(world, id, 'before', 'MOON_IN_THE_WAY', 3)
    for (const { shopper, id } of [first, second]) {
      expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
      expect((await shopper.processes(id)).body).toMatchObject({ success: false, status: 'PROCESSING' })
      expect((await shopper.send('GET', `/api/payment-success/${id}`)).body).toMatchObject({ status: 'processing' })
    }
    // One of them is captured later, with its page closed.
    for (let looks = 0; looks < 3; looks += 1) {
      await world.advance(MINUTE_MS)
      await world.sweep()
    }
    saysToCapture(world, second.id, 'before', 'MOON_IN_THE_WAY', 1000)
    expect(await ordersOf(world)).toMatchObject([
      { payment_key: `paypal:${first.id}` },
      { payment_key: `paypal:${second.id}` },
    ])
  },
)

test('a payment that PayPal deleted while it was pending was not charged, and its shopper hears so once (F58)', async () => {
  await using world = await openWorld()
  const { shopper, id } = await approved(world)
  saysToCapture(world, id, 'before', 'MOON_IN_THE_WAY', 1000)
  expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
  await world.advance(7 * HOUR_MS)
  for (let looks = 0; looks < 2; looks += 1) await world.sweep()
  await world.settled()
  expect(mailsOfRefusal(world)).toHaveLength(1)
  expect([captured(world), await ordersOf(world)]).toEqual([[], []])
  expect(await shopper.cart()).toHaveLength(1)
  // Nothing blocks the next payment.
  await letEventsGo(world)
  const again = (await shopper.startsWallet()).body.id
  await shopper.approves(again)
  expect((await shopper.captures(again)).body.status).toBe('COMPLETED')
})

test(
  'a final refusal reaches everybody who asks about it, and the shopper can pay another way (F58)',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const { shopper, id } = await approved(world, 'TRANSACTION_REFUSED')
    await slowCaptures(world, 800)
    await letEventsGo(world)
    await expect.poll(() => isCaptureBegun(world), { interval: 20, timeout: 5000 }).toBe(true)
    const waited = await shopper.captures(id)
    expect([waited.status, waited.body.code]).toEqual([402, 'wallet_declined'])
    const processing = await shopper.processes(id)
    expect([processing.status, processing.body.code]).toEqual([402, 'wallet_declined'])
    const stranger = await world.shopper().processes(id)
    expect(stranger.body).toEqual({ success: false, status: 'PROCESSING' })
    await world.sweep()
    expect(captureCalls(world, id)).toEqual([422])
    expect([captured(world), mailsOfRefusal(world)]).toEqual([[], []])

    await shopper.approves(id)
    expect((await shopper.captures(id)).body.status).toBe('COMPLETED')
  },
)

test(
  'a refusal after an unclear answer shows on the open page; a shopper who closed it gets an email (F58)',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const open = await approved(world, 'TRANSACTION_REFUSED')
    const closed = await approved(world, 'INSTRUMENT_DECLINED')
    for (const { id, shopper } of [open, closed]) {
      saysToCapture(world, id, 'before', 'PREVIOUS_REQUEST_IN_PROGRESS')
      expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
    }
    await world.advance(MINUTE_MS)
    expect((await open.shopper.processes(open.id)).body).toMatchObject({ code: 'wallet_declined' })
    await world.sweep()
    await world.settled()
    expect(mailsOfRefusal(world).map(({ to }) => to)).toEqual([closed.shopper.customer.email])
  },
)
