import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { readSums } from '#server/reconciliation/book-pairs.ts'
import { compareNow, inject, makeOrders, openDifferences, repairTwice } from '../properties/reconciliation.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
})
afterAll(() => world[Symbol.asyncDispose]())

const ORDERS = 24

/** Uses the owner's calls: the list, one repair clicked twice, the ledger. */
async function byTheOwner(id: number) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const { body: list } = await owner.send<{ exceptions: { id: number; canRepair: boolean }[]; open: number }>(
    'GET',
    '/api/admin/exceptions',
  )
  expect(list.open).toBeGreaterThanOrEqual(differenceKinds.length)
  expect(list.exceptions.find((exception) => exception.id === id)?.canRepair).toBe(true)
  const press = async () => (await owner.send('POST', `/api/admin/exceptions/${id}/repair`)).body
  const pressed = [await press(), await press()]

  const { body: books } = await owner.send<{ balances: object[]; days: object[]; last: object | null }>(
    'GET',
    '/api/admin/reconciliation',
  )
  expect(books.balances).toHaveLength(3)
  expect(books.days.length).toBeGreaterThan(0)
  expect(books.last).toMatchObject({ trigger: 'owner' })
  expect((await owner.send('POST', '/api/admin/reconciliation')).body).toEqual({ isAsked: true })
  const { body: resolved } = await owner.send<{ exceptions: { id: number }[] }>('GET', '/api/admin/exceptions?healed=1')
  expect(resolved.exceptions.map((exception) => exception.id)).toContain(id)
  await world.settled()
  return pressed
}

test(
  'every kind of difference is found, and nothing else; after the repairs the books agree, clicked once or twice',
  { timeout: 240_000 },
  async () => {
    await makeOrders(world, ORDERS)
    expect(await compareNow(world)).toEqual([])

    const injected = await inject(world, 1)
    const found = await compareNow(world)
    expect(found.map(({ kind, about }) => `${kind} ${about}`).toSorted()).toEqual([...injected].toSorted())
    expect(new Set(found.map(({ kind }) => kind)).size).toBe(differenceKinds.length)

    const byOwner = await byTheOwner(found[0]?.id ?? 0)
    expect(await repairTwice(world, found.slice(1))).toBe(0)
    expect(byOwner).toEqual([
      { wasOpen: true, isHealed: true },
      { wasOpen: false, isHealed: true },
    ])
    expect(await compareNow(world)).toEqual([])
    for (const { provider, theirs, ours } of await readSums(world.shop.db, world.shop.config.reportTimeZone))
      expect(ours, provider).toBe(theirs)
    expect(await openDifferences(world)).toEqual([])
  },
)
