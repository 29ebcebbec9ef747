import { paymentKey } from '#shared/ids.ts'
import type { App } from '#server/http/app.ts'
import { UntrustedEvent, receiveEvents } from '#server/http/events.ts'
import { Refusal } from '#server/http/refusal.ts'
import { countDeclinesOfIntent } from '#server/checkout/declines.ts'
import { autocommitWrite } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { meaningOf } from '#server/providers/event-types.ts'
import { insertEvent, insertEventToFollow, type StoredEvent } from '#server/providers/events.ts'
import type { StripeEvent } from '#server/providers/stripe/events.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Verdict } from '#server/providers/verdict.ts'
import { countDeclinesOfChange } from './change-payments.ts'
import { countDeclinesOfPurchase } from './gift-card-purchases.ts'
import { bookPayout } from './payouts.ts'
import { followReturns } from './returns.ts'
import { outcomeOf, settle } from './settlement.ts'
import { followWalletEvent } from './wallet.ts'

const NOTHING_TO_DO = 'nothing to do'

/** Other events are only stored. */
const isAboutMoney = (type: string): boolean => ['payment', 'return'].includes(meaningOf(type) ?? '')

/**
 * Receives Stripe's events. Each is verified over the raw body, stored, and only then answered with 200. A job does the work,
 * because Stripe does not wait and may send twice, late or out of order.
 */
export const stripeWebhook = (app: App, shop: Needs<'db' | 'jobs' | 'stripe' | 'clock'>): void =>
  receiveEvents(app, {
    provider: 'stripe',
    path: '/webhooks/stripe',
    glance: ({ headers }) => requireTrusted(shop.stripe.wrongInHeader(headers['stripe-signature'])),
    receive: async ({ request, body }) => {
      const event = verifiedEvent(shop.stripe.verifyEvent(body, String(request.headers['stripe-signature'])))
      const isWork =
        event.payout !== null || (event.paymentIntent !== null && (isAboutMoney(event.type) || event.declined !== null))
      await storeEvent(shop, toStoredEvent(event), isWork)
    },
  })

function requireTrusted(wrong: string | undefined): void {
  if (wrong) throw new UntrustedEvent(wrong)
}

function verifiedEvent<Event>(verdict: Verdict<Event>): Event {
  if ('event' in verdict) return verdict.event
  throw new UntrustedEvent(verdict.wrong, verdict.isGenuine ? 'malformed_request' : 'bad_signature')
}

const storeEvent = (
  shop: Needs<'db' | 'jobs' | 'clock'>,
  event: Parameters<typeof insertEventToFollow>[1],
  isWork: boolean,
): Promise<void> =>
  isWork
    ? insertEventToFollow(shop, event)
    : autocommitWrite(shop.db, (tx) => insertEvent(tx, event, shop.clock.now(), NOTHING_TO_DO))

export const toStoredEvent = ({ id, type, paymentIntent, payout, declined }: StripeEvent) => ({
  provider: 'stripe',
  eventId: id,
  type,
  payload: { paymentIntent, payout, ...(declined !== null && { declined }) },
})

/** Receives PayPal's events, verified with PayPal's certificate; otherwise as Stripe's. */
export const paypalWebhook = (app: App, shop: Needs<'db' | 'jobs' | 'paypal' | 'clock'>): void =>
  receiveEvents(app, {
    provider: 'paypal',
    path: '/webhooks/paypal',
    glance: ({ headers }) => requireTrusted(shop.paypal.wrongInHeaders(headers)),
    receive: async ({ request, body, mayAsk }) => {
      const verdict = await shop.paypal.verifyEvent(request.headers, body, mayAsk).catch((error: unknown) => {
        if (!(error instanceof ProviderUnavailable)) throw error
        throw new UntrustedEvent(`not verified yet: ${messageOf(error.cause)}`, 'provider_unavailable')
      })
      const { id: eventId, type, paymentId, captureId, certificate } = verifiedEvent(verdict)
      const isWork = isAboutMoney(type) && (paymentId ?? captureId) !== null
      const payload = { paymentId, captureId, certificate }
      await storeEvent(shop, { provider: 'paypal', eventId, type, payload }, isWork)
    },
  })

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).slice(0, 100)

/** Processes a PayPal event by reading its order again. @returns the outcome, for the event's record */
export async function followPaypalEvent(
  shop: Parameters<typeof followWalletEvent>[0],
  { type, payload }: StoredEvent,
): Promise<string> {
  const { paymentId, captureId } = payload as { paymentId: string | null; captureId: string | null }
  try {
    const id = paymentId ?? (captureId && (await shop.paypal.orderIdOfCapture(captureId)))
    if (!id) return NOTHING_TO_DO
    const outcome = await followWalletEvent(shop, id)
    return meaningOf(type) === 'return' ? await followReturns(shop, paymentKey('paypal', id)) : outcome
  } catch (error) {
    if (error instanceof Refusal || error instanceof ProviderRefusal) return error.code ?? error.name
    throw error
  }
}

/** Processes a Stripe event by reading its object again, since events can be out of date. @returns the outcome, for the event's record */
export async function followStripeEvent(
  shop: Parameters<typeof settle>[0] & Needs<'stripe'>,
  { type, payload }: Pick<StoredEvent, 'type' | 'payload'>,
): Promise<string> {
  const { paymentIntent, payout, declined } = payload as {
    paymentIntent: string | null
    payout?: string | null
    declined?: string
  }
  if (payout) return `payout ${await bookPayout(shop, await shop.stripe.readPayout(payout))}`
  if (!paymentIntent) return NOTHING_TO_DO
  if (declined) {
    await countDeclinesOfIntent(shop, paymentIntent, [declined])
    await countDeclinesOfChange(shop, paymentIntent, [declined])
    await countDeclinesOfPurchase(shop, paymentIntent)
    return 'declined'
  }
  try {
    const key = paymentKey('stripe', paymentIntent)
    const settled = await settle(shop, key)
    if (meaningOf(type) === 'return') return await followReturns(shop, key)
    return outcomeOf(settled)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
