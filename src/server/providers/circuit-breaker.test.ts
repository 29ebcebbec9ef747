import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const MINUTE_MS = 60_000

test('after three calls without an answer nobody asks for a while, then one does, and an answer lets all follow', () => {
  let time = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
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

test('a few unlucky calls are forgiven within seconds; the pause grows while nothing is answered', () => {
  let time = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
  for (let call = 0; call < 3; call += 1) circuit.note(false)
  const pauses = Array.from({ length: 7 }, () => {
    const begun = time
    while (!circuit.mayCall()) time += 1000
    circuit.note(false)
    return (time - begun) / 1000
  })
  expect(pauses).toEqual([5, 10, 20, 40, 80, 118, 118])
  time += 2 * MINUTE_MS
  expect(circuit.mayCall()).toBe(true)
  circuit.note(true)
  for (let call = 0; call < 3; call += 1) circuit.note(false)
  time += 5000
  expect(circuit.mayCall()).toBe(true)
})

test('an outage of six hours is met with some 190 calls', () => {
  let time = 0
  let calls = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
  for (; time < 6 * 60 * MINUTE_MS; time += 1000)
    if (circuit.mayCall()) {
      calls += 1
      circuit.note(false)
    }
  expect(calls).toBeLessThanOrEqual(192)
})
