import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { type MovementKind, movementKinds } from '#domain/reconciliation/movements.ts'
import { moment, money, notNegative, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { CheckoutId, OrderId, PaymentKey, PaymentProvider } from '#shared/ids.ts'

/**
 * The providers' account entries as last read by `server/reconciliation`; reading again writes the same.
 */
export const providerTransaction = pgTable(
  'provider_transaction',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    /** The id of Stripe's balance transaction or PayPal's transaction. */
    id: text().notNull(),
    kind: text().notNull().$type<MovementKind>(),
    /** Signed, in cents of `currency`, before the fee; positive is money to the shop. */
    amountCents: money().notNull(),
    /** The provider's fee; negative when refunded. */
    feeCents: money().notNull(),
    currency: text().notNull(),
    /** No foreign key: an unknown payment is one of the errors to find. */
    paymentKey: text().$type<PaymentKey>(),
    /** The provider's id of the charge, refund, dispute or payout behind it. */
    sourceId: text(),
    /** The checkout that a charge names; null for charges by other software on the account. */
    checkoutId: uuid().$type<CheckoutId>(),
    occurredAt: moment().notNull(),
    readAt: moment().notNull(),
    /** Known to be of a payment of this shop. Of the others it is looked up each time, since their payment may become known. */
    isOurs: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.id] }),
    index('provider_transaction_maybe_foreign')
      .on(t.occurredAt)
      .where(sql`not ${t.isOurs} and ${t.paymentKey} is not null`),
    index().on(t.paymentKey),
    index().on(t.occurredAt, t.provider, t.id),
    index().on(t.provider, t.sourceId),
    check('provider_transaction_kind_known', oneOf(t.kind, movementKinds)),
  ],
)

/** What the provider's lines in US dollars add up to, less fees, by quarter of an hour. Triggers keep it. */
export const providerSum = pgTable(
  'provider_sum',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    at: moment().notNull(),
    amountCents: money().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.at] })],
)

/** How far each provider's books have been read. */
export const providerReading = pgTable('provider_reading', {
  provider: text().primaryKey().$type<PaymentProvider | 'printful'>(),
  /** The period that has been read; `until` is null before the first complete reading. */
  since: moment().notNull(),
  until: moment(),
  /** Where an interrupted reading continues: its period, and the provider's cursor of the last page. */
  under: jsonb().$type<{ since: string; until: string; mark: string | null }>(),
  /** When a reading was last completed. */
  readAt: moment(),
  /** Since when reading fails and why, for the owner; null while it works. */
  failingSince: moment(),
  failure: text(),
})

/**
 * Problems that wait for the owner, besides payments without an order (`payment_exception`, which shares the ids). Checks open and close
 * them by the shop's state, so the code that fixes a cause need not know this table.
 */
export const shopException = pgTable(
  'shop_exception',
  {
    id: integer()
      .primaryKey()
      .default(sql`nextval('payment_exception_id_seq')`),
    kind: text().notNull(),
    /** The subject, such as `order:12` or `payment:stripe:pi_1`; at most one exception of a kind is open for it. */
    about: text().notNull(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** The amount at stake. */
    amountCents: money().notNull(),
    /** The cause, for the owner. */
    cause: text().notNull(),
    /** The deadline to act, if there is one. */
    deadlineAt: moment(),
    /** For differences between books: the values on both sides. */
    facts: jsonb().$type<Record<string, string | number | null>>(),
    openedAt: moment().notNull(),
    resolvedAt: moment(),
  },
  (t) => [
    uniqueIndex('shop_exception_open_once')
      .on(t.kind, t.about)
      .where(sql`${t.resolvedAt} is null`),
    index('shop_exception_open')
      .on(t.id)
      .where(sql`${t.resolvedAt} is null`),
    index().on(t.orderId),
    notNegative('shop_exception_amount_not_negative', t.amountCents),
  ],
)

/** A comparison of the books. */
export const reconciliation = pgTable(
  'reconciliation',
  {
    id: serial().primaryKey(),
    /** `watch`: every few minutes, recent changes only. */
    trigger: text().notNull().$type<'watch' | 'schedule' | 'owner'>(),
    /** Everything that changed since then was compared. */
    since: moment().notNull(),
    startedAt: moment().notNull(),
    /** Null: running, or interrupted. */
    finishedAt: moment(),
    payments: integer().notNull().default(0),
    partnerOrders: integer().notNull().default(0),
    differences: integer().notNull().default(0),
  },
  (t) => [index().on(t.startedAt)],
)
