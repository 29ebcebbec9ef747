import * as z from 'zod/mini'
import { meaningOf } from '#server/providers/event-types.ts'
import { AHEAD_MAX_MS, isEventName } from '#server/providers/verdict.ts'
import { SECOND_MS } from '#shared/time.ts'

/** A verified event. Handlers read the object again instead of trusting the payload, because events can arrive out of order. */
export type StripeEvent = {
  id: string
  type: string
  paymentIntent: string | null
  /** The payout's id, for payout events. */
  payout: string | null
  /** The charge that the bank or Stripe declined. */
  declined: string | null
}

export const SIGNED_MAX_S = 300

/** The SDK rejects old signatures, but accepts any date in the future. */
export function wrongInHeader(signature: unknown, now: Date): string | undefined {
  const isShaped = typeof signature === 'string' && /^t=\d{1,11},(?:v\d=[\da-f]{64},?){1,16}$/.test(signature)
  if (!isShaped) return 'missing or malformed header'
  const age = now.getTime() - Number(/^t=(\d+)/.exec(signature)?.[1]) * SECOND_MS
  return age < -AHEAD_MAX_MS || age > (SIGNED_MAX_S + 1) * SECOND_MS ? 'implausible date' : undefined
}

/** The parts of an event that we read. */
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({
    object: z.object({
      object: z.nullish(z.string()),
      id: z.nullish(z.string()),
      payment_intent: z.nullish(z.unknown()),
      latest_charge: z.nullish(z.unknown()),
    }),
  }),
})

/** @returns undefined for an unreadable event, or ids that cannot be stored */
export function asEvent(json: unknown): StripeEvent | undefined {
  const parsed = eventShape.safeParse(json)
  if (!parsed.success) return undefined
  const { id, type, data } = parsed.data
  const { object: kind, id: about = null, payment_intent: named, latest_charge: latest } = data.object
  const intent = typeof named === 'string' ? named : null
  const event = {
    id,
    type,
    // The object is the intent, or refers to it.
    paymentIntent: kind === 'payment_intent' ? about : intent,
    payout: kind === 'payout' ? about : null,
    declined:
      meaningOf(type) !== 'decline' ? null : kind === 'charge' ? about : typeof latest === 'string' ? latest : null,
  }
  return [id, type, event.paymentIntent ?? '-', event.payout ?? '-', event.declined ?? '-'].every(isEventName)
    ? event
    : undefined
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
