import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  dropDecisions,
  dropStates,
  editionStates,
  numberRules,
  pieceStates,
  placeStates,
  type DropDecision,
  type DropState,
  type EditionState,
  type NumberRule,
  type PieceState,
  type PlaceState,
} from '#domain/drops/drop.ts'
import { collection, product } from '#server/catalog/schema.ts'
import { knownLanguage, language, bigId, moment, oneOf } from '#server/db/columns.ts'
import type { CheckoutId, OrderId, ProductId, SessionId, VariantId } from '#shared/ids.ts'

/** A limited sale of one product, or of a collection. */
export const drop = pgTable(
  'drop',
  {
    id: serial().primaryKey(),
    title: text().notNull(),
    productId: integer()
      .$type<ProductId>()
      .references(() => product.id),
    collectionId: text().references(() => collection.id),
    /** What the owner decided last; the state that people see follows from it, the time and the pieces. */
    decision: text().notNull().default('draft').$type<DropDecision>(),
    startsAt: moment().notNull(),
    /** The first moment after it. */
    endsAt: moment(),
    /** Null: as many as are ordered until it ends. */
    pieces: integer(),
    limitPerPerson: integer().notNull(),
    earlyMinutes: integer().notNull().default(0),
    /** Codes of carts with early access. */
    earlyCodes: text().array().notNull(),
    /** Subscribers of the newsletter have early access. */
    isEarlyForReaders: boolean().notNull().default(false),
    /** How many are let in from its waiting room every minute; null: it has none. */
    roomPerMinute: integer(),
    numberRule: text().notNull().$type<NumberRule>(),
    /** The highest number given so far. */
    lastNumber: integer().notNull().default(0),
    /** When it was first scheduled: what was being paid for then is not part of it. */
    scheduledAt: moment(),
    /** As pages were last told: a change of it renews them. */
    shownState: text().notNull().default('draft').$type<DropState>(),
    isShownEarly: boolean().notNull().default(false),
    /** The name of the picture that a link to its page shows, once it is made. */
    sharePicture: text(),
    /** When those who wanted to know were told that it began. */
    announcedAt: moment(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.productId),
    index().on(t.collectionId),
    check('drop_is_of_something', sql`(${t.productId} is null) <> (${t.collectionId} is null)`),
    check('drop_decision_known', oneOf(t.decision, dropDecisions)),
    check('drop_shown_known', oneOf(t.shownState, dropStates)),
    check('drop_rule_known', oneOf(t.numberRule, numberRules)),
    check('drop_ends_after_start', sql`${t.endsAt} is null or ${t.endsAt} > ${t.startsAt}`),
    check('drop_is_limited', sql`${t.endsAt} is not null or ${t.pieces} is not null`),
    check('drop_numbers', sql`${t.lastNumber} >= 0 and ${t.limitPerPerson} > 0 and ${t.earlyMinutes} >= 0`),
    check('drop_room_moves', sql`${t.roomPerMinute} is null or ${t.roomPerMinute} > 0`),
    check('drop_not_oversold', sql`${t.pieces} is null or ${t.lastNumber} <= ${t.pieces}`),
  ],
)

/** A piece that exists once. A drop without a number of pieces makes them as they are reserved. */
export const dropPiece = pgTable(
  'drop_piece',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    state: text().notNull().default('free').$type<PieceState>(),
    /** Of a reserved or sold piece; no foreign key, because released checkouts are deleted. */
    checkoutId: uuid().$type<CheckoutId>(),
    /** Of a piece that was set aside. */
    placeId: integer().references(() => dropPlace.id),
  },
  (t) => [
    index('drop_piece_free')
      .on(t.dropId, t.id)
      .where(sql`${t.state} = 'free'`),
    index('drop_piece_of_drop').on(t.dropId, t.state),
    index().on(t.checkoutId),
    index().on(t.placeId),
    check('drop_piece_state_known', oneOf(t.state, pieceStates)),
    check('drop_piece_has_checkout', sql`(${t.state} in ('reserved', 'sold')) = (${t.checkoutId} is not null)`),
    check('drop_piece_has_place', sql`${t.state} <> 'offered' or ${t.placeId} is not null`),
  ],
)

/** What a checkout has of a drop: reserved until a moment, or sold. */
export const dropHold = pgTable(
  'drop_hold',
  {
    checkoutId: uuid().notNull().$type<CheckoutId>(),
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    quantity: integer().notNull(),
    /** When a reservation ends; null: sold. */
    until: moment(),
    /** Digests of what says that two buyers are one person: email, door, session, card. */
    persons: text().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.checkoutId, t.dropId] }),
    index().on(t.dropId),
    index('drop_hold_lapsing')
      .on(t.until)
      .where(sql`${t.until} is not null`),
    index('drop_hold_persons').using('gin', t.persons),
    check('drop_hold_quantity', sql`${t.quantity} >= 0`),
  ],
)

/** A numbered piece, from its sale on. */
export const edition = pgTable(
  'edition',
  {
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    /** From 1, in the order of the sales. */
    number: integer().notNull(),
    state: text().notNull().default('issued').$type<EditionState>(),
    /** The order that it was sold with last; its table is the orders'. */
    orderId: integer().notNull().$type<OrderId>(),
    /** The order's line. */
    position: smallint().notNull(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    variantId: bigId<VariantId>().notNull(),
    issuedAt: moment().notNull(),
    /** Counts its holders, also the one that it was sold to. Links of former ones open nothing. */
    holder: integer().notNull().default(1),
    /** Whether its buyer has given it to somebody else. */
    isGiven: boolean().notNull().default(false),
    /** Whom the present holder wants to give it to. */
    nextEmail: text(),
    nextAskedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.dropId, t.number] }),
    index().on(t.orderId),
    check('edition_state_known', oneOf(t.state, editionStates)),
    check('edition_number_positive', sql`${t.number} > 0 and ${t.holder} > 0`),
  ],
)

/** What happened to a numbered piece, as its certificate shows it; nobody is named. */
export const editionStep = pgTable(
  'edition_step',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    dropId: integer().notNull(),
    number: integer().notNull(),
    kind: text().notNull().$type<'sold' | 'given' | 'returned' | 'retired'>(),
    at: moment().notNull(),
  },
  (t) => [
    index().on(t.dropId, t.number),
    check('edition_step_known', oneOf(t.kind, ['sold', 'given', 'returned', 'retired'])),
  ],
)

/** Somebody who wants to know when a drop begins. */
export const dropNotice = pgTable(
  'drop_notice',
  {
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    email: text().notNull(),
    language: language(),
    createdAt: moment().notNull(),
  },
  (t) => [
    knownLanguage('drop_notice_language_known', t.language),
    primaryKey({ columns: [t.dropId, t.email] }),
    index('drop_notice_of_email').on(t.email),
  ],
)

/** A place on the waiting list of a drop that is sold out. They are served in the order of `queuedAt`. */
export const dropPlace = pgTable(
  'drop_place',
  {
    id: serial().primaryKey(),
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    /** In lower case. */
    email: text().notNull(),
    language: language(),
    state: text().notNull().default('waiting').$type<PlaceState>(),
    /** While a piece is set aside. */
    offerUntil: moment(),
    /** The browser that opened the offer's link. */
    sessionId: text().$type<SessionId>(),
    queuedAt: moment().notNull(),
  },
  (t) => [
    knownLanguage('drop_place_language_known', t.language),
    uniqueIndex('drop_place_of_email').on(t.dropId, t.email),
    index('drop_place_waiting')
      .on(t.dropId, t.queuedAt, t.id)
      .where(sql`${t.state} = 'waiting'`),
    index('drop_place_offered')
      .on(t.offerUntil)
      .where(sql`${t.state} = 'offered'`),
    index('drop_place_person').on(t.email),
    check('drop_place_state_known', oneOf(t.state, placeStates)),
  ],
)

/** The door of a drop's waiting room. */
export const dropRoom = pgTable(
  'drop_room',
  {
    dropId: integer()
      .primaryKey()
      .references(() => drop.id),
    /** Drawn at the start: those who came before it follow each other by its digest with their ids. */
    seed: text(),
    /** Turns given so far, and how many of them were let in. */
    lastTurn: integer().notNull().default(0),
    letInTurn: integer().notNull().default(0),
    letInAt: moment().notNull(),
  },
  (t) => [check('drop_room_turns', sql`${t.letInTurn} >= 0 and ${t.letInTurn} <= ${t.lastTurn}`)],
)

/** A session in a waiting room. Deleted a day later. */
export const dropGuest = pgTable(
  'drop_guest',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    dropId: integer()
      .notNull()
      .references(() => drop.id),
    sessionId: text().notNull().$type<SessionId>(),
    /** A digest of the internet connection that it came from. */
    network: text().notNull(),
    arrivedAt: moment().notNull(),
    /** Null until the room gave turns again. */
    turn: integer(),
    /** Let in, and until when; null: not yet. */
    until: moment(),
    /** When it showed up after it was called. */
    enteredAt: moment(),
    /** What was reserved with it. */
    checkoutId: uuid().$type<CheckoutId>(),
  },
  (t) => [
    uniqueIndex('drop_guest_of_session').on(t.sessionId, t.dropId),
    index('drop_guest_turns').on(t.dropId, t.turn),
    index('drop_guest_new')
      .on(t.dropId)
      .where(sql`${t.turn} is null`),
    index('drop_guest_visiting')
      .on(t.dropId, t.until)
      .where(sql`${t.until} is not null`),
    index('drop_guest_networks').on(t.dropId, t.network),
    index().on(t.arrivedAt),
  ],
)
