import { expect, test } from 'vitest'
import { openWorld } from '#sandbox/world.ts'
import { expectPrintedOnce, ordersOf } from './invariants.ts'

const LEASE_S = 10

test(
  'a job whose end was not stored runs again after its lease, has no second effect, and blocks no other (F36, F37)',
  { timeout: 180_000 },
  async () => {
    await using world = await openWorld({ env: { JOB_LEASE_S: String(LEASE_S) } })
    const { pool } = world.shop.database
    const query = pool.query.bind(pool)
    let failures = 4
    const broken = (...args: unknown[]) => {
      const [text] = args
      if (failures > 0 && typeof text === 'string' && /update/i.test(text) && /completed/.test(text)) {
        failures -= 1
        return Promise.reject(new Error('the database was away for a moment'))
      }
      return (query as (...all: unknown[]) => unknown)(...args)
    }
    Object.assign(pool, { query: broken })

    await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
    await expect.poll(() => failures, { timeout: 60_000 }).toBeLessThan(4)
    // The queue continues with the next job.
    await (await world.shopper().paysByCard({ buying: 'mouse pad' })).returnsToShop()
    const done = async () => (await ordersOf(world)).map(({ status }) => status)
    await expect.poll(done, { timeout: 60_000 }).toEqual(['submitted', 'submitted'])
    const open = async () =>
      (await world.audit<{ state: string }>('jobs')).filter(({ state }) => state !== 'completed').length
    await expect.poll(open, { timeout: 90_000, interval: 500 }).toBe(0)
    expect(failures).toBe(0)
    await expectPrintedOnce(world)
    expect(world.mailbox.list()).toHaveLength(2)
  },
)
