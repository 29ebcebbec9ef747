import { createHash } from 'node:crypto'
import type { PaymentStart, StartPayment } from '#contract/checkout.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { differsFrom } from '#domain/checkout/compare.ts'
import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { paymentKey, type PaymentKey, type SessionId } from '#kernel/ids.ts'
import { wishesOf } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalogue/catalogue.ts'
import { Refused } from '#server/http/refused.ts'
import { ProviderRefused } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import { quote, type Pricing } from './pricing.ts'
import {
  findOpen,
  listAbandoned,
  markUpdated,
  putVersion,
  rememberPayment,
  setState,
  touch,
  type StoredCheckout,
} from './store.ts'
import { customerFrom, paymentStartOf, summaryOf } from './wire.ts'

export { amountsOf, findByPayment, findVersion, lockCheckout, setState } from './store.ts'

type Starting = Pricing & Needs<'clock'>

/**
 * Freezes the session's checkout and makes or updates its one payment intent. An equal wish within the quote's life
 * gets the same version and the same intent, whatever the catalogue did meanwhile.
 * @throws Refused `summary_changed` with the fresh summary when the browser saw other amounts; nothing was started
 * @throws Refused `already_paid` when the checkout's payment came in the meantime
 */
export function startCardPayment(shop: Starting, sessionId: SessionId, wanted: StartPayment): Promise<PaymentStart> {
  return oneAtATime(sessionId, async () => {
    if (wanted.currency !== undefined && wanted.currency !== 'usd' && wanted.currency !== 'USD')
      throw new Refused('wrong_currency')
    const { addressField, ...who } = customerFrom(wanted.customerInfo)
    const wish = { ...who, lines: await wishesOf(shop.db, sessionId) }
    if (!wish.lines.length) throw new Refused('cart_empty')

    const wishHash = hashOf(wish)
    const open = await findOpen(shop.db, sessionId)
    const oldest = shop.clock.now().getTime() - shop.config.quoteTtlMs
    // The same version again, but only when the provider's payment is known to be for it: an update that failed halfway
    // would show one total and charge another.
    if (
      open?.checkout.intentQuoteHash === open?.version.quoteHash &&
      open?.version.wishHash === wishHash &&
      open.version.frozenAt.getTime() > oldest
    ) {
      refuseDifference(wanted, open.version.frozen)
      return startOf(open.checkout, open.version.frozen)
    }

    const lines = await linesAtTodaysPrices(shop.db, wish.lines)
    const frozen: FrozenCheckout = { ...wish, lines, ...(await quote(shop, lines, wish.shippingAddress, addressField)) }
    refuseDifference(wanted, frozen)
    return offer(shop, sessionId, frozen, wishHash)
  })
}

async function offer(
  shop: Starting,
  sessionId: SessionId,
  frozen: FrozenCheckout,
  wishHash: string,
): Promise<PaymentStart> {
  const quoteHash = hashOf(frozen)
  const checkout = await shop.db.transaction((tx) =>
    putVersion(tx, sessionId, { frozen, quoteHash, wishHash }, shop.clock.now()),
  )
  if (!checkout.providerPaymentId) return startOf(await createIntent(shop, checkout, frozen), frozen)
  try {
    await shop.stripe.updateIntent(
      checkout.providerPaymentId,
      intentOf(checkout, frozen, `pi-update:${checkout.id}:${checkout.attempt}`),
    )
    // Another instance may have frozen a newer version meanwhile; which of the two updates came last is unknown then.
    if (!(await shop.db.transaction((tx) => markUpdated(tx, checkout.id, quoteHash))))
      throw await changed(shop, sessionId, frozen)
    return startOf(checkout, frozen)
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.code !== 'payment_intent_unexpected_state') throw error
    const payment = await shop.stripe.readIntent(checkout.providerPaymentId)
    if (payment.status !== 'cancelled') throw new Refused('already_paid')
    await shop.db.transaction((tx) => setState(tx, checkout.id, 'released', shop.clock.now()))
    return offer(shop, sessionId, frozen, wishHash)
  }
}

async function createIntent(shop: Starting, checkout: StoredCheckout, frozen: FrozenCheckout): Promise<StoredCheckout> {
  const key = `pi-create:${checkout.id}:${checkout.quoteHash}`
  const intent = await shop.stripe.createIntent(intentOf(checkout, frozen, key))
  const remembered = await shop.db.transaction((tx) =>
    rememberPayment(tx, checkout.id, {
      provider: 'stripe',
      paymentId: intent.id,
      clientSecret: intent.clientSecret,
      quoteHash: checkout.quoteHash,
    }),
  )
  const open = remembered ? undefined : await findOpen(shop.db, checkout.sessionId)
  // The same press on two instances gets the same intent from Stripe, by its key.
  if (remembered || open?.checkout.providerPaymentId === intent.id)
    return { ...checkout, provider: 'stripe', providerPaymentId: intent.id, clientSecret: intent.clientSecret }
  // Another instance was first with another wish: its intent stays, ours can no longer be paid.
  await shop.stripe.cancelIntent(intent.id)
  throw await changed(shop, checkout.sessionId, frozen)
}

/** What is offered now is another version than the one asked for. */
async function changed({ db }: Needs<'db'>, sessionId: SessionId, frozen: FrozenCheckout): Promise<Refused> {
  const open = await findOpen(db, sessionId)
  return new Refused('summary_changed', { summary: summaryOf((open?.version.frozen ?? frozen).quote) })
}

/**
 * Cancels intents that nobody paid within a day, so that they cannot be paid from a forgotten tab.
 * @returns payments that cannot be cancelled because their money came: they have to be settled
 */
export async function releaseAbandoned(
  { db, stripe, clock }: Needs<'db' | 'stripe' | 'clock'>,
  before: Date,
): Promise<PaymentKey[]> {
  const paid: PaymentKey[] = []
  for (const { id, providerPaymentId } of await listAbandoned(db, before, RELEASE_BATCH)) {
    const status = providerPaymentId ? await cancelled(stripe, providerPaymentId) : 'cancelled'
    if (status === 'captured' && providerPaymentId) paid.push(paymentKey('stripe', providerPaymentId))
    await db.transaction(async (tx) => {
      if (status === 'cancelled') await setState(tx, id, 'released', clock.now())
      else await touch(tx, id, clock.now())
    })
  }
  return paid
}

/** @returns what became of an intent that should be cancelled */
async function cancelled(stripe: Starting['stripe'], intentId: string): Promise<ProviderPayment['status']> {
  try {
    await stripe.cancelIntent(intentId)
    return 'cancelled'
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    return (await stripe.readIntent(intentId)).status
  }
}

const RELEASE_BATCH = 100

const intentOf = ({ id, orderNumber, quoteHash }: StoredCheckout, frozen: FrozenCheckout, idempotencyKey: string) => ({
  checkoutId: id,
  quoteHash,
  orderNumber,
  amount: frozen.quote.total,
  ...frozen.customer,
  address: frozen.shippingAddress,
  idempotencyKey,
})

function startOf({ clientSecret, providerPaymentId }: StoredCheckout, frozen: FrozenCheckout): PaymentStart {
  if (!clientSecret || !providerPaymentId) throw new Error('a checkout without its intent')
  return paymentStartOf(frozen.quote, clientSecret, providerPaymentId)
}

function refuseDifference(wanted: StartPayment, { quote: charged, lines }: FrozenCheckout): void {
  if (differsFrom(wanted, charged, lines)) throw new Refused('summary_changed', { summary: summaryOf(charged) })
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

const running = new Map<SessionId, Promise<unknown>>()

/**
 * Requests of one session that start a payment take turns: of two that update the same intent, the later one must also
 * be the last to reach the provider. (Between instances the version named by the payment itself decides.)
 */
async function oneAtATime<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T> {
  const before = running.get(sessionId) ?? Promise.resolve()
  const mine = before.then(work, work)
  const done = mine.then(
    () => {},
    () => {},
  )
  running.set(sessionId, done)
  try {
    return await mine
  } finally {
    if (running.get(sessionId) === done) running.delete(sessionId)
  }
}
