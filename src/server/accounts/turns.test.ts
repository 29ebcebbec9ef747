import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('two at a time, three wait, and the sixth is asked to come again', async () => {
  const inTurn = createTurns({ atOnce: 2, waitingMax: 3 })
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
  const inTurn = createTurns({ atOnce: 1, waitingMax: 1 })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await inTurn(() => Promise.resolve('and again'))).toBe('and again')
})
