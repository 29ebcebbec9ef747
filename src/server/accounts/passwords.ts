import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { SECOND_MS } from '#shared/time.ts'
import { createSemaphore } from './semaphore.ts'

const derive = promisify(argon2)

/** OWASP's password storage cheat sheet, argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** A core is left for the shop, also where there are but two; and each takes 19 MiB. */
const HASHES_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Who stands behind this many others would wait longer than a browser does. */
const WAITING_MAX = 100

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

const COST: Cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }

/** Well before a connection is given up. */
const WAIT_MAX_MS = 10 * SECOND_MS

const hashSemaphore = createSemaphore({ atOnce: HASHES_AT_ONCE, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS })

/** One password, however a keyboard composes its letters. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'), 'utf8')

const hashWith = (password: string, nonce: Buffer, cost: Cost, tagLength: number) =>
  hashSemaphore(() => derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...cost }))

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/**
 * @returns the hash in PHC text, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, which names its own cost
 * @throws Refusal `unavailable` when too many wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashWith(password, salt, COST, HASH_BYTES)
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(hash)}`
}

/** The hash of nothing that anybody can type: for names that nobody has, so that they take as long as names that somebody has. */
const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(HASH_BYTES))}`

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * @param hash undefined when there is no such user, empty when they were erased: the work is done all the same
 * @throws Refusal `unavailable` when too many wait already
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(hash || NOBODY) ?? []
  if (!expected) return false
  const wanted = Buffer.from(expected, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const made = await hashWith(password, Buffer.from(salt, 'base64'), cost, wanted.length)
  return timingSafeEqual(made, wanted)
}
