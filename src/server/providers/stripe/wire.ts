import { Stripe } from 'stripe'
import * as z from 'zod/mini'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  RateLimited,
  UnusableResponse,
} from '#server/providers/provider-errors.ts'
import { Bug } from '#shared/assert.ts'
import { listShape, shapes } from './shapes.ts'

/** Walks a list to its end, page by page. */
export async function* pages<T extends { id: string }>(
  list: (after: { starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  for (let after: { starting_after?: string } = {}; ;) {
    const page = await checkedCall('list', () => list(after))
    yield* page.data
    const last = page.data.at(-1)
    if (!page.has_more || !last) return
    after = { starting_after: last.id }
  }
}

/** Whether Stripe is down, rather than rejecting us for a wrong key or a rate limit. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined || error.statusCode >= 500

/** @param kind the expected `object`: the SDK passes on any JSON it gets, even a proxy's */
export async function checkedCall<T extends { object: string }>(kind: T['object'], ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    if (answer.object !== kind) throw new Error(`not a ${kind}`)
    requireValidAnswer(answer)
    return answer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new ProviderRefusal('stripe', error.message, error.code)
    if (error instanceof Stripe.errors.StripePermissionError) throw new NotPermitted('stripe', error)
    if (error instanceof Stripe.errors.StripeRateLimitError) throw new RateLimited('stripe', error, false)
    // A response that the SDK cannot handle is unusable too.
    throw error instanceof Bug || error instanceof UnusableResponse
      ? error
      : new ProviderUnavailable('stripe', error, isOutage(error))
  }
}

/** @throws UnusableResponse when an object, or one in a list, does not match its shape */
function requireValidAnswer(answer: { object: string }): void {
  if (answer.object === 'list') for (const element of readAs(listShape, answer).data) requireValidAnswer(element)
  else if (hasShape(answer.object)) readAs(shapes[answer.object], answer)
}

const hasShape = (kind: string): kind is keyof typeof shapes => Object.hasOwn(shapes, kind)

export function readAs<Shape extends z.ZodMiniType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = shape.safeParse(answer)
  if (!parsed.success) throw new UnusableResponse('stripe', z.prettifyError(parsed.error))
  return parsed.data
}
