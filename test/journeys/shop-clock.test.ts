import { expect, test } from 'vitest'
import { after, DAY_MS, HOUR_MS, SECOND_MS } from '#shared/time.ts'
import { clockOf } from '#server/config/clock.ts'
import { startSchedule } from '#server/jobs/schedule.ts'
import { openWorld } from '#sandbox/world.ts'
import { freePort } from '../../tools/free-port.ts'
import { startControl } from '#sandbox/control/control.ts'

test('the control page turns one clock: the file that a shop in another process reads, and all providers', async () => {
  await using world = await openWorld()
  const { kit, providers, mailbox, settings } = world.simulators
  const control = await startControl(kit, providers, mailbox, { port: await freePort() })
  try {
    const clock = clockOf({ clockFile: settings['CLOCK_FILE'] })
    const before = clock.now()
    const turned = await fetch(`${control.url}/control/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: '30d' }),
    })
    const { now } = (await turned.json()) as { now: string }
    const shown = (await (await fetch(`${control.url}/control/clock`)).json()) as { now: string }
    for (const time of [clock.now(), world.shop.clock.now(), new Date(now), new Date(shown.now)])
      expect((time.getTime() - before.getTime() - 30 * DAY_MS) / SECOND_MS).toBeCloseTo(0, -1)
  } finally {
    await control.close()
  }
})

test('a job waits for the shop’s clock, and starts once that is turned past its time', async () => {
  await using world = await openWorld({ env: { CHANGE_WINDOW_S: '7200' } })
  const { shop } = world
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await world.settled()
  const submitted = async () =>
    (await world.audit<{ external_id: string | null; fulfilment_status: string }>('orders'))[0]
  await world.advance(HOUR_MS)
  await world.settled()
  expect((await submitted())?.fulfilment_status).toBe('waiting')
  await world.advance(HOUR_MS)
  await world.settled()
  expect((await submitted())?.fulfilment_status).not.toBe('waiting')
  // Turned back by a restart: what was queued before still waits for its own time.
  await shop.db.transaction((tx) => shop.jobs.enqueue(tx, 'watch-messages', {}, after(shop.clock.now(), DAY_MS)))
  const { rows } = await shop.database.pool.query<{ s: number }>(
    `select extract(epoch from start_after - now())::float8 as s from pgboss.job where name = 'watch-messages' and state = 'created'`,
  )
  expect((rows[0]?.s ?? 0) * SECOND_MS).toBeGreaterThan(DAY_MS - HOUR_MS)
})

test('webhooks of a turned clock are believed, with both providers', async () => {
  await using world = await openWorld()
  await world.advance(40 * DAY_MS)
  await world.shopper().paysByCard()
  const shopper = world.shopper()
  await shopper.captures(await shopper.approvesWallet())
  await world.settled()
  expect(await world.audit('orders')).toHaveLength(2)
  expect(world.simulators.kit.webhooks.list().map(({ state }) => state)).not.toContain('waiting')
})

test('each task of the schedule runs once, at once, when the clock is turned far ahead', async () => {
  await using world = await openWorld()
  const ran: string[] = []
  const task = (name: string, everyMs: number) => ({ name, everyMs, run: async () => void ran.push(name) })
  const schedule = startSchedule(world.shop, [task('hourly', HOUR_MS), task('weekly', 7 * DAY_MS)])
  await world.advance(2 * DAY_MS)
  await expect.poll(() => ran, { timeout: 5000 }).toEqual(['hourly'])
  await world.advance(40 * DAY_MS)
  await expect.poll(() => ran.toSorted(), { timeout: 5000 }).toEqual(['hourly', 'hourly', 'weekly'])
  await schedule.stop()
})
