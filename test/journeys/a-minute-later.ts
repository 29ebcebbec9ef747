import { expect, vi } from 'vitest'
import type { World } from '#sandbox/world.ts'
import { after, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { tasksOf } from '../../src/schedule.ts'
import { startSchedule } from '#server/jobs/schedule.ts'

/**
 * What the shop notices by itself within a minute, when the sweep runs every five: no books are read. The schedule is the shop's, its
 * timers are the test's.
 */
export async function passAMinute(world: World): Promise<void> {
  await world.settled()
  await world.advance(MINUTE_MS)
  const checks = async () =>
    (await world.audit<{ name: string; state: string }>('jobs')).filter(
      ({ name, state }) => name === 'check-exceptions' && state === 'completed',
    ).length
  const before = await checks()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { shop } = world
    const tasks = tasksOf({ ...shop, config: { ...shop.config, sweepIntervalMs: 5 * MINUTE_MS } })
    const checks = tasks.filter(({ name }) => name === 'check-exceptions')
    let passed = 0
    const clock = { now: () => after(shop.clock.now(), passed) }
    const schedule = startSchedule({ log: shop.log, clock }, checks)
    passed = MINUTE_MS
    vi.advanceTimersByTime(SECOND_MS)
    await schedule.stop()
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(checks, { timeout: 15_000 }).toBe(before + 1)
}
