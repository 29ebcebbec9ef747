import { expect, test, vi } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('with two running and three waiting, the sixth is refused', async () => {
  const withSemaphore = createSemaphore({ atOnce: 2, waitingMax: 3, waitMaxMs: 10_000 })
  let atWork = 0
  let most = 0
  const ends: (() => void)[] = []
  const work = () =>
    withSemaphore(async () => {
      most = Math.max(most, (atWork += 1))
      await new Promise<void>((end) => ends.push(end))
      atWork -= 1
    })
  const all = Array.from({ length: 5 }, work)
  await expect(work()).rejects.toMatchObject({ code: 'unavailable' })
  while (ends.length) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(most).toBe(2)
})

test('failed work frees its slot for the next', async () => {
  const withSemaphore = createSemaphore({ atOnce: 1, waitingMax: 1, waitMaxMs: 10_000 })
  const failing = withSemaphore(() => Promise.reject(new Error('no')))
  const next = withSemaphore(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await withSemaphore(() => Promise.resolve('and again'))).toBe('and again')
})

test('work that waited too long is refused, and the next in line runs', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const withSemaphore = createSemaphore({ atOnce: 1, waitingMax: 5, waitMaxMs: 100 })
  let end = () => {}
  const first = withSemaphore(() => new Promise<void>((resolve) => (end = resolve)))
  const early = withSemaphore(() => Promise.resolve('early'))
  now.mockReturnValue(50)
  const late = withSemaphore(() => Promise.resolve('late'))
  now.mockReturnValue(120)
  end()
  await first
  await expect(early).rejects.toMatchObject({ code: 'unavailable' })
  expect(await late).toBe('late')
  now.mockRestore()
})

test('work whose expected wait is too long is refused immediately', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const withSemaphore = createSemaphore({ atOnce: 1, waitingMax: 100, waitMaxMs: 100 })
  const ends: (() => void)[] = []
  const work = () => withSemaphore(() => new Promise<void>((end) => ends.push(end)))
  const first = work()
  now.mockReturnValue(40)
  ends.shift()?.()
  await first
  // 40 ms each: two can wait behind the running one, a third would be too late.
  const all = [work(), work(), work()]
  await expect(work()).rejects.toMatchObject({ code: 'unavailable' })
  while (ends.length) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  expect(await Promise.allSettled(all)).toMatchObject(all.map(() => ({ status: 'fulfilled' })))
  now.mockRestore()
})
