import type { SessionId } from '#shared/ids.ts'
import { Refusal } from '#server/http/refusal.ts'
import { contentHash } from './frozen-checkout.ts'

const KEY_LENGTH_MAX = 255
/** Keys that are remembered; the oldest is forgotten first. */
const KEYS_MAX = 10_000

/**
 * What a client's `Idempotency-Key` adds to a payment start. An equal wish gets the same payment without one; a key says
 * besides that two requests are meant to be the same, so that a changed body is the client's mistake and is told.
 */
export function createIdempotencyKeyCheck() {
  const bodies = new Map<string, string>()

  return {
    /** @throws Refusal `invalid` when the session has used the key for something else */
    check(sessionId: SessionId, key: string | undefined, body: unknown): void {
      if (key === undefined) return
      if (key.length > KEY_LENGTH_MAX)
        throw new Refusal('invalid', {}, { 'Idempotency-Key': `Please use at most ${KEY_LENGTH_MAX} characters` })
      const name = `${sessionId} ${key}`
      const hash = contentHash(body)
      if ((bodies.get(name) ?? hash) !== hash)
        throw new Refusal('invalid', {}, { 'Idempotency-Key': 'This key was used for another request' })
      bodies.set(name, hash)
      const [oldest] = bodies.keys()
      if (bodies.size > KEYS_MAX && oldest !== undefined) bodies.delete(oldest)
    },
  }
}
