import * as crypto from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

vi.mock('node:crypto', async (load) => {
  const real = await load<typeof crypto>()
  return { ...real, argon2: vi.fn(real.argon2) }
})

test('a name that nobody has costs the same hashing work as one that somebody has (S40)', async () => {
  const hash = await hashPassword('sleeps on ingots')
  const argon2 = vi.mocked(crypto.argon2)
  const workOf = async (known: string | undefined) => {
    argon2.mockClear()
    expect(await isPassword('a guess', known)).toBe(false)
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
