import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const MINUTE_MS = 60_000

test('after three failed calls the provider is not called for a while; then one call tests it, and its success lets all others through', () => {
  let time = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
  const tryCall = (answered: boolean): boolean => {
    const may = circuit.mayCall()
    if (may) circuit.record(answered)
    return may
  }
  expect([tryCall(false), tryCall(false), tryCall(true), tryCall(false), tryCall(false), tryCall(false)]).toEqual(
    Array(6).fill(true),
  )
  expect([circuit.isDown(), tryCall(true)]).toEqual([true, false])
  time += 2 * MINUTE_MS
  expect([circuit.mayCall(), circuit.mayCall()]).toEqual([true, false])
  circuit.record(false)
  expect(tryCall(true)).toBe(false)
  time += 2 * MINUTE_MS
  expect([tryCall(true), tryCall(true), circuit.isDown()]).toEqual([true, true, false])
})

test('the first pause is five seconds, and pauses double during an outage', () => {
  let time = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
  for (let call = 0; call < 3; call += 1) circuit.record(false)
  const pauses = Array.from({ length: 7 }, () => {
    const startedAt = time
    while (!circuit.mayCall()) time += 1000
    circuit.record(false)
    return (time - startedAt) / 1000
  })
  expect(pauses).toEqual([5, 10, 20, 40, 80, 118, 118])
  time += 2 * MINUTE_MS
  expect(circuit.mayCall()).toBe(true)
  circuit.record(true)
  for (let call = 0; call < 3; call += 1) circuit.record(false)
  time += 5000
  expect(circuit.mayCall()).toBe(true)
})

test('a six-hour outage causes about 190 calls', () => {
  let time = 0
  let calls = 0
  const circuit = createCircuitBreaker({ now: () => new Date(time) })
  for (; time < 6 * 60 * MINUTE_MS; time += 1000)
    if (circuit.mayCall()) {
      calls += 1
      circuit.record(false)
    }
  expect(calls).toBeLessThanOrEqual(192)
})
