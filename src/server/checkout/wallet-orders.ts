import { and, desc, eq, isNull, lte, or } from 'drizzle-orm'
import type { CheckoutId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { walletOrder } from '#server/checkout/schema.ts'

export type WalletOrder = typeof walletOrder.$inferSelect

export const insertWalletOrder = (tx: Tx, order: typeof walletOrder.$inferInsert) =>
  // Two instances with the same request get the same order from PayPal, by its request id.
  tx.insert(walletOrder).values(order).onConflictDoNothing()

export const findWalletOrder = async (db: Reader, id: string): Promise<WalletOrder | undefined> =>
  (await db.select().from(walletOrder).where(eq(walletOrder.id, id)))[0]

/** Newest first. */
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
 * Starts a capture, unless another is running on any instance. A crashed instance loses its capture at `until`.
 * @returns the order, whose `captureUntil` identifies this capture; undefined while another is running
 */
export const beginCapture = async (tx: Tx, id: string, now: Date, until: Date): Promise<WalletOrder | undefined> =>
  (
    await tx
      .update(walletOrder)
      .set({ captureUntil: until })
      .where(and(eq(walletOrder.id, id), or(isNull(walletOrder.captureUntil), lte(walletOrder.captureUntil, now))))
      .returning()
  )[0]

/** Ends a capture with a known result. @param refusal when final: the next attempt needs a new request id */
export const endCapture = (tx: Tx, { id, captureUntil, refusals }: WalletOrder, refusal?: WalletOrder['refusal']) =>
  tx
    .update(walletOrder)
    .set({ captureUntil: null, ...(refusal && { refusal, refusals: refusals + 1 }) })
    .where(isThisCapture(id, captureUntil))

/** The capture's result is unknown; it is checked again at `until`. */
export const postponeCapture = (tx: Tx, { id, captureUntil }: WalletOrder, until: Date) =>
  tx.update(walletOrder).set({ captureUntil: until }).where(isThisCapture(id, captureUntil))

const isThisCapture = (id: string, captureUntil: Date | null) =>
  and(eq(walletOrder.id, id), captureUntil === null ? undefined : eq(walletOrder.captureUntil, captureUntil))
