import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { raffleStates, type Beacon, type RaffleState } from '#domain/raffles/raffle.ts'
import { product } from '#server/catalog/schema.ts'
import { knownLanguage, language, moment, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId, ProductId } from '#shared/ids.ts'

export const raffle = pgTable(
  'raffle',
  {
    id: serial().primaryKey(),
    /** Part of its address. */
    slug: text().notNull().unique(),
    title: text().notNull(),
    words: text().notNull(),
    /** The prize: one piece, in a color and size that the winner chooses. */
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    /** Where entrants may live. */
    countries: jsonb().notNull().$type<string[]>(),
    state: text().notNull().default('draft').$type<RaffleState>(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** When the announced round is published. */
    drawAt: moment().notNull(),
    /** As the settings were when it was announced. */
    ageMin: integer().notNull(),
    claimDays: integer().notNull(),
    beacon: jsonb().$type<Beacon>(),
    round: bigint({ mode: 'number' }),
    entriesHash: text(),
    /** Entries that were frozen. */
    entryCount: integer(),
    frozenAt: moment(),
    /** Of the announced round, hex. */
    signature: text(),
    randomness: text(),
    /** When the prize was claimed, or nobody was left to draw. */
    settledAt: moment(),
    /** When the entries were deleted. */
    erasedAt: moment(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index('raffle_running')
      .on(t.id)
      .where(sql`${t.erasedAt} is null`),
    check('raffle_state_known', oneOf(t.state, raffleStates)),
    check(
      'raffle_announced',
      sql`${t.state} in ('draft', 'closed') or (${t.beacon} is not null and ${t.round} is not null)`,
    ),
    check('raffle_frozen', sql`(${t.frozenAt} is null) = (${t.entriesHash} is null)`),
    check('raffle_dates_in_order', sql`${t.startsAt} < ${t.endsAt} and ${t.endsAt} < ${t.drawAt}`),
  ],
)

/** What entrants sent; deleted on the day the rules say. */
export const raffleEntry = pgTable(
  'raffle_entry',
  {
    id: serial().primaryKey(),
    raffleId: integer()
      .notNull()
      .references(() => raffle.id),
    /** In lower case. */
    email: text().notNull(),
    /** The same for all addresses of one inbox. */
    entrant: text().notNull(),
    language: language(),
    country: text().notNull(),
    /** Random; with the email address it gives the commitment. Only the entrant gets it. */
    secret: text().notNull(),
    confirmedAt: moment(),
    createdAt: moment().notNull(),
  },
  (t) => [
    knownLanguage('raffle_entry_language_known', t.language),
    unique('raffle_entry_of_address').on(t.raffleId, t.email),
    uniqueIndex('raffle_entry_once')
      .on(t.raffleId, t.entrant)
      .where(sql`${t.confirmedAt} is not null`),
    index('raffle_entry_of_person').on(t.email),
  ],
)

/** A link to an entry. */
export const raffleAccess = pgTable(
  'raffle_access',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    entryId: integer()
      .notNull()
      .references(() => raffleEntry.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.entryId)],
)

/** The frozen entries, as published. They outlive the entries. */
export const raffleCommitment = pgTable(
  'raffle_commitment',
  {
    raffleId: integer()
      .notNull()
      .references(() => raffle.id),
    commitment: text().notNull(),
    entryId: integer().references(() => raffleEntry.id, { onDelete: 'set null' }),
  },
  (t) => [primaryKey({ columns: [t.raffleId, t.commitment] }), index().on(t.entryId)],
)

/** A winner. The first is number 0; each that doesn't claim the prize is followed by the next. */
export const raffleDraw = pgTable(
  'raffle_draw',
  {
    raffleId: integer()
      .notNull()
      .references(() => raffle.id),
    number: integer().notNull(),
    commitment: text().notNull(),
    drawnAt: moment().notNull(),
    claimUntil: moment().notNull(),
    /** No longer theirs: not claimed in time, or the entry was withdrawn. */
    lapsedAt: moment(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
  },
  (t) => [
    primaryKey({ columns: [t.raffleId, t.number] }),
    check('raffle_draw_ends_once', sql`${t.lapsedAt} is null or ${t.orderId} is null`),
  ],
)
