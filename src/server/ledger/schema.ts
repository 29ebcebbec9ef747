import { sql } from 'drizzle-orm'
import { bigint, bigserial, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Account, PostingKind } from '#domain/ledger/ledger.ts'
import { appUser } from '#server/accounts/schema.ts'
import { moment, money } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import { payment } from '#server/payments/schema.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'

export const ledgerPosting = pgTable(
  'ledger_posting',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text().notNull().$type<PostingKind>(),
    /** Such as `sale:stripe:pi_1`; unique, so nothing is booked twice. */
    key: text().notNull().unique(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    paymentKey: text()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    partnerId: integer()
      .$type<UserId>()
      .references(() => appUser.id),
    bookedAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId), index().on(t.paymentKey), index().on(t.partnerId), index().on(t.bookedAt)],
)

export const ledgerEntry = pgTable(
  'ledger_entry',
  {
    postingId: bigint({ mode: 'number' })
      .notNull()
      .references(() => ledgerPosting.id),
    account: text().notNull().$type<Account>(),
    /** Signed; positive is a gain of the account. A deferred trigger checks that a posting sums to zero. */
    amountCents: money().notNull(),
  },
  (t) => [primaryKey({ columns: [t.postingId, t.account] }), check('entry_not_zero', sql`${t.amountCents} <> 0`)],
)
