import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { type PayoutStatus, payoutStatuses } from '#domain/payments/payouts.ts'
import { type AnswerKind, answerKinds, type AnswerState, answerStates } from '#domain/payments/dispute-answer.ts'
import type { PaypalEvidence, StripeEvidence } from '#domain/payments/dispute-pack.ts'
import type { DisputeStatus } from '#domain/payments/returns.ts'
import { bytes, moment, money, notNegative, oneOf } from '#server/db/columns.ts'
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
    /** The provider's word for why. */
    reason: text(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.disputeId] }),
    index().on(t.orderId),
    index().on(t.paymentKey),
    check('dispute_status_known', sql`${t.status} in ('inquiry', 'open', 'won', 'lost')`),
    notNegative('dispute_amounts_not_negative', t.amountCents, t.feeCents),
  ],
)

/**
 * How the owner answered a dispute; the provider takes one answer. Evidence is kept as it was sent, so that a repeat sends the same, and
 * the owner can read it later.
 */
export const disputeAnswer = pgTable(
  'dispute_answer',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    disputeId: text().notNull(),
    kind: text().notNull().$type<AnswerKind>(),
    state: text().notNull().$type<AnswerState>(),
    /** By which we recognize it at the provider. */
    reference: text().notNull(),
    /** Null for an acceptance, and once the customer was erased. */
    file: bytes(),
    content: jsonb().$type<{ texts: StripeEvidence; parts: PaypalEvidence[] }>(),
    /** Calls that may have reached the provider. */
    attempts: integer().notNull().default(0),
    requestedAt: moment().notNull(),
    sentAt: moment(),
    /** Why the provider did not take it. */
    failure: text(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.disputeId] }),
    foreignKey({
      name: 'dispute_answer_of_dispute',
      columns: [t.provider, t.disputeId],
      foreignColumns: [dispute.provider, dispute.disputeId],
    }),
    check('dispute_answer_kind_known', oneOf(t.kind, answerKinds)),
    check('dispute_answer_state_known', oneOf(t.state, answerStates)),
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
