import { and, count, desc, eq, inArray, isNotNull, isNull, lt, notInArray, sql, sum } from 'drizzle-orm'
import type { PaymentObjection } from '#domain/payments/objection.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { paymentException } from './outcome-schema.ts'

export type PaymentException = typeof paymentException.$inferSelect

export async function insertException(
  tx: Tx,
  {
    key,
    kind,
    amount,
    orderId,
    now,
  }: { key: PaymentKey; kind: PaymentObjection; amount: Cents; orderId: OrderId | null; now: Date },
): Promise<PaymentException> {
  const [row] = await tx
    .insert(paymentException)
    .values({ kind, paymentKey: key, amountCents: amount, orderId, openedAt: now })
    .returning()
  assert(row, 'an insert without a row')
  return row
}

export const findException = async (db: Reader, paymentKey: PaymentKey): Promise<PaymentException | undefined> =>
  (await db.select().from(paymentException).where(eq(paymentException.paymentKey, paymentKey)))[0]

/** Locks it until the transaction ends, so concurrent events do not both book it. */
export const lockException = async (tx: Tx, paymentKey: PaymentKey): Promise<PaymentException | undefined> =>
  (await tx.select().from(paymentException).where(eq(paymentException.paymentKey, paymentKey)).for('update'))[0]

/** @param at null to reopen it */
export const resolveException = (tx: Tx, paymentKey: PaymentKey, at: Date | null) =>
  tx.update(paymentException).set({ resolvedAt: at }).where(eq(paymentException.paymentKey, paymentKey))

/** A page of exceptions. Its kinds are names of any kinds, also of those kept elsewhere. */
export type ExceptionPage = {
  isOpen: boolean
  olderThan: number | undefined
  limit: number
  only?: readonly string[]
  except?: readonly string[]
}

/** Latest first. */
export const listPaymentExceptions = (
  db: Reader,
  { isOpen, olderThan, limit, only, except }: ExceptionPage,
): Promise<PaymentException[]> =>
  db
    .select()
    .from(paymentException)
    .where(
      and(
        isOpen ? isNull(paymentException.resolvedAt) : isNotNull(paymentException.resolvedAt),
        olderThan === undefined ? undefined : lt(paymentException.id, olderThan),
        only && inArray(sql`${paymentException.kind}`, [...only]),
        except && except.length > 0 ? notInArray(sql`${paymentException.kind}`, [...except]) : undefined,
      ),
    )
    .orderBy(desc(paymentException.id))
    .limit(limit)

export async function countOpenPaymentExceptions(db: Reader): Promise<{ count: number; amount: Cents }> {
  const [row] = await db
    .select({ count: count(), amount: sum(paymentException.amountCents).mapWith(Number) })
    .from(paymentException)
    .where(isNull(paymentException.resolvedAt))
  return { count: row?.count ?? 0, amount: cents(row?.amount ?? 0) }
}
