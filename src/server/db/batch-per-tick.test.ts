import { expect, test } from 'vitest'
import { batchPerTick } from './batch-per-tick.ts'

/** What was done together, each time, and a double of what was asked. */
function doubling() {
  const times: (readonly number[])[] = []
  const double = batchPerTick(async (all: readonly number[]) => {
    times.push(all)
    return all.map((one) => one * 2)
  })
  return { times, double }
}

test('what is asked for in one turn is done at once, and each is given its own answer', async () => {
  const { times, double } = doubling()
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
  expect(times).toEqual([[1, 2, 3]])
})

test('what comes while others are done is done for itself', async () => {
  const { times, double } = doubling()
  const first = double(1)
  await new Promise((turn) => void setImmediate(turn))
  expect(await Promise.all([first, double(2)])).toEqual([2, 4])
  expect(times).toEqual([[1], [2]])
})

test('what fails, fails for all who asked together, and for nobody after them', async () => {
  let isAway = true
  const double = batchPerTick(async (all: readonly number[]) => {
    if (isAway) throw new Error('away')
    return all.map((one) => one * 2)
  })
  expect(await Promise.allSettled([double(1), double(2)])).toMatchObject([
    { reason: new Error('away') },
    { reason: new Error('away') },
  ])
  isAway = false
  expect(await double(3)).toBe(6)
})
