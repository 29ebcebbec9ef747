import { expect, test } from 'vitest'
import { createCircuit } from './circuit.ts'

const MINUTE_MS = 60_000

test('after three calls without an answer nobody asks for a while, then one does, and an answer lets all follow', () => {
  let time = 0
  const circuit = createCircuit({ now: () => new Date(time) })
  const asks = (answered: boolean): boolean => {
    const may = circuit.mayCall()
    if (may) circuit.note(answered)
    return may
  }
  expect([asks(false), asks(false), asks(true), asks(false), asks(false), asks(false)]).toEqual(Array(6).fill(true))
  expect([circuit.isAway(), asks(true)]).toEqual([true, false])
  time += 2 * MINUTE_MS
  expect([circuit.mayCall(), circuit.mayCall()]).toEqual([true, false])
  circuit.note(false)
  expect(asks(true)).toBe(false)
  time += 2 * MINUTE_MS
  expect([asks(true), asks(true), circuit.isAway()]).toEqual([true, true, false])
})

test('an outage of six hours is met with some 190 calls', () => {
  let time = 0
  let calls = 0
  const circuit = createCircuit({ now: () => new Date(time) })
  for (; time < 6 * 60 * MINUTE_MS; time += 1000)
    if (circuit.mayCall()) {
      calls += 1
      circuit.note(false)
    }
  expect(calls).toBeLessThanOrEqual(192)
})
