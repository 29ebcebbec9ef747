import type { Answer } from '#sandbox/kit/types.ts'
import type { Books, IdempotentCall } from './books.ts'
import { StripeError } from './errors.ts'

const TTL_MS = 24 * 60 * 60 * 1000
const KEY_LENGTH_MAX = 255

/**
 * What Stripe does with a repeated `Idempotency-Key` (docs.stripe.com/api/idempotent_requests): the first response again,
 * errors included, for 24 hours; an error for the same key with another request; 409 while the first is running.
 * @returns the response to repeat, or where to store the new one
 * @throws StripeError
 */
export function claimKey(
  books: Books,
  key: string,
  call: Omit<IdempotentCall, 'answer'>,
): { again: IdempotentCall & { answer: Answer } } | { first: IdempotentCall } {
  if (key.length > KEY_LENGTH_MAX) {
    throw new StripeError(
      400,
      { type: 'idempotency_error', message: `Idempotency keys can have up to ${KEY_LENGTH_MAX} characters.` },
      { isKept: false },
    )
  }
  const known = books.repeats.get(key)
  if (!known || call.at - known.at >= TTL_MS) {
    const first: IdempotentCall = { ...call }
    books.repeats.set(key, first)
    return { first }
  }
  if (known.path !== call.path || known.parameters !== call.parameters) {
    const what = known.path === call.path ? 'parameters' : 'endpoint'
    throw new StripeError(
      400,
      {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same ${what} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      },
      { isKept: false },
    )
  }
  if (!known.answer) {
    throw new StripeError(
      409,
      {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      },
      { isKept: false },
    )
  }
  return { again: { ...known, answer: known.answer } }
}
