import { expect, test, vi } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('two at a time, three wait, and the sixth is asked to come again', async () => {
  const inTurn = createSemaphore({ atOnce: 2, waitingMax: 3, waitMaxMs: 10_000 })
  let atWork = 0
  let most = 0
  const ends: (() => void)[] = []
  const work = () =>
    inTurn(async () => {
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

test('work that fails gives its place to the next', async () => {
  const inTurn = createSemaphore({ atOnce: 1, waitingMax: 1, waitMaxMs: 10_000 })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await inTurn(() => Promise.resolve('and again'))).toBe('and again')
})

test('whoever has waited too long is asked to come again, and the next one goes on', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const inTurn = createSemaphore({ atOnce: 1, waitingMax: 5, waitMaxMs: 100 })
  let end = () => {}
  const first = inTurn(() => new Promise<void>((tell) => (end = tell)))
  const early = inTurn(() => Promise.resolve('early'))
  now.mockReturnValue(50)
  const late = inTurn(() => Promise.resolve('late'))
  now.mockReturnValue(120)
  end()
  await first
  await expect(early).rejects.toMatchObject({ code: 'unavailable' })
  expect(await late).toBe('late')
  now.mockRestore()
})

test('whoever would wait in vain is told so at once, by how long the others took', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const inTurn = createSemaphore({ atOnce: 1, waitingMax: 100, waitMaxMs: 100 })
  const ends: (() => void)[] = []
  const work = () => inTurn(() => new Promise<void>((end) => ends.push(end)))
  const first = work()
  now.mockReturnValue(40)
  ends.shift()?.()
  await first
  // Forty each: two can wait for the one at work, the third would be too late.
  const all = [work(), work(), work()]
  await expect(work()).rejects.toMatchObject({ code: 'unavailable' })
  while (ends.length) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  expect(await Promise.allSettled(all)).toMatchObject(all.map(() => ({ status: 'fulfilled' })))
  now.mockRestore()
})
