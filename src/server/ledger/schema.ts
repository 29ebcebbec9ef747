import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import type { Account, PostingKind } from '#domain/ledger/ledger.ts'
import { closingKinds, type AccountFigure } from '#domain/ledger/closing.ts'
import { appUser } from '#server/accounts/schema.ts'
import { bytes, moment, money, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import { payment } from '#server/payments/schema.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'
import type { TimeZone } from '#shared/time-zone.ts'

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

/** Postings that were sealed together, by a hash that contains the seal before: docs/decisions on sealed books. */
export const ledgerSeal = pgTable('ledger_seal', {
  /** From 1, without gaps. */
  number: integer().primaryKey(),
  sealedAt: moment().notNull(),
  /** What stands for their hashes. */
  root: text().notNull(),
  hash: text().notNull(),
})

/** In which seal a posting is, where, and the hash that it had then. */
export const sealedPosting = pgTable(
  'sealed_posting',
  {
    postingId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => ledgerPosting.id),
    seal: integer()
      .notNull()
      .references(() => ledgerSeal.number),
    /** From 0, without gaps. */
    position: integer().notNull(),
    hash: text().notNull(),
  },
  (t) => [unique('sealed_posting_place').on(t.seal, t.position)],
)

/** Sums of sealed postings by day and account, so that no page adds up the entries of all time. */
export const ledgerDay = pgTable(
  'ledger_day',
  {
    /** The days are this time zone's. */
    zone: text().notNull().$type<TimeZone>(),
    day: date().notNull(),
    account: text().notNull().$type<Account>(),
    amountCents: money().notNull(),
  },
  (t) => [primaryKey({ columns: [t.zone, t.day, t.account] })],
)

/** How far `ledgerDay` reaches in a time zone: it contains the postings of all seals up to this one. */
export const ledgerDaysSummed = pgTable('ledger_days_summed', {
  zone: text().primaryKey().$type<TimeZone>(),
  seal: integer().notNull(),
})

/** A month was closed, or reopened by a counter-entry; a trigger refuses postings into a closed one. */
export const monthClosing = pgTable(
  'month_closing',
  {
    /** From 1, without gaps. */
    number: integer().primaryKey(),
    kind: text().notNull().$type<(typeof closingKinds)[number]>(),
    /** `2026-11`. */
    month: text().notNull(),
    fromAt: moment().notNull(),
    untilAt: moment().notNull(),
    closedAt: moment().notNull(),
    reason: text(),
    seal: integer()
      .notNull()
      .references(() => ledgerSeal.number),
    figures: jsonb().notNull().$type<readonly AccountFigure[]>(),
    /** What stands for figures and files. */
    root: text().notNull(),
    /** Contains the closing before. */
    hash: text().notNull(),
  },
  (t) => [
    check('month_closing_kind_known', oneOf(t.kind, closingKinds)),
    check('month_reopened_with_reason', sql`(${t.kind} = 'reopened') = (${t.reason} is not null)`),
  ],
)

export const closedFile = pgTable(
  'closed_file',
  {
    closing: integer()
      .notNull()
      .references(() => monthClosing.number),
    name: text().notNull(),
    /** Whose statement it is. */
    partnerId: integer()
      .$type<UserId>()
      .references(() => appUser.id),
    /** From 0: a large file has several rows, since a backup handles hundreds of rows at once. */
    part: integer().notNull().default(0),
    bytes: bytes().notNull(),
    /** Of the whole file. */
    hash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.closing, t.name, t.part] })],
)
