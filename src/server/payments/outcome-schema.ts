import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, index, integer, jsonb, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { type PayoutStatus, payoutStatuses } from '#domain/payments/payouts.ts'
import type { DisputeStatus, Pieces, RefundParts, RefundStatus } from '#domain/payments/returns.ts'
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

export const refund = pgTable(
  'refund',
  {
    id: serial().primaryKey(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    /** Null when the payment has no order. */
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    providerRefundId: text().unique(),
    amountCents: money().notNull(),
    /** The parts of the amount; null without an order. */
    parts: jsonb().$type<RefundParts>(),
    /** The refunded pieces, if it is for pieces. */
    pieces: jsonb().$type<Pieces>(),
    status: text().notNull().$type<RefundStatus>(),
    /** For the owner. */
    reason: text().notNull(),
    /** `provider`: made in the provider's dashboard and found there. */
    source: text().notNull().default('shop').$type<'shop' | 'provider'>(),
    /** The failed refund whose money this one returned another way, at most once. */
    paysRefundId: integer()
      .unique()
      .references((): AnyPgColumn => refund.id),
    /** The payment's reference at the bank. */
    reference: text(),
    /** The tax provider's id of the reversed tax. */
    taxReversalId: text(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was reversed because it failed late. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    index().on(t.paymentKey),
    index().on(t.orderId),
    check('refund_positive', sql`${t.amountCents} > 0`),
    check('refund_source_known', sql`${t.source} in ('shop', 'provider')`),
  ],
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
