import type * as crypto from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const argon2 = vi.fn<typeof crypto.argon2>()

beforeEach(() => {
  vi.doMock('node:crypto', async (load) => {
    const real = await load<typeof crypto>()
    argon2.mockImplementation(real.argon2)
    return { ...real, argon2 }
  })
  // Another test in this process may have loaded the real module.
  vi.resetModules()
})

afterEach(() => {
  vi.doUnmock('node:crypto')
  vi.resetModules()
})

test('signing in with an unknown username takes the same hashing work as with a known one (S40)', async () => {
  const { hashPassword, verifyPassword } = await import('./passwords.ts')
  const hash = await hashPassword('sleeps on ingots')
  const workOf = async (known: string | undefined) => {
    argon2.mockClear()
    expect(await verifyPassword('a guess', known)).toBe(false)
    return argon2.mock.calls.map(([kind, { memory, passes, parallelism, tagLength, nonce }]) => ({
      ...{ kind, memory, passes, parallelism, tagLength },
      salt: (nonce as Buffer).byteLength,
    }))
  }
  const work = await workOf(hash)
  expect(work).toEqual([{ kind: 'argon2id', memory: 19_456, passes: 2, parallelism: 1, tagLength: 32, salt: 16 }])
  expect(await workOf(undefined)).toEqual(work)
  // Somebody who was erased.
  expect(await workOf('')).toEqual(work)
})
