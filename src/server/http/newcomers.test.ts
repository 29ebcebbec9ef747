import { expect, test } from 'vitest'
import { addressOf } from './address.ts'
import { createNewcomers } from './newcomers.ts'

const HERE = '192.0.2.1'

function aDoor() {
  let time = 1_000_000
  const door = createNewcomers({ max: 3, windowMs: 60_000, trustMs: 600_000 }, () => time)
  return {
    begins: (session: string, address = HERE) => door.waitFor(address, session),
    pays: (session: string, address = HERE) => door.hasPaid(address, session),
    passes: (ms: number) => {
      time += ms
    },
  }
}

test('a few sessions of an address may begin, the next one waits until the first is a minute old', () => {
  const { begins, passes } = aDoor()
  expect([begins('a'), begins('b'), begins('c')]).toEqual([0, 0, 0])
  passes(20_000)
  expect(begins('d')).toBe(40)
  passes(40_000)
  expect(begins('d')).toBe(0)
})

test('a session that has begun may press as often as it likes', () => {
  const { begins } = aDoor()
  for (const session of ['a', 'b', 'c', 'a', 'b', 'c']) expect(begins(session)).toBe(0)
  expect(begins('d')).toBeGreaterThan(0)
})

test('whoever pays frees the place and makes room for one more, for ten minutes', () => {
  const { begins, pays, passes } = aDoor()
  begins('a')
  pays('a')
  pays('a')
  expect(['b', 'c', 'd', 'e'].map((session) => begins(session))).toEqual([0, 0, 0, 0])
  expect(begins('f')).toBeGreaterThan(0)
  passes(600_000)
  expect(['f', 'g', 'h'].map((session) => begins(session))).toEqual([0, 0, 0])
  expect(begins('i')).toBeGreaterThan(0)
})

test('addresses do not count for each other, and no more than five thousand are remembered', () => {
  const { begins } = aDoor()
  for (const session of ['a', 'b', 'c']) begins(session)
  expect(begins('d')).toBeGreaterThan(0)
  expect(begins('d', '192.0.2.2')).toBe(0)
  for (let n = 0; n < 5000; n += 1) begins('x', `address ${n}`)
  expect(begins('d')).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::'],
  ['2001:DB8:0:1::9', '2001:db8:0:1::'],
  ['2001:db8:0:2::9', '2001:db8:0:2::'],
])('%s counts as %s', (ip, address) => {
  expect(addressOf(ip)).toBe(address)
})
