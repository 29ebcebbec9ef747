import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import { assert } from '#shared/assert.ts'
import { readPaymentKey, type OrderId, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { dispute, paymentException } from './outcome-schema.ts'
import { payment } from './schema.ts'

export function providerOf(paymentKey: PaymentKey): PaymentProvider {
  const provider = readPaymentKey(paymentKey)?.provider
  assert(provider, `${paymentKey} has an unknown provider`)
  return provider
}

/** `exceptionId`: of a payment that made no order. */
export const listCaptured = (
  db: Reader,
  keys: readonly PaymentKey[],
): Promise<{ key: PaymentKey; capturedAt: Date; exceptionId: number | null }[]> =>
  db
    .select({ key: payment.paymentKey, capturedAt: payment.capturedAt, exceptionId: paymentException.id })
    .from(payment)
    .leftJoin(paymentException, eq(paymentException.paymentKey, payment.paymentKey))
    .where(inArray(payment.paymentKey, [...keys]))

export const listDisputesOf = (db: Reader, keys: readonly PaymentKey[]): Promise<(typeof dispute.$inferSelect)[]> =>
  db
    .select()
    .from(dispute)
    .where(inArray(dispute.paymentKey, [...keys]))

/** A condition: whether the shop knows the payment with this key. */
export const isKnownPayment = (key: SQL): SQL =>
  sql`exists (select 1 from ${payment} where ${payment.paymentKey} = ${key})`

export const listDisputesOfOrders = (db: Reader, ids: readonly OrderId[]): Promise<(typeof dispute.$inferSelect)[]> =>
  db
    .select()
    .from(dispute)
    .where(inArray(dispute.orderId, [...ids]))

/** What was captured, by payment. */
export async function amountsOfPayments(db: Reader, keys: readonly PaymentKey[]): Promise<Map<PaymentKey, Cents>> {
  const rows = await db
    .select({ key: payment.paymentKey, amount: payment.amountCents })
    .from(payment)
    .where(inArray(payment.paymentKey, [...keys]))
  return new Map(rows.map(({ key, amount }) => [key, amount]))
}
