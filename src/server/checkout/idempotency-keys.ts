import type { SessionId } from '#shared/ids.ts'
import { Refusal } from '#server/http/refusal.ts'
import { contentHash } from './frozen-checkout.ts'

const KEY_LENGTH_MAX = 255
/** Keys held in memory; the oldest is dropped first. */
const KEYS_MAX = 10_000

/**
 * Checks a client's `Idempotency-Key` of payment starts. Equal requests get the same payment even without a key; with one, a changed
 * body is refused as the client's mistake.
 */
export function createIdempotencyKeyCheck() {
  const bodies = new Map<string, string>()

  return {
    /** @throws Refusal `invalid` when the session has used the key with another body */
    check(sessionId: SessionId, key: string | undefined, body: unknown): void {
      if (key === undefined) return
      if (key.length > KEY_LENGTH_MAX)
        throw new Refusal('invalid', {}, { 'Idempotency-Key': `Please use at most ${KEY_LENGTH_MAX} characters` })
      const name = `${sessionId} ${key}`
      const hash = contentHash(body)
      if ((bodies.get(name) ?? hash) !== hash)
        throw new Refusal('invalid', {}, { 'Idempotency-Key': 'This key was already used for a different request' })
      bodies.set(name, hash)
      const [oldest] = bodies.keys()
      if (bodies.size > KEYS_MAX && oldest !== undefined) bodies.delete(oldest)
    },
  }
}
