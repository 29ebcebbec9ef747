import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderView } from '#contract/orders.ts'
import type { ParcelNotice } from '#contract/parcel-choices.ts'
import type { AdminClaim } from '#contract/admin-claims.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { tellOfParcels } from '#server/claims/parcel-watch.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'
import { erasePerson } from '#server/privacy/privacy.ts'
import { passAMinute } from './a-minute-later.ts'
import { catchesUp, madeByPrinter, printerAwayForADay } from './printer-away.ts'

// Parcels that are late, lost or came back: what their shoppers are told and choose, without signing in.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  await world.simulators.printful.change({ change: 'rate_limit', perMinute: 100_000 })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Tests move the time beyond a session's life. */
async function asOwner() {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner
}

type Answered = { code?: string; message?: string; done?: string }

/** As the shop's timers do it: polls of the printer, then the look for trouble. */
async function looks(): Promise<void> {
  await world.advance(3 * HOUR_MS)
  await followOrdersWithoutNews(world.shop)
  await world.settled()
  await tellOfParcels(world.shop)
  await tellOfParcels(world.shop)
  await world.settled()
}

/** A paid order, seen through the link of its latest email. */
async function ordered(until: 'paid' | 'stranded', how: 'card' | 'wallet' = 'card') {
  const shopper = world.shopper()
  const what = { buying: 'mug', to: addresses.newYork }
  if (how === 'card') await (await shopper.paysByCard(what)).returnsToShop()
  else await shopper.captures(await shopper.approvesWallet(what))
  await world.settled()
  const { rows } = await world.shop.database.pool.query<{ number: string }>(
    'select order_number as number from shop_order where customer_email = $1',
    [shopper.customer.email],
  )
  const number = rows[0]?.number ?? ''
  const change = (what: string, more: object = {}) =>
    world.simulators.printful.change({ change: what, external_id: number, ...more })
  if (until === 'stranded') {
    await change('ship')
    await change('strand')
    await world.settled()
  }
  const mails = () => world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  // That of the confirmation: a new parcel's order has links of its own.
  const link =
    /order-confirmation\?token=([\w-]+)/.exec(
      mails()
        .map(({ text }) => text)
        .join(),
    )?.[1] ?? ''
  const token = () => link
  const guest = world.shopper()
  return {
    ...{ number, change, email: shopper.customer.email, mails, token, guest },
    subjects: (word: string) => mails().filter(({ subject }) => subject.includes(word)).length,
    view: async () => (await guest.send<OrderView>('GET', `/api/order?token=${token()}`)).body,
    notices: async () =>
      (await guest.send<{ notices: ParcelNotice[] }>('GET', `/api/order/parcel-notices?token=${token()}`)).body.notices,
    chooses: (id: number | undefined, choice: string, more: object = {}) =>
      guest.send<Answered>('POST', `/api/order/parcel-notices/${id ?? 0}/choice`, { token: token(), choice, ...more }),
  }
}

const LATE = 'running late'
/** Past the promised window and before the second one is over. */
const LATE_MS = 16 * DAY_MS

const exceptionsOf = async (number: string): Promise<string[]> => {
  await passAMinute(world)
  const { rows } = await world.shop.database.pool.query<{ kind: string }>(
    `select e.kind from shop_exception e join shop_order o on o.id = e.order_id
     where o.order_number = $1 and e.resolved_at is null and e.kind in ('late', 'lost', 'returned') order by 1`,
    [number],
  )
  return rows.map(({ kind }) => kind)
}

const claimsOf = async (number: string): Promise<AdminClaim[]> =>
  (await (await asOwner()).send<{ claims: AdminClaim[] }>('GET', '/api/admin/claims')).body.claims.filter(
    ({ orderNumber }) => orderNumber === number,
  )

const statusOf = async (number: string) => {
  const { rows } = await world.shop.database.pool.query<{ payment: string; fulfillment: string; replacements: number }>(
    `select payment_status as payment, fulfilment_status as fulfillment,
       (select count(*)::int from shop_order r where r.replaces_id = o.id) as replacements
     from shop_order o where order_number = $1`,
    [number],
  )
  return rows[0]
}

test('a parcel that will miss its window is told of once, with new days; who waits can still choose a new one', async () => {
  const late = await ordered('stranded')
  await world.advance(2 * DAY_MS)
  await looks()
  expect(await late.notices()).toEqual([])
  expect((await late.view()).isLate).toBe(false)

  await world.advance(LATE_MS)
  await looks()
  await looks()
  expect(late.subjects(LATE)).toBe(1)
  const [notice] = await late.notices()
  expect(notice).toMatchObject({ kind: 'late', state: 'open', choices: ['wait', 'refund', 'replace'] })
  const view = await late.view()
  expect(view.isLate).toBe(true)
  expect(Date.parse(notice?.expected?.to ?? '')).toBeGreaterThan(world.shop.clock.now().getTime())
  expect(notice?.expected?.to).toBe(view.expected?.to)

  expect((await late.chooses(notice?.id, 'wait')).status).toBe(200)
  expect((await late.notices())[0]).toMatchObject({ state: 'waits', chosen: 'wait', choices: ['refund', 'replace'] })
  expect((await late.chooses(notice?.id, 'wait')).body.done).toContain('already')
  expect((await late.chooses(notice?.id, 'replace')).status).toBe(200)
  await world.settled()
  expect(await statusOf(late.number)).toMatchObject({ replacements: 0, payment: 'paid' })
  const [claim] = await claimsOf(late.number)
  expect(claim).toMatchObject({ reason: 'late', state: 'open', messages: [{ words: 'Please make it again.' }] })
  expect((await (await asOwner()).send('POST', `/api/admin/claims/${claim?.id}/replace`, {})).status).toBe(200)
  await world.settled()
  expect(await statusOf(late.number)).toMatchObject({ replacements: 1, payment: 'paid' })
  expect((await late.notices())[0]).toMatchObject({ state: 'decided', outcome: 'replaced', choices: [] })
  expect(await exceptionsOf(late.number)).toEqual([])
})

test('a refund and a new parcel pressed in two tabs: one of them happens (F60)', async () => {
  const late = await ordered('stranded')
  await world.advance(LATE_MS)
  await looks()
  const [notice] = await late.notices()
  const answers = await Promise.all([
    late.chooses(notice?.id, 'refund'),
    late.chooses(notice?.id, 'replace'),
    late.chooses(notice?.id, 'refund'),
  ])
  const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : (body.code ?? status)))
  expect(codes).toContain('done')
  expect(codes.every((code) => ['done', 'parcel_decided', 'already_claimed'].includes(String(code)))).toBe(true)
  expect(await claimsOf(late.number)).toHaveLength(1)
})

/** An order whose parcel was late, and is now lost. */
async function lostParcel() {
  const order = await ordered('stranded')
  await world.advance(LATE_MS)
  await looks()
  await world.advance(20 * DAY_MS)
  await looks()
  await looks()
  return order
}

test('what nobody has begun to make is canceled and refunded at once, also when it was paid by wallet', async () => {
  const late = await ordered('paid', 'wallet')
  await world.shop.database.pool.query(
    `update shop_order set created_at = created_at - interval '20 days',
       promised_from = promised_from - 20, promised_to = promised_to - 20 where order_number = $1`,
    [late.number],
  )
  await looks()
  const [notice] = await late.notices()
  expect(notice).toMatchObject({ kind: 'late', choices: ['wait', 'refund'] })
  expect((await late.chooses(notice?.id, 'replace')).status).toBe(409)
  expect((await late.chooses(notice?.id, 'refund')).body.done).toContain('refund is on its way')
  expect((await late.chooses(notice?.id, 'refund')).body.done).toContain('already')
  await world.settled()
  await expect.poll(() => statusOf(late.number)).toMatchObject({ payment: 'refunded', fulfillment: 'cancelled' })
  expect(await claimsOf(late.number)).toMatchObject([{ state: 'resolved', outcome: 'refunded' }])
})

test('a parcel that never comes is lost after its second window; the exception names the printer’s deadline and goes when it is replaced', async () => {
  const lost = await lostParcel()
  expect(lost.subjects('is lost')).toBe(1)
  expect((await lost.view()).parcels[0]?.lostAt).not.toBeNull()
  const notices = await lost.notices()
  expect(notices).toMatchObject([{ kind: 'lost', choices: ['refund', 'replace'] }])
  expect(await exceptionsOf(lost.number)).toEqual(['lost'])
  const { rows } = await world.shop.database.pool.query<{ days: number }>(
    `select extract(day from e.deadline_at - s.shipped_at)::int as days from shop_exception e
     join shop_order o on o.id = e.order_id join shipment s on s.order_id = o.id
     where o.order_number = $1 and e.kind = 'lost'`,
    [lost.number],
  )
  expect(rows[0]?.days).toBeGreaterThan(30)

  expect((await lost.chooses(notices[0]?.id, 'replace')).status).toBe(200)
  const [claim] = await claimsOf(lost.number)
  expect(claim).toMatchObject({ reason: 'lost', state: 'open' })
  expect(claim?.printer?.text).toContain('Never arrived')
  await (await asOwner()).send('POST', `/api/admin/claims/${claim?.id}/replace`, {})
  await world.settled()
  expect(await exceptionsOf(lost.number)).toEqual([])
})

test('the printer is down for a day when a lost parcel is made again: it waits, says so, and is made once (F61)', async () => {
  const lost = await lostParcel()
  const [notice] = await lost.notices()
  const made = madeByPrinter(world)
  const replacements = async () => {
    const { rows } = await world.shop.database.pool.query<Record<'external' | 'status' | 'email', string>>(
      `select r.external_id as external, r.fulfilment_status as status, r.customer_email as email
       from shop_order r join shop_order o on o.id = r.replaces_id where o.order_number = $1`,
      [lost.number],
    )
    return rows
  }
  await printerAwayForADay(world, async () => {
    expect((await lost.chooses(notice?.id, 'replace')).status).toBe(200)
    const [claim] = await claimsOf(lost.number)
    for (const _ of [1, 2]) await (await asOwner()).send('POST', `/api/admin/claims/${claim?.id}/replace`, {})
    await world.settled()
  })
  expect(madeByPrinter(world)).toEqual(made)
  expect(await replacements()).toMatchObject([{ status: 'waiting' }])
  const page = async () => {
    const links = lost.mails().flatMap(({ text }) => /order-confirmation\?token=([\w-]+)/.exec(text)?.[1] ?? [])
    const views = await Promise.all(
      links.map(async (token) => (await lost.guest.send<OrderView>('GET', `/api/order?token=${token}`)).body),
    )
    return views.find(({ kind }) => kind === 'replacement')
  }
  const shown = await page()
  expect(shown?.fulfillment).toBe('waiting')
  expect(String(shown?.expected?.from) > world.shop.clock.now().toISOString()).toBe(true)

  const [replacement] = await replacements()
  const works = async () => {
    await catchesUp(world)
    return madeByPrinter(world)
  }
  await expect.poll(works, { timeout: 60_000 }).toEqual([...made, replacement?.external ?? ''].toSorted())
  expect(await works()).toHaveLength(made.length + 1)
  expect(lost.subjects('replacement')).toBe(1)
  expect(await statusOf(lost.number)).toMatchObject({ replacements: 1, payment: 'paid' })
  expect(await exceptionsOf(lost.number)).toEqual([])
})

test('the owner gives a parcel up as lost; when it arrives after all, nothing is left to choose', async () => {
  const found = await ordered('stranded')
  const { rows } = await world.shop.database.pool.query<{ id: string }>(
    `select s.id from shipment s join shop_order o on o.id = s.order_id where o.order_number = $1`,
    [found.number],
  )
  const owner = await asOwner()
  const path = `/api/admin/orders/${found.number}/parcels/${rows[0]?.id}/lost`
  expect((await owner.send<Answered>('POST', path, {})).status).toBe(200)
  expect((await owner.send<Answered>('POST', path, {})).status).toBe(200)
  await world.settled()
  expect(found.subjects('is lost')).toBe(1)
  const [notice] = await found.notices()
  await found.change('deliver')
  await looks()
  expect(await found.notices()).toEqual([])
  expect((await found.chooses(notice?.id, 'refund')).body.code).toBe('parcel_arrived')
  expect((await (await asOwner()).send<Answered>('POST', path, {})).body.code).toBe('parcel_arrived')
  expect(await exceptionsOf(found.number)).toEqual([])
  const unknown = `/api/admin/orders/${found.number}/parcels/1/lost`
  expect((await (await asOwner()).send<Answered>('POST', unknown, {})).status).toBe(404)
})

const recipient = (more: object = {}) => ({
  name: 'Ada Fan',
  shippingAddress: {
    line1: '350 5th Ave',
    line2: 'Apt 7',
    city: 'New York',
    state: 'NY',
    postal_code: '10118',
    country: 'US',
    ...more,
  },
})

test('a returned parcel asks for an address, and a new one goes there, once', async () => {
  const back = await ordered('stranded')
  await back.change('return', { reason: 'The address was not found' })
  await looks()
  expect(back.subjects('came back')).toBe(1)
  expect(await exceptionsOf(back.number)).toEqual(['returned'])
  const [notice] = await back.notices()
  expect(notice).toMatchObject({ kind: 'returned', choices: ['refund', 'replace'] })

  const refused = async (more: object) => (await back.chooses(notice?.id, 'replace', more)).status
  expect(await refused({})).toBe(422)
  expect(await refused({ recipient: recipient({ postal_code: 'X' }) })).toBe(422)
  expect(await refused({ recipient: recipient({ state: 'CA', postal_code: '90001' }) })).toBe(422)
  expect(await statusOf(back.number)).toMatchObject({ replacements: 0 })

  const answers = await Promise.all([1, 2].map(() => back.chooses(notice?.id, 'replace', { recipient: recipient() })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  await world.settled()
  expect(await statusOf(back.number)).toMatchObject({ replacements: 1, payment: 'paid' })
  const { rows } = await world.shop.database.pool.query<{ line2: string }>(
    `select r.shipping_address->>'line2' as line2 from shop_order r join shop_order o on o.id = r.replaces_id where o.order_number = $1`,
    [back.number],
  )
  expect(rows).toEqual([{ line2: 'Apt 7' }])
  expect(await exceptionsOf(back.number)).toEqual([])
  expect((await back.chooses(notice?.id, 'refund')).body.code).toBe('parcel_decided')
})

test('nothing is chosen while the bank decides, about another’s parcel, or once the customer is erased', async () => {
  const late = await ordered('stranded')
  const other = await ordered('paid')
  await world.advance(LATE_MS)
  await looks()
  const [notice] = await late.notices()
  expect((await other.chooses(notice?.id, 'refund')).body.code).toBe('unknown_notice')
  expect(
    (
      await late.guest.send('POST', `/api/order/parcel-notices/${notice?.id}/choice`, {
        token: 'guess',
        choice: 'refund',
      })
    ).status,
  ).toBe(404)
  expect((await late.chooses(notice?.id, 'steal')).status).toBe(422)
  const set = (status: string) =>
    world.shop.database.pool.query('update shop_order set payment_status = $1 where order_number = $2', [
      status,
      late.number,
    ])
  await set('disputed')
  expect((await late.chooses(notice?.id, 'refund')).body.code).toBe('change_disputed')
  await set('paid')
  await late.change('deliver')
  await looks()
  const { token } = late
  const link = token()
  await erasePerson(world.shop, late.email, COMMAND)
  expect((await late.guest.send('GET', `/api/order/parcel-notices?token=${link}`)).status).toBeGreaterThanOrEqual(404)
})

test('without news from the printer for a day, nobody is told that a parcel is late (F61)', async () => {
  const silent = await ordered('stranded')
  await looks()
  await world.advance(LATE_MS)
  await tellOfParcels(world.shop)
  await world.settled()
  expect(silent.subjects(LATE)).toBe(0)
  await looks()
  expect(silent.subjects(LATE)).toBe(1)
})
