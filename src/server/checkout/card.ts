import type { PaymentStart, StartPayment } from '#contract/checkout.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { paymentKey, type Payer, type PaymentKey, type SessionId } from '#shared/ids.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { reservedUntil } from '#server/drops/drops.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Visitor } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { withTimeout } from '#server/limits/timeout.ts'
import { cardClosed, cardClosure, countPaymentStart, recordDecline } from './declines.ts'
import {
  freezeCheckout,
  saveFrozenCheckout,
  withSessionLock,
  type OfferedCheckout,
  timeoutError,
} from './frozen-checkout.ts'
import { refusalIfPaid } from './already-paid.ts'
import type { PricingNeeds } from './pricing.ts'
import {
  countAttempt,
  findOpenCheckout,
  clearIntent,
  listAbandoned,
  markUpdated,
  releaseCheckout,
  savePayment,
  moveToEndOfQueue,
  type StoredCheckout,
} from './checkout.ts'
import { wireQuoteOf } from './wire-quote.ts'
import { claimedItemsFrom, customerFrom, paymentStartOf, summaryOf } from './wire.ts'

type CardCheckoutNeeds = PricingNeeds & Needs<'jobs'>

/**
 * Freezes the session's checkout and creates or updates its one payment intent; an equal request gets the same intent.
 * @throws Refusal `summary_changed` with the fresh summary when the browser saw other amounts; nothing was started
 * @throws Refusal `already_paid` or `payment_held` when the checkout's payment came in the meantime
 * @throws Refusal `card_unavailable` with the frozen summary when the card provider does not answer; the wallet still works
 * @throws Refusal `card_closed` or `card_paused` with the frozen summary after too many declined cards or unpaid starts; the wallet still works
 */
export function startCardPayment(
  shop: CardCheckoutNeeds,
  sessionId: SessionId,
  wanted: StartPayment,
  visitor: Visitor,
  payer: Payer,
): Promise<PaymentStart> {
  let frozen: FrozenCheckout | undefined
  /** Once frozen, the summary can still be paid by wallet. */
  const unavailable = (error: ProviderUnavailable): Error => {
    if (!frozen) return error
    shop.log.warn({ err: error }, 'could not start a card payment')
    return new Refusal('card_unavailable', { summary: summaryOf(frozen.quote) })
  }
  const starting = withSessionLock(sessionId, async () => {
    const offered = await freezeCheckout(shop, sessionId, {
      ...wanted,
      cartItems: claimedItemsFrom(wanted.cartItems),
      ...customerFrom(wanted.customerInfo),
      visitor,
    })
    frozen = offered.frozen
    const { isCardOpen } = await countPaymentStart(shop, offered.checkout, payer)
    const closure = (await cardClosure(shop, offered.checkout, payer)) ?? (isCardOpen ? undefined : 'address')
    if (closure) throw cardClosed(closure, summaryOf(frozen.quote))
    try {
      return await startOf(shop, await withIntent(shop, offered), frozen)
    } catch (error) {
      throw error instanceof ProviderUnavailable ? unavailable(error) : error
    }
  })
  return withTimeout(starting, () => {
    throw unavailable(timeoutError('stripe'))
  })
}

/**
 * The browser reports that the bank declined a card.
 * @throws Refusal `unknown_payment` when the session has no such payment
 * @throws Refusal `card_closed` or `card_paused` with the frozen summary after too many declines
 */
export async function reportCardDecline(
  shop: CardCheckoutNeeds & Parameters<typeof recordDecline>[0],
  sessionId: SessionId,
  intentId: string,
  payer: Payer,
): Promise<void> {
  const { checkout, closure } = await recordDecline(shop, sessionId, intentId, payer)
  const open = closure && (await findOpenCheckout(shop.db, sessionId))
  if (closure && open?.checkout.id === checkout.id) throw cardClosed(closure, summaryOf(open.version.frozen.quote))
}

/** @returns the checkout with an intent for its newest version */
async function withIntent(shop: CardCheckoutNeeds, offered: OfferedCheckout): Promise<StoredCheckout> {
  const { checkout } = offered
  // After an update that failed halfway, the page could show one total and the intent charge another.
  if (checkout.providerPaymentId && checkout.intentQuoteHash === checkout.quoteHash) return checkout
  try {
    return await (checkout.providerPaymentId
      ? updateIntent(shop, offered, checkout.providerPaymentId)
      : createIntent(shop, offered))
  } catch (error) {
    // The provider replays its answer to an idempotency key, even a failure: the next try needs a new key.
    await autocommitWrite(shop.db, (tx) => countAttempt(tx, checkout.id))
    throw error
  }
}

async function updateIntent(
  shop: CardCheckoutNeeds,
  offered: OfferedCheckout,
  intentId: string,
): Promise<StoredCheckout> {
  const { checkout } = offered
  const { id, quoteHash, attempt, sessionId } = checkout
  try {
    await shop.stripe.updateIntent(intentId, await intentOf(shop, offered, `pi-update:${id}:${quoteHash}:${attempt}`))
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || !isNoMoreOffered(error)) throw error
    const status = await statusAfter(shop, intentId, error)
    if (status !== 'cancelled') throw new Refusal('already_paid', { payment: paymentKey('stripe', intentId) })
    await autocommitWrite(shop.db, (tx) => releaseCheckout(tx, id, shop.clock.now()))
    // A wallet payment closes the checkout first, then its intent.
    const refusal = await refusalIfPaid(shop, id)
    if (refusal) throw refusal
    const refrozen = await saveFrozenCheckout(shop, sessionId, offered, checkout.termsVersion)
    if (!refrozen) throw await summaryChanged(shop, offered)
    return withIntent(shop, refrozen)
  }
  // If another instance froze a newer version in the meantime, it is unknown which update reached the provider last.
  if (!(await autocommitWrite(shop.db, (tx) => markUpdated(tx, id, quoteHash))))
    throw await summaryChanged(shop, offered)
  return checkout
}

async function createIntent(shop: CardCheckoutNeeds, offered: OfferedCheckout): Promise<StoredCheckout> {
  const { checkout } = offered
  const { id, quoteHash, attempt, sessionId } = checkout
  const intent = await shop.stripe.createIntent(
    await intentOf(shop, offered, `pi-create:${id}:${quoteHash}:${attempt}`),
  )
  const isSaved = await autocommitWrite(shop.db, (tx) =>
    savePayment(tx, id, { provider: 'stripe', paymentId: intent.id, clientSecret: intent.clientSecret, quoteHash }),
  )
  const open = isSaved ? undefined : await findOpenCheckout(shop.db, sessionId)
  // The same request on two instances gets the same intent from Stripe, by its idempotency key.
  if (isSaved || open?.checkout.providerPaymentId === intent.id)
    return { ...checkout, provider: 'stripe', providerPaymentId: intent.id, clientSecret: intent.clientSecret }
  // Another instance was first with a different request, or the wallet has paid: this intent must not be paid.
  await shop.stripe.cancelIntent(intent.id)
  throw await summaryChanged(shop, offered)
}

/** The refusal when the requested version is no longer the current one. */
async function summaryChanged({ db }: Needs<'db'>, { checkout, frozen }: OfferedCheckout): Promise<Refusal> {
  const open = await findOpenCheckout(db, checkout.sessionId)
  const offered = open?.checkout.id === checkout.id ? open.version.frozen : frozen
  return (
    (await refusalIfPaid({ db }, checkout.id)) ?? new Refusal('summary_changed', { summary: summaryOf(offered.quote) })
  )
}

/**
 * Cancels old unpaid intents, so a forgotten tab cannot pay them.
 * @returns payments that were captured in the meantime and must be settled
 */
export async function releaseAbandoned(
  { db, stripe, clock }: Needs<'db' | 'stripe' | 'clock'>,
  before: Date,
): Promise<PaymentKey[]> {
  const paid: PaymentKey[] = []
  for (const { id, providerPaymentId } of await listAbandoned(db, before, RELEASE_BATCH)) {
    const status = providerPaymentId ? await cancelIntent({ stripe }, providerPaymentId) : 'cancelled'
    if (status === 'captured' && providerPaymentId) paid.push(paymentKey('stripe', providerPaymentId))
    await db.transaction(async (tx) => {
      if (status !== 'cancelled') await moveToEndOfQueue(tx, id, clock.now())
      // A shopper who came back or paid by wallet in the meantime keeps the checkout and gets a new intent.
      else if (!(await releaseCheckout(tx, id, clock.now(), before))) await clearIntent(tx, id)
    })
  }
  return paid
}

/** Closes a session's open checkout with its payment. @returns false when that was captured, or its outcome is open: it can still become an order */
export async function releaseOpenCheckout(
  { db, stripe, clock }: Needs<'db' | 'stripe' | 'clock'>,
  sessionId: SessionId,
): Promise<boolean> {
  const open = await findOpenCheckout(db, sessionId)
  if (!open) return true
  const { id, providerPaymentId } = open.checkout
  if (providerPaymentId && (await cancelIntent({ stripe }, providerPaymentId)) !== 'cancelled') return false
  await autocommitWrite(db, (tx) => releaseCheckout(tx, id, clock.now()))
  return true
}

/** @returns the intent's status afterwards */
export async function cancelIntent({ stripe }: Needs<'stripe'>, intentId: string): Promise<ProviderPayment['status']> {
  try {
    await stripe.cancelIntent(intentId)
    return 'cancelled'
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    return statusAfter({ stripe }, intentId, error)
  }
}

/** Stripe's code for an intent of a different account, whose key the shop used before. */
const UNKNOWN = 'resource_missing'

const isNoMoreOffered = ({ code }: ProviderRefusal): boolean =>
  code === 'payment_intent_unexpected_state' || code === UNKNOWN

/** The status of an intent that the provider refused to change. */
const statusAfter = async (
  { stripe }: Needs<'stripe'>,
  intentId: string,
  { code }: ProviderRefusal,
): Promise<ProviderPayment['status']> => (code === UNKNOWN ? 'cancelled' : (await stripe.readIntent(intentId)).status)

const RELEASE_BATCH = 100

const intentOf = async ({ db }: Needs<'db'>, { checkout, frozen }: OfferedCheckout, idempotencyKey: string) => ({
  shopName: (await readSiteSettingsCached(db)).name,
  checkoutId: checkout.id,
  quoteHash: checkout.quoteHash,
  order: { orderNumber: checkout.orderNumber, ...frozen.customer, address: frozen.shippingAddress },
  amount: toPayOf(frozen.quote),
  idempotencyKey,
})

async function startOf(
  shop: Needs<'db' | 'clock'>,
  { id, clientSecret, providerPaymentId }: StoredCheckout,
  { quote, shippingAddress }: FrozenCheckout,
): Promise<PaymentStart> {
  if (!clientSecret || !providerPaymentId) throw new Error('a checkout without its intent')
  const wireQuote = await wireQuoteOf(shop, quote, shippingAddress.country)
  const start = paymentStartOf(quote, wireQuote, clientSecret, providerPaymentId)
  const until = await reservedUntil(shop.db, id)
  if (!until) return start
  const reserved = `Your limited pieces are reserved for you until ${formatClockTime(until)}.`
  return { ...start, summary: { ...start.summary, notices: [reserved, ...start.summary.notices] } }
}
