import { and, asc, desc, eq, gt, inArray, isNull, lt, ne } from 'drizzle-orm'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import type { ProviderPayout } from '#domain/payments/payouts.ts'
import type { DisputeStatus, RefundStatus } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import { paymentKey, type CheckoutId, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { dispute, providerPayout } from '#server/payments/outcome-schema.ts'
import { payment, paymentProcessingLog } from '#server/payments/schema.ts'
import { payerOf } from './own-purchases.ts'
import { findRefundStatus } from '#server/orders/refunds.ts'

/**
 * Inserts the unique row first: a second caller waits for the first one's transaction, then finds the work done, or does it if the
 * first one failed.
 */
export async function claimPayment(tx: Tx, { provider, id }: ProviderPayment, now: Date): Promise<boolean> {
  const rows = await tx
    .insert(paymentProcessingLog)
    .values({ paymentKey: paymentKey(provider, id), paymentType: provider, paymentId: id, processedAt: now })
    .onConflictDoNothing()
    .returning({ id: paymentProcessingLog.id })
  return rows.length > 0
}

export const logOutcome = (
  tx: Tx,
  key: PaymentKey,
  status: 'completed' | 'exception',
  metadata: Record<string, unknown>,
) => tx.update(paymentProcessingLog).set({ status, metadata }).where(eq(paymentProcessingLog.paymentKey, key))

export async function insertPayment(
  tx: Tx,
  paid: ProviderPayment,
  checkoutId: CheckoutId | null,
  now: Date,
): Promise<PaymentKey> {
  const key = paymentKey(paid.provider, paid.id)
  await tx.insert(payment).values({
    paymentKey: key,
    provider: paid.provider,
    paymentId: paid.id,
    status: paid.status,
    amountCents: paid.amount,
    currency: paid.currency,
    live: paid.live,
    checkoutId,
    capturedAt: now,
    feeCents: paid.fee,
    payerHash: paid.payer && payerOf(paid.payer).hash,
  })
  return key
}

/** Payments whose fee is not known yet, oldest first. */
export const listWithoutFee = async (db: Reader, since: Date, limit: number): Promise<PaymentKey[]> =>
  (
    await db
      .select({ key: payment.paymentKey })
      .from(payment)
      .where(and(isNull(payment.feeCents), gt(payment.capturedAt, since)))
      .orderBy(asc(payment.capturedAt))
      .limit(limit)
  ).map(({ key }) => key)

/** The settled ones among these payments. */
export async function filterSettled(db: Reader, keys: readonly PaymentKey[]): Promise<Set<PaymentKey>> {
  if (!keys.length) return new Set()
  const rows = await db
    .select({ key: paymentProcessingLog.paymentKey })
    .from(paymentProcessingLog)
    .where(inArray(paymentProcessingLog.paymentKey, [...keys]))
  return new Set(rows.map(({ key }) => key))
}

export type Dispute = typeof dispute.$inferSelect

/** @param paymentKey null for an order without a payment, which has none */
export const listDisputes = async (db: Reader, paymentKey: PaymentKey | null): Promise<Dispute[]> =>
  paymentKey === null
    ? []
    : db.select().from(dispute).where(eq(dispute.paymentKey, paymentKey)).orderBy(asc(dispute.openedAt))

export const upsertDispute = (tx: Tx, row: typeof dispute.$inferInsert) =>
  tx
    .insert(dispute)
    .values(row)
    .onConflictDoUpdate({ target: [dispute.provider, dispute.disputeId], set: row })

/** Whether a refund or dispute is stored with the provider's status. @param status undefined for any */
export async function isReturnKnown(
  db: Reader,
  { id, status }: { id: string; status?: RefundStatus | DisputeStatus },
): Promise<boolean> {
  const disputes = await db.select({ status: dispute.status }).from(dispute).where(eq(dispute.disputeId, id))
  const known = (await findRefundStatus(db, id)) ?? disputes[0]?.status
  return known !== undefined && (status === undefined || known === status)
}

const isPayout = ({ provider, id }: Pick<ProviderPayout, 'provider' | 'id'>) =>
  and(eq(providerPayout.provider, provider), eq(providerPayout.payoutId, id))

/** Locks a payout until the transaction ends, so concurrent events do not both book it. Inserted if new. */
export async function lockPayout(tx: Tx, theirs: ProviderPayout): Promise<typeof providerPayout.$inferSelect> {
  const { provider, id: payoutId, amount: amountCents, status, createdAt } = theirs
  await tx.insert(providerPayout).values({ provider, payoutId, amountCents, status, createdAt }).onConflictDoNothing()
  const [row] = await tx.select().from(providerPayout).where(isPayout(theirs)).for('update')
  assert(row, 'a payout was written and is not there')
  return row
}

export type StoredPayout = typeof providerPayout.$inferSelect

/** The latest first. */
export const listLatestPayouts = (db: Reader, limit: number): Promise<StoredPayout[]> =>
  db.select().from(providerPayout).orderBy(desc(providerPayout.createdAt)).limit(limit)

export const findPayout = async (
  db: Reader,
  provider: PaymentProvider,
  id: string,
): Promise<StoredPayout | undefined> => (await db.select().from(providerPayout).where(isPayout({ provider, id })))[0]

/** The provider's payout before a time, if it did not fail. */
export const findPayoutBefore = async (
  db: Reader,
  provider: PaymentProvider,
  before: Date,
): Promise<StoredPayout | undefined> =>
  (
    await db
      .select()
      .from(providerPayout)
      .where(
        and(
          eq(providerPayout.provider, provider),
          lt(providerPayout.createdAt, before),
          ne(providerPayout.status, 'failed'),
        ),
      )
      .orderBy(desc(providerPayout.createdAt))
      .limit(1)
  )[0]

export const changePayout = (
  tx: Tx,
  theirs: Pick<ProviderPayout, 'provider' | 'id'>,
  to: Partial<typeof providerPayout.$inferInsert>,
) => tx.update(providerPayout).set(to).where(isPayout(theirs))
