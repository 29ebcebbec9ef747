import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderView } from '#contract/orders.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'

// What carriers report about a parcel, as the order's page and emails tell it.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  await world.simulators.printful.change({ change: 'rate_limit', perMinute: 100_000 })
})
afterAll(() => world[Symbol.asyncDispose]())

const inboxOf = (email: string) => world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))

/** A parcel on its way, with what its recipient sees. */
async function shipped() {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug', to: addresses.newYork })
  const { body } = await payment.returnsToShop()
  const number = String(body.orderId)
  await world.settled()
  const change = (what: string, more: object = {}) =>
    world.simulators.printful.change({ change: what, external_id: number, ...more })
  const view = async () => (await shopper.send<OrderView>('GET', `/api/order?order=${number}`)).body
  await change('ship')
  await world.settled()
  return {
    ...{ number, change, view },
    parcel: async () => (await view()).parcels[0],
    mails: () => inboxOf(shopper.customer.email).map(({ subject }) => subject),
    textOf: (about: string) => inboxOf(shopper.customer.email).find(({ subject }) => subject.includes(about))?.text,
    /** As a poll finds it three hours later. */
    async polled() {
      await world.advance(3 * HOUR_MS)
      await followOrdersWithoutNews(world.shop)
      await world.settled()
    },
  }
}

/** When the next poll finds it. */
const dayIn = (days: number) => {
  const at = new Date(world.shop.clock.now().getTime() + 3 * HOUR_MS + days * DAY_MS)
  return {
    iso: at.toISOString().slice(0, 10),
    said: new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(at),
  }
}

test('the order’s page tells where the parcel was, in our words, with place and time', async () => {
  const { change, parcel, polled } = await shipped()
  await change('track', { reason: 'Arrived at USPS Regional Facility, NEWARK, NJ', at: '2026-11-20T09:00:00Z' })
  await change('track', { reason: 'A word that no carrier has used before', at: '2026-11-19T09:00:00Z' })
  await polled()
  const { events = [] } = (await parcel()) ?? {}
  expect(events.map(({ text, place }) => [text, place])).toEqual([
    ['Handed over to the carrier', 'Charlotte, NC'],
    ['Arrived at a sorting center', 'Newark, NJ'],
    ['On its way', null],
  ])
  expect(events[1]?.at).toBe('2026-11-20T09:00:00.000Z')

  await change('strand')
  // Read again, the same news are the same.
  await polled()
  expect((await parcel())?.events).toEqual(events)
})

test('a failed attempt is one email, being out for delivery is one only if the owner wants it', async () => {
  const first = await shipped()
  await first.change('track', { reason: 'Out for delivery, New York, NY', status: 'out_for_delivery' })
  await first.polled()
  const again = dayIn(2)
  await first.change('track', { reason: 'Delivery attempted, no access', status: 'failure', estimate: again.iso })
  await first.polled()
  await first.change('track', { reason: 'Delivery attempted again, no access', status: 'failure' })
  await first.polled()
  expect(first.mails().filter((subject) => subject.includes('couldn’t deliver'))).toHaveLength(1)
  expect(first.mails().filter((subject) => subject.includes('Out for delivery'))).toEqual([])

  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const setTo = (was: string, value: string | null) =>
    owner.send('PUT', '/api/admin/settings', { deliveryMails: { was, value } })
  expect((await setTo('failed_attempt', 'both')).status).toBe(200)
  const second = await shipped()
  const today = dayIn(0)
  await second.change('track', {
    reason: 'Out for delivery, New York, NY',
    status: 'out_for_delivery',
    estimate: today.iso,
  })
  await second.polled()
  await second.polled()
  expect(second.mails().filter((subject) => subject.includes('Out for delivery'))).toHaveLength(1)
  // The day is the carrier's, not what was promised; an attempt that failed without a new one names none.
  expect(second.textOf('Out for delivery')).toContain(`Arrives: ${today.said}\n`)
  expect(first.textOf('couldn’t deliver')).toContain(`Arrives: ${again.said}\n`)
  const third = await shipped()
  await third.change('track', { reason: 'Delivery attempted, no access', status: 'failure' })
  await third.polled()
  expect(third.textOf('couldn’t deliver')).not.toContain('Arrives:')
  await setTo('both', null)
})

test('after a day without the printer, news that are old when the printer answers again are shown but not mailed (F61)', async () => {
  const { change, mails, parcel, polled, view } = await shipped()
  await change('track', { reason: 'Delivery attempted, no access', status: 'failure' })
  // For a day, the printer does not answer.
  await world.advance(DAY_MS)
  await change('deliver')
  await polled()
  await polled()
  expect((await parcel())?.events.map(({ text }) => text)).toEqual([
    'Delivered',
    'Tried to deliver it, without success',
    'Handed over to the carrier',
  ])
  expect(mails().filter((subject) => subject.includes('couldn’t deliver'))).toEqual([])
  expect(mails().filter((subject) => subject.includes('has arrived'))).toHaveLength(1)
  // The order's steps have the parcel's days, not those on which the shop heard of them.
  const { milestones, parcels } = await view()
  expect(milestones.slice(-2).map(({ at }) => at)).toEqual([parcels[0]?.shippedAt, parcels[0]?.deliveredAt])
})

test('shapeless, future and endless news of a parcel change nothing but what they are', async () => {
  const { change, parcel, polled, number } = await shipped()
  await change('track', { reason: 'Delivered to Mars', at: '2199-01-01T00:00:00Z' })
  await change('track', { reason: 'x'.repeat(5000) })
  await change('track', { reason: 'Arrived', at: 'not a time' })
  await polled()
  expect((await parcel())?.events.map(({ text }) => text).toSorted()).toEqual([
    'Handed over to the carrier',
    'On its way',
  ])
  const { rows } = await world.shop.database.pool.query<{ longest: number }>(
    `select max(length(description))::int as longest from tracking_event t join shipment s on s.id = t.shipment_id
     join shop_order o on o.id = s.order_id where o.order_number = $1`,
    [number],
  )
  expect(rows[0]?.longest).toBe(300)
})
