import { expect, test, vi } from 'vitest'
import { createProviderCache } from './provider-cache.ts'
import { ProviderRefusal, ProviderUnavailable } from './provider-errors.ts'

function aMemory() {
  let time = 0
  const remember = createProviderCache<number>({ keptMs: 1000, pauseMs: 100, entriesMax: 2, now: () => time })
  return { remember, pass: (ms: number) => (time += ms) }
}
const away = () => Promise.reject(new ProviderUnavailable('printful', new Error('away')))

test('the same question is asked once while its answer is good, also by two at a time', async () => {
  const { remember, pass } = aMemory()
  const ask = vi.fn(() => Promise.resolve(7))
  expect(await Promise.all([remember('a', ask), remember('a', ask)])).toEqual([7, 7])
  pass(999)
  await remember('a', ask)
  expect(ask).toHaveBeenCalledTimes(1)
  pass(1)
  await remember('a', ask)
  expect(ask).toHaveBeenCalledTimes(2)
})

test('a no is remembered like a yes', async () => {
  const { remember } = aMemory()
  const ask = vi.fn(() => Promise.reject(new ProviderRefusal('printful', 'no')))
  await expect(remember('a', ask)).rejects.toThrow('no')
  await expect(remember('a', ask)).rejects.toThrow('no')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('a provider that is away is left alone for a moment, whatever the question; what it said before still holds', async () => {
  const { remember, pass } = aMemory()
  const ask = vi.fn(() => Promise.resolve(7))
  await remember('a', ask)
  await expect(remember('b', away)).rejects.toThrow('unavailable')
  await expect(remember('c', ask)).rejects.toThrow('unavailable')
  expect(await remember('a', ask)).toBe(7)
  expect(ask).toHaveBeenCalledTimes(1)
  pass(100)
  expect(await remember('b', ask)).toBe(7)
})

test('only so many answers are kept; the oldest goes first', async () => {
  const { remember } = aMemory()
  const ask = vi.fn(() => Promise.resolve(7))
  for (const about of ['a', 'b', 'c', 'b', 'a']) await remember(about, ask)
  expect(ask.mock.calls).toHaveLength(4)
})
