import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { SECOND_MS } from '#shared/time.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'

const derive = promisify(argon2)

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Leaves one core to the shop, even on two; each hash takes 19 MiB. */
const HASHES_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Behind a longer queue a request would wait longer than a browser does. */
const WAITING_MAX = 100

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

const COST: Cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }

/** Well below the usual connection timeouts. */
const WAIT_MAX_MS = 10 * SECOND_MS

const hashSemaphore = createSemaphore({ atOnce: HASHES_AT_ONCE, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS })

/** Keyboards compose accented letters differently; normalized, they are the same password. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8')

const hashWith = (password: string, nonce: Buffer, cost: Cost, tagLength: number) =>
  hashSemaphore(() => derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...cost }))

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/**
 * @returns the hash as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, which includes its own cost
 * @throws Refusal `unavailable` when the queue is full
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashWith(password, salt, COST, HASH_BYTES)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`
}

/** A hash that no password matches: an unknown username takes as long as a known one. */
const UNMATCHABLE_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * @param hash undefined for an unknown user, empty for an erased one; the work is done all the same
 * @throws Refusal `unavailable` when the queue is full
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(hash || UNMATCHABLE_HASH) ?? []
  if (!expected) return false
  const wanted = Buffer.from(expected, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const made = await hashWith(password, Buffer.from(salt, 'base64'), cost, wanted.length)
  return timingSafeEqual(made, wanted)
}
