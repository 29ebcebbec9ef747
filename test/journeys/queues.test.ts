import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/call.ts'
import type { reconciliationCalls } from '#contract/reconciliation.ts'
import { CROWD_MIN } from '#domain/reconciliation/queue.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { passAMinute } from './a-minute-later.ts'

// What a crowd does at once is one line for the owner, and an exception only where it stands out.

let world: World
let list: (query?: string) => Promise<AnswerOf<(typeof reconciliationCalls)['exceptions']>>
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  list = async (query = '') => (await owner.send('GET', `/api/admin/exceptions${query}`)).body as never
})
afterAll(() => world[Symbol.asyncDispose]())

type Open = { kind: string; order_id: number | null }

async function listOpen(): Promise<Open[]> {
  await passAMinute(world)
  const all = await world.audit<Open & { resolved_at: Date | null }>('exceptions')
  return all.filter(({ resolved_at: at }) => at === null).map(({ kind, order_id }) => ({ kind, order_id }))
}

async function buys(): Promise<number | undefined> {
  const { returnsToShop } = await world.shopper().paysByCard({ buying: 'mug' })
  const { orderId } = (await returnsToShop()).body
  return (await world.audit<{ id: number; order_number: string }>('orders')).find(
    ({ order_number: number }) => number === orderId,
  )?.id
}

const retryNow = () =>
  world.shop.database.pool.query(`update pgboss.job set start_after = now() where state in ('created', 'retry')`)

test('a crowd that waits for the printer is one line: no exception while the line explains it, one for all when it does not move', async () => {
  world.simulators.kit.rules.add({
    ...{ provider: 'printful', match: { path: '/orders' }, when: 'before', do: { status: 500 }, times: 1000 },
  })
  for (let bought = 0; bought < CROWD_MIN + 2; bought += 1) await buys()
  expect(await listOpen()).toEqual([])
  expect(await list()).toMatchObject({ queues: [{ name: 'printer', waiting: CROWD_MIN + 2, doneAt: null }], open: 0 })

  await world.advance(11 * MINUTE_MS)
  expect(await listOpen()).toEqual([{ kind: 'queue_stuck', order_id: null }])
  expect((await list()).exceptions).toMatchObject([{ title: 'A line that hardly moves', canRepair: false }])

  world.simulators.kit.rules.clear()
  await expect
    .poll(async () => (await retryNow(), (await list()).queues), { timeout: 20_000, interval: 500 })
    .toEqual([])
  await world.settled()
  expect(await listOpen()).toEqual([])
})

test('an order that others overtook stands out', async () => {
  const { printful } = world.shop
  const createDraft = printful.createDraft.bind(printful)
  let unanswered: string | undefined
  printful.createDraft = async (order) => {
    unanswered ??= order.externalId
    if (order.externalId === unanswered) throw new ProviderUnavailable('printful', 'no answer')
    return createDraft(order)
  }
  try {
    const overtaken = await buys()
    // On a busy machine the later order could be the first that is sent.
    await expect.poll(() => unanswered).toBeDefined()
    await world.advance(11 * MINUTE_MS)
    await buys()
    await world.settled()
    // On a busy machine the later order gets there a moment after its job.
    await expect.poll(listOpen, { timeout: 20_000 }).toEqual([{ kind: 'not_submitted', order_id: overtaken }])
    expect((await list()).exceptions[0]?.cause).toContain('Orders that came later are there.')
  } finally {
    printful.createDraft = createDraft
  }
  await expect.poll(async () => (await retryNow(), await listOpen()), { timeout: 20_000, interval: 500 }).toEqual([])
})

test('many exceptions of a kind are one line that leads to them', async () => {
  await world.shop.database.pool.query(
    `update shop_order set fulfilment_status = 'on_hold' where fulfilment_status = 'submitted'`,
  )
  const found = await listOpen()
  expect(found.length).toBeGreaterThan(CROWD_MIN)
  expect(await list()).toMatchObject({ exceptions: [], crowds: [{ kind: 'on_hold', count: found.length }] })
  expect((await list('?kind=on_hold')).exceptions).toHaveLength(found.length)
})
