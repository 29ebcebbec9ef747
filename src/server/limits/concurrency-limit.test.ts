import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const limits = { atOnce: 2, waitingMax: 3, waitMs: 1000, crowdAfterMs: 500, crowdWaitMs: 50, workMs: 2000 }

function createLimit() {
  let time = 0
  const limit = createConcurrencyLimit(limits, () => time)
  const log: string[] = []
  const guests = new Map<string, Parameters<typeof limit.release>[0]>()
  return {
    log,
    pass: (ms: number) => {
      time += ms
      limit.sweep()
    },
    asks: (name: string) =>
      limit.acquire(
        (guest) => {
          guests.set(name, guest)
          log.push(`${name} in`)
        },
        () => log.push(`${name} away`),
      ),
    leaves: (name: string) => {
      const guest = guests.get(name)
      if (guest) limit.release(guest)
    },
  }
}

test('two requests run, three wait, and the sixth is rejected immediately', () => {
  const { log, asks, leaves } = createLimit()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) asks(name)
  expect(log).toEqual(['a in', 'b in', 'f away'])
  leaves('b')
  leaves('b')
  expect(log.slice(3)).toEqual(['c in'])
})

test('in a burst a request may wait a second; under lasting overload only a moment', () => {
  const { log, pass, asks, leaves } = createLimit()
  for (const name of ['a', 'b', 'c']) asks(name)
  pass(400)
  expect(log).toEqual(['a in', 'b in'])
  asks('d')
  pass(101)
  expect(log.slice(2)).toEqual(['c away', 'd away'])
  asks('e')
  leaves('a')
  expect(log.at(-1)).toBe('e in')
})

test('once the queue was empty, waiting requests get the full time again', () => {
  const { log, pass, asks, leaves } = createLimit()
  for (const name of ['a', 'b', 'c']) asks(name)
  pass(400)
  leaves('a')
  asks('d')
  pass(400)
  expect(log).toEqual(['a in', 'b in', 'c in'])
})

test('a long-running request stops counting and keeps nobody out', () => {
  const { log, pass, asks, leaves } = createLimit()
  asks('a')
  asks('b')
  pass(2000)
  asks('c')
  leaves('a')
  asks('d')
  asks('e')
  expect(log).toEqual(['a in', 'b in', 'c in', 'd in'])
})
