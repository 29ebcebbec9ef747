import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const limits = { atOnce: 2, waitingMax: 3, waitMs: 1000, crowdAfterMs: 500, crowdWaitMs: 50, workMs: 2000 }

function aDoor() {
  let time = 0
  const door = createConcurrencyLimit(limits, () => time)
  const told: string[] = []
  const guests = new Map<string, Parameters<typeof door.release>[0]>()
  return {
    told,
    pass: (ms: number) => {
      time += ms
      door.sweep()
    },
    asks: (name: string) =>
      door.acquire(
        (guest) => {
          guests.set(name, guest)
          told.push(`${name} in`)
        },
        () => told.push(`${name} away`),
      ),
    leaves: (name: string) => {
      const guest = guests.get(name)
      if (guest) door.release(guest)
    },
  }
}

test('two are let in, three wait for their turn, and the sixth is turned away at once', () => {
  const { told, asks, leaves } = aDoor()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) asks(name)
  expect(told).toEqual(['a in', 'b in', 'f away'])
  leaves('b')
  leaves('b')
  expect(told.slice(3)).toEqual(['c in'])
})

test('in a burst one may wait a second; in a queue that stands, a moment', () => {
  const { told, pass, asks, leaves } = aDoor()
  for (const name of ['a', 'b', 'c']) asks(name)
  pass(400)
  expect(told).toEqual(['a in', 'b in'])
  asks('d')
  pass(101)
  expect(told.slice(2)).toEqual(['c away', 'd away'])
  asks('e')
  leaves('a')
  expect(told.at(-1)).toBe('e in')
})

test('a queue that was empty in between is a new one', () => {
  const { told, pass, asks, leaves } = aDoor()
  for (const name of ['a', 'b', 'c']) asks(name)
  pass(400)
  leaves('a')
  asks('d')
  pass(400)
  expect(told).toEqual(['a in', 'b in', 'c in'])
})

test('whoever is inside for long waits for somebody else, and keeps nobody out', () => {
  const { told, pass, asks, leaves } = aDoor()
  asks('a')
  asks('b')
  pass(2000)
  asks('c')
  leaves('a')
  asks('d')
  asks('e')
  expect(told).toEqual(['a in', 'b in', 'c in', 'd in'])
})
