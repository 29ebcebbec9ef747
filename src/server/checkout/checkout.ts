import { randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, lt, min, sql, type SQL } from 'drizzle-orm'
import { checkoutCanBecome, type CheckoutState } from '#domain/checkout/status.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { Device } from '#domain/visits/visits.ts'
import { assert } from '#shared/assert.ts'
import { orderNumberFrom, type CheckoutId, type PaymentProvider, type SessionId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { checkout, checkoutVersion } from '#server/checkout/schema.ts'

export type StoredCheckout = typeof checkout.$inferSelect
export type StoredVersion = typeof checkoutVersion.$inferSelect

/** The session's open checkout with its current version. */
export async function findOpenCheckout(db: Reader, sessionId: SessionId) {
  const [row] = await db
    .select()
    .from(checkout)
    .innerJoin(
      checkoutVersion,
      and(eq(checkoutVersion.checkoutId, checkout.id), eq(checkoutVersion.quoteHash, checkout.quoteHash)),
    )
    .where(and(eq(checkout.sessionId, sessionId), eq(checkout.state, 'open')))
  return row && { checkout: row.checkout, version: row.checkout_version }
}

export const findCheckout = async (db: Reader, id: CheckoutId): Promise<StoredCheckout | undefined> =>
  (await db.select().from(checkout).where(eq(checkout.id, id)))[0]

/** The session's most recently changed checkout. */
export const findNewestCheckout = async (db: Reader, sessionId: SessionId): Promise<StoredCheckout | undefined> =>
  (
    await db.select().from(checkout).where(eq(checkout.sessionId, sessionId)).orderBy(desc(checkout.updatedAt)).limit(1)
  )[0]

export const findFirstCheckoutTime = async (db: Reader): Promise<Date | null> =>
  (await db.select({ first: min(checkout.createdAt) }).from(checkout))[0]?.first ?? null

export const lockCheckout = async (tx: Tx, id: CheckoutId): Promise<StoredCheckout | undefined> =>
  (await tx.select().from(checkout).where(eq(checkout.id, id)).for('update'))[0]

export const lockIfOpen = async (tx: Tx, id: CheckoutId): Promise<boolean> =>
  (await lockCheckout(tx, id))?.state === 'open'

/** The same with one of its versions, if it exists. */
export async function lockCheckoutWithVersion(tx: Tx, id: CheckoutId, quoteHash: string) {
  const [row] = await tx
    .select()
    .from(checkout)
    .leftJoin(
      checkoutVersion,
      and(eq(checkoutVersion.checkoutId, checkout.id), eq(checkoutVersion.quoteHash, quoteHash)),
    )
    .where(eq(checkout.id, id))
    .for('update', { of: checkout })
  return row && { checkout: row.checkout, version: row.checkout_version }
}

export const findVersion = async (db: Reader, id: CheckoutId, quoteHash: string): Promise<StoredVersion | undefined> =>
  (
    await db
      .select()
      .from(checkoutVersion)
      .where(and(eq(checkoutVersion.checkoutId, id), eq(checkoutVersion.quoteHash, quoteHash)))
  )[0]

export const findCheckoutOfIntent = async (db: Reader, intentId: string): Promise<StoredCheckout | undefined> =>
  (
    await db
      .select()
      .from(checkout)
      .where(and(eq(checkout.provider, 'stripe'), eq(checkout.providerPaymentId, intentId)))
  )[0]

type Version = { frozen: FrozenCheckout; quoteHash: string; wishHash: string }

/**
 * Freezes a version in the session's one open checkout, creating it if needed.
 * @param termsVersion of the terms that the shopper agrees to; null if they were not asked
 */
export async function saveVersion(
  tx: Tx,
  sessionId: SessionId,
  { frozen, quoteHash, wishHash }: Version,
  termsVersion: string | null,
  { device, language }: { device: Device | null; language: Language },
  now: Date,
): Promise<StoredCheckout> {
  const offered = {
    ...amountsOf(frozen),
    device,
    language,
    quoteHash,
    updatedAt: now,
    ...(termsVersion !== null && { termsVersion, termsAcceptedAt: now }),
  }
  // Of two from a double click, the second waits for the first and updates its row.
  const [row] = await tx
    .insert(checkout)
    .values({
      id: randomUUID() as CheckoutId,
      sessionId,
      state: 'open',
      orderNumber: orderNumberFrom(randomBytes(8)),
      attempt: 1,
      createdAt: now,
      ...offered,
    })
    .onConflictDoUpdate({
      target: checkout.sessionId,
      targetWhere: sql`state = 'open'`,
      set: {
        ...offered,
        ...(termsVersion !== null && { termsAcceptedAt: firstAcceptance(termsVersion, now) }),
        attempt: sql`${checkout.attempt} + 1`,
        intentQuoteHash: null,
      },
    })
    .returning()
  if (!row) throw new Error('an upsert without a row')
  await tx
    .insert(checkoutVersion)
    .values({ checkoutId: row.id, quoteHash, wishHash, frozen, frozenAt: now })
    .onConflictDoUpdate({
      target: [checkoutVersion.checkoutId, checkoutVersion.quoteHash],
      set: { wishHash, frozenAt: now },
    })
  return row
}

/** Agreeing to the same terms again keeps the first time. */
const firstAcceptance = (termsVersion: string, now: Date) =>
  sql`case when ${checkout.termsVersion} = ${termsVersion} then ${checkout.termsAcceptedAt} else ${now}::timestamptz end`

/** The quote's amounts as columns, for constraints and auditors. */
const amountsOf = ({ quote, shippingAddress }: FrozenCheckout) => ({
  country: shippingAddress.country,
  subtotalCents: quote.subtotal,
  shippingCents: quote.shipping,
  surchargeCents: quote.surcharge,
  taxCents: quote.tax,
  vatProtectionCents: quote.vatProtection,
  totalCents: quote.total,
})

/**
 * Stores the provider's payment.
 * @returns false when another request was first or the checkout is closed: an open checkout has one payment
 */
export async function savePayment(
  tx: Tx,
  id: CheckoutId,
  {
    provider,
    paymentId,
    clientSecret,
    quoteHash,
  }: { provider: PaymentProvider; paymentId: string; clientSecret: string; quoteHash: string },
): Promise<boolean> {
  const rows = await tx
    .update(checkout)
    .set({ provider, providerPaymentId: paymentId, clientSecret, intentQuoteHash: quoteHash })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open'), isNull(checkout.providerPaymentId)))
    .returning({ id: checkout.id })
  return rows.length > 0
}

/** Records that the intent is now for this version. @returns false when a newer version was frozen or the checkout is closed */
export async function markUpdated(tx: Tx, id: CheckoutId, quoteHash: string): Promise<boolean> {
  const rows = await tx
    .update(checkout)
    .set({ intentQuoteHash: quoteHash })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open'), eq(checkout.quoteHash, quoteHash)))
    .returning({ id: checkout.id })
  return rows.length > 0
}

/** After the intent of an open checkout was canceled: the next start creates a new one. */
export const clearIntent = (tx: Tx, id: CheckoutId) =>
  tx
    .update(checkout)
    .set({ intentQuoteHash: null, attempt: sql`${checkout.attempt} + 1` })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open')))

/** Gives the next try at the provider a new idempotency key. */
export const countAttempt = (tx: Tx, id: CheckoutId) =>
  tx
    .update(checkout)
    .set({ attempt: sql`${checkout.attempt} + 1` })
    .where(eq(checkout.id, id))

export const agreeToTerms = (tx: Tx, id: CheckoutId, termsVersion: string, now: Date) =>
  tx.update(checkout).set({ termsVersion, termsAcceptedAt: now }).where(eq(checkout.id, id))

/** Moves a checkout that cannot be released yet behind the others. */
export const moveToEndOfQueue = (tx: Tx, id: CheckoutId, now: Date) =>
  tx.update(checkout).set({ updatedAt: now }).where(eq(checkout.id, id))

/**
 * The only statement that changes a checkout's state.
 * @param from its state as read: if it has changed since, nothing is written
 * @param also set with the state
 * @returns the changed row, if any
 */
const moveCheckout = (
  tx: Tx,
  { id, state: from }: Pick<StoredCheckout, 'id' | 'state'>,
  to: CheckoutState,
  now: Date,
  also: Partial<Omit<typeof checkout.$inferInsert, 'state'>> = {},
  onlyIf?: SQL,
) => {
  assert(checkoutCanBecome(from, to), `a checkout cannot go from ${from} to ${to}`)
  return tx
    .update(checkout)
    .set({ ...also, state: to, updatedAt: now })
    .where(and(eq(checkout.id, id), eq(checkout.state, from), onlyIf))
    .returning({ id: checkout.id })
}

/** Closes an open checkout, so it can no longer be paid. @returns false when it was not open: paid or held in the meantime */
export async function releaseCheckout(tx: Tx, id: CheckoutId, now: Date, untouchedSince?: Date): Promise<boolean> {
  const untouched = untouchedSince && lt(checkout.updatedAt, untouchedSince)
  return (await moveCheckout(tx, { id, state: 'open' }, 'released', now, {}, untouched)).length > 0
}

/** After the provider's review ended without a payment. @param held locked */
export const markReleased = (tx: Tx, held: StoredCheckout, now: Date) => moveCheckout(tx, held, 'released', now)

/** Holds the checkout for PayPal's review of this order. @param open locked */
export const markHeld = (tx: Tx, open: StoredCheckout, walletOrderId: string, now: Date) =>
  moveCheckout(tx, open, 'held', now, { provider: 'paypal', providerPaymentId: walletOrderId })

/** It was paid, but not as frozen. @param open locked */
export const markException = (tx: Tx, open: StoredCheckout, now: Date) => moveCheckout(tx, open, 'exception', now)

/** Sets the columns to what was actually paid, by which payment: other versions may have been offered. @param unpaid locked */
export const markPaid = (
  tx: Tx,
  unpaid: StoredCheckout,
  paid: { provider: PaymentProvider; paymentId: string; frozen: FrozenCheckout },
  now: Date,
) => {
  const { provider, paymentId: providerPaymentId, frozen } = paid
  return moveCheckout(tx, unpaid, 'paid', now, { ...amountsOf(frozen), provider, providerPaymentId })
}

/** Open checkouts unchanged since `before`, oldest first. */
export const listAbandoned = (db: Reader, before: Date, limit: number): Promise<StoredCheckout[]> =>
  db
    .select()
    .from(checkout)
    .where(and(eq(checkout.state, 'open'), lt(checkout.updatedAt, before)))
    .orderBy(checkout.updatedAt)
    .limit(limit)
