import { sql } from 'drizzle-orm'
import { bigserial, boolean, check, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { checkout } from '#server/checkout/schema.ts'
import { moment, namedMoment, money } from '#server/db/columns.ts'
import type { CheckoutId, PaymentKey, PaymentProvider } from '#shared/ids.ts'

export const payment = pgTable(
  'payment',
  {
    paymentKey: text().primaryKey().$type<PaymentKey>(),
    provider: text().notNull().$type<PaymentProvider>(),
    paymentId: text().notNull(),
    status: text().notNull(),
    amountCents: money().notNull(),
    currency: text().notNull(),
    live: boolean().notNull(),
    checkoutId: uuid()
      .$type<CheckoutId>()
      .references(() => checkout.id),
    capturedAt: moment().notNull(),
    /** The provider's fee, as booked; null until known. */
    feeCents: money(),
    /**
     * SHA-256 of the provider's identifier of the card or wallet, hex, to recognize partners' own purchases. Null if unknown or erased.
     */
    payerHash: text(),
  },
  (t) => [
    unique().on(t.provider, t.paymentId),
    index().on(t.checkoutId),
    index('payment_without_fee')
      .on(t.capturedAt)
      .where(sql`${t.feeCents} is null`),
    index().on(t.capturedAt),
    check('payment_amount_not_negative', sql`${t.amountCents} >= 0`),
  ],
)

/** Written only when settling or refunding, before anything else: a concurrent caller waits for the row and finds the work done. */
export const paymentProcessingLog = pgTable('payment_processing_log', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  paymentKey: text().notNull().unique().$type<PaymentKey>(),
  paymentType: text().notNull().$type<PaymentProvider>(),
  paymentId: text().notNull(),
  status: text().notNull().default('processing'),
  processedAt: namedMoment(),
  metadata: jsonb().notNull().default({}),
})
