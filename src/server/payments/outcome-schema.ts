import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { type PayoutStatus, payoutStatuses } from '#domain/payments/payouts.ts'
import type { DisputeStatus } from '#domain/payments/returns.ts'
import { moment, money, notNegative, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import { payment } from '#server/payments/schema.ts'
import type { OrderId, PaymentKey, PaymentProvider } from '#shared/ids.ts'

/** A captured payment that did not become an order; the owner must resolve it. */
export const paymentException = pgTable(
  'payment_exception',
  {
    id: serial().primaryKey(),
    kind: text().notNull(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .unique()
      .references(() => payment.paymentKey),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    amountCents: money().notNull(),
    openedAt: moment().notNull(),
    resolvedAt: moment(),
  },
  (t) => [index().on(t.orderId)],
)

/** A payer's dispute, as the provider reports it. Separate from the order's own status. */
export const dispute = pgTable(
  'dispute',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    disputeId: text().notNull(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    amountCents: money().notNull(),
    feeCents: money().notNull(),
    status: text().notNull().$type<DisputeStatus>(),
    openedAt: moment().notNull(),
    /** The deadline for evidence; null if the provider sets none. */
    respondBy: moment(),
    decidedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.disputeId] }),
    index().on(t.orderId),
    index().on(t.paymentKey),
    check('dispute_status_known', sql`${t.status} in ('inquiry', 'open', 'won', 'lost')`),
    notNegative('dispute_amounts_not_negative', t.amountCents, t.feeCents),
  ],
)

/** A provider's transfer to the bank. Payouts to partners are in `payout`. */
export const providerPayout = pgTable(
  'provider_payout',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    payoutId: text().notNull(),
    /** Negative when the provider debited the bank. */
    amountCents: money().notNull(),
    status: text().notNull().$type<PayoutStatus>(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was reversed because it failed. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.payoutId] }),
    index().on(t.createdAt),
    check('provider_payout_status_known', oneOf(t.status, payoutStatuses)),
  ],
)
