import { randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { orderNumberFrom, type CheckoutId, type PaymentProvider, type SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { checkout, checkoutVersion, walletOrder } from '#server/db/schema.ts'

export type StoredCheckout = typeof checkout.$inferSelect
export type StoredVersion = typeof checkoutVersion.$inferSelect

/** The session's open checkout with the version that a payment started now would be for. */
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

/** The session's checkout that something was last done with. */
export const findNewestCheckout = async (db: Reader, sessionId: SessionId): Promise<StoredCheckout | undefined> =>
  (
    await db.select().from(checkout).where(eq(checkout.sessionId, sessionId)).orderBy(desc(checkout.updatedAt)).limit(1)
  )[0]

export const lockCheckout = async (tx: Tx, id: CheckoutId): Promise<StoredCheckout | undefined> =>
  (await tx.select().from(checkout).where(eq(checkout.id, id)).for('update'))[0]

/** The same with one of its versions, as far as there is such a one. */
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
 * Freezes a version in the session's one open checkout, making that checkout when there is none.
 * @param termsVersion the text of the terms that the shopper agrees to with it; null where nobody asked
 */
export async function saveVersion(
  tx: Tx,
  sessionId: SessionId,
  { frozen, quoteHash, wishHash }: Version,
  termsVersion: string | null,
  now: Date,
): Promise<StoredCheckout> {
  const offered = {
    ...amountsOf(frozen),
    quoteHash,
    updatedAt: now,
    ...(termsVersion !== null && { termsVersion, termsAcceptedAt: now }),
  }
  // A double click makes two of these: the second waits for the first and finds its row.
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
        ...(termsVersion !== null && { termsAcceptedAt: termsAcceptedAtKept(termsVersion, now) }),
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

/** Whoever agreed to a text agreed to it then, also when they say so again. */
const termsAcceptedAtKept = (termsVersion: string, now: Date) =>
  sql`case when ${checkout.termsVersion} = ${termsVersion} then ${checkout.termsAcceptedAt} else ${now}::timestamptz end`

/** The amounts as the checkout's own columns, for constraints and auditors. */
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
 * Remembers the provider's payment.
 * @returns false when another request was first, or the checkout is closed: one payment, while it is open
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

/** The provider's payment now is for this version. @returns false when another version was frozen meanwhile, or the checkout is closed */
export async function markUpdated(tx: Tx, id: CheckoutId, quoteHash: string): Promise<boolean> {
  const rows = await tx
    .update(checkout)
    .set({ intentQuoteHash: quoteHash })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open'), eq(checkout.quoteHash, quoteHash)))
    .returning({ id: checkout.id })
  return rows.length > 0
}

/** The intent of an open checkout was canceled: it is for no version any more, and what was asked of it is asked anew. */
export const clearIntent = (tx: Tx, id: CheckoutId) =>
  tx
    .update(checkout)
    .set({ intentQuoteHash: null, attempt: sql`${checkout.attempt} + 1` })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open')))

/** The next try at the provider is another one than the last, which failed. */
export const countAttempt = (tx: Tx, id: CheckoutId) =>
  tx
    .update(checkout)
    .set({ attempt: sql`${checkout.attempt} + 1` })
    .where(eq(checkout.id, id))

export const agreeToTerms = (tx: Tx, id: CheckoutId, termsVersion: string, now: Date) =>
  tx.update(checkout).set({ termsVersion, termsAcceptedAt: now }).where(eq(checkout.id, id))

/** Puts a checkout that cannot be released yet at the end of the row, so that it does not stand before the others. */
export const moveToEndOfQueue = (tx: Tx, id: CheckoutId, now: Date) =>
  tx.update(checkout).set({ updatedAt: now }).where(eq(checkout.id, id))

/** Ends an open checkout that nobody shall pay any more. @returns false when it was not open: paid or held meanwhile */
export async function releaseCheckout(tx: Tx, id: CheckoutId, now: Date, untouchedSince?: Date): Promise<boolean> {
  const untouched = untouchedSince && lt(checkout.updatedAt, untouchedSince)
  const rows = await tx
    .update(checkout)
    .set({ state: 'released', updatedAt: now })
    .where(and(eq(checkout.id, id), eq(checkout.state, 'open'), untouched))
    .returning({ id: checkout.id })
  return rows.length > 0
}

/** For who holds the checkout's lock and has seen its state; `release` is for others. */
export const setState = (tx: Tx, id: CheckoutId, state: StoredCheckout['state'], now: Date) =>
  tx.update(checkout).set({ state, updatedAt: now }).where(eq(checkout.id, id))

/** The checkout's columns show whose review is waited for; as `setState`, for who holds its lock. */
export const markHeld = (tx: Tx, id: CheckoutId, walletOrderId: string, now: Date) =>
  tx
    .update(checkout)
    .set({ state: 'held', provider: 'paypal', providerPaymentId: walletOrderId, updatedAt: now })
    .where(eq(checkout.id, id))

/** Open checkouts that nobody touched since; the oldest first. */
export const listAbandoned = (db: Reader, before: Date, limit: number): Promise<StoredCheckout[]> =>
  db
    .select()
    .from(checkout)
    .where(and(eq(checkout.state, 'open'), lt(checkout.updatedAt, before)))
    .orderBy(checkout.updatedAt)
    .limit(limit)

/** The checkout's columns show what was paid and by which payment, also when others were offered. */
export const markPaid = (
  tx: Tx,
  id: CheckoutId,
  paid: { provider: PaymentProvider; paymentId: string; frozen: FrozenCheckout },
  now: Date,
) =>
  tx
    .update(checkout)
    .set({
      ...amountsOf(paid.frozen),
      state: 'paid',
      provider: paid.provider,
      providerPaymentId: paid.paymentId,
      updatedAt: now,
    })
    .where(eq(checkout.id, id))

export type WalletOrder = typeof walletOrder.$inferSelect

export const insertWalletOrder = (tx: Tx, order: typeof walletOrder.$inferInsert) =>
  // Two instances that ask for the same get the same order from PayPal, by its request id.
  tx.insert(walletOrder).values(order).onConflictDoNothing()

export const findWalletOrder = async (db: Reader, id: string): Promise<WalletOrder | undefined> =>
  (await db.select().from(walletOrder).where(eq(walletOrder.id, id)))[0]

/** All wallet orders of a checkout, the newest first. */
export const listWalletOrders = (db: Reader, checkoutId: CheckoutId): Promise<WalletOrder[]> =>
  db
    .select()
    .from(walletOrder)
    .where(eq(walletOrder.checkoutId, checkoutId))
    .orderBy(desc(walletOrder.createdAt), desc(walletOrder.attempt))

export const listWalletOrdersDue = (db: Reader, now: Date, limit: number): Promise<WalletOrder[]> =>
  db.select().from(walletOrder).where(lte(walletOrder.lookAt, now)).orderBy(walletOrder.lookAt).limit(limit)

/** @param at null: never again */
export const scheduleNextCheck = (tx: Tx, id: string, at: Date | null) =>
  tx.update(walletOrder).set({ lookAt: at }).where(eq(walletOrder.id, id))

/**
 * Begins a capture, unless another one is under way anywhere. Whoever dies with it loses it at `until`.
 * @returns the order as it is now, its `captureUntil` naming this capture; undefined while another is under way
 */
export const beginCapture = async (tx: Tx, id: string, now: Date, until: Date): Promise<WalletOrder | undefined> =>
  (
    await tx
      .update(walletOrder)
      .set({ captureUntil: until })
      .where(and(eq(walletOrder.id, id), or(isNull(walletOrder.captureUntil), lte(walletOrder.captureUntil, now))))
      .returning()
  )[0]

/** This capture is decided. @param refusal a final one: the next attempt needs a request id of its own */
export const endCapture = (tx: Tx, { id, captureUntil, refusals }: WalletOrder, refusal?: WalletOrder['refusal']) =>
  tx
    .update(walletOrder)
    .set({ captureUntil: null, ...(refusal && { refusal, refusals: refusals + 1 }) })
    .where(isThisCapture(id, captureUntil))

/** This capture's end is not known: it is asked for again, and not before `until`. */
export const putCaptureOff = (tx: Tx, { id, captureUntil }: WalletOrder, until: Date) =>
  tx.update(walletOrder).set({ captureUntil: until }).where(isThisCapture(id, captureUntil))

const isThisCapture = (id: string, captureUntil: Date | null) =>
  and(eq(walletOrder.id, id), captureUntil === null ? undefined : eq(walletOrder.captureUntil, captureUntil))
