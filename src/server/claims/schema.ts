import { fits, type Fit } from '#domain/orders/fit.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, serial, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { EpochDay } from '#domain/catalog/arrival.ts'
import {
  claimKinds,
  claimOutcomes,
  claimReasons,
  claimStates,
  type ClaimedPieces,
  type ClaimKind,
  type ClaimOutcome,
  type ClaimReason,
  type ClaimState,
} from '#domain/claims/claim.ts'
import {
  noticeKinds,
  noticeStates,
  parcelChoices,
  type NoticeKind,
  type NoticeState,
  type ParcelChoice,
} from '#domain/claims/parcel-notice.ts'
import { bytes, moment, money, oneOf } from '#server/db/columns.ts'
import { shipment, shopOrder } from '#server/orders/schema.ts'
import type { OrderId } from '#shared/ids.ts'

/** A shopper's claim about pieces of an order, or the withdrawal from their purchase. */
export const claim = pgTable(
  'claim',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    kind: text().notNull().$type<ClaimKind>(),
    /** Null for a withdrawal. */
    reason: text().$type<ClaimReason>(),
    fit: text().$type<Fit>(),
    pieces: jsonb().notNull().$type<ClaimedPieces>(),
    /** Chosen by the browser, so a repeated submission is the same claim. */
    submission: uuid().notNull(),
    /** The name with which the shopper declared a withdrawal. */
    declaredName: text(),
    state: text().notNull().default('open').$type<ClaimState>(),
    outcome: text().$type<ClaimOutcome>(),
    /** Refunded by its decision. */
    amountCents: money(),
    openedAt: moment().notNull(),
    /** Since when it waits for the owner; null while it waits for the shopper, or is resolved. */
    waitingSince: moment(),
    resolvedAt: moment(),
    /** Until when the printer replaces or credits the goods; null if that is not up to the printer. */
    printerDeadlineAt: moment(),
    /** When the owner told the printer, and the printer's cost of the order then; no cost where no credit is expected. */
    printerToldAt: moment(),
    printerCostCents: money(),
  },
  (t) => [
    unique().on(t.orderId, t.submission),
    index('claim_waiting')
      .on(t.waitingSince, t.id)
      .where(sql`${t.waitingSince} is not null`),
    index().on(t.openedAt),
    check('claim_kind_known', oneOf(t.kind, claimKinds)),
    check('claim_reason_known', oneOf(t.reason, claimReasons)),
    check('claim_has_reason', sql`(${t.kind} = 'claim') = (${t.reason} is not null)`),
    check('claim_fit_known', oneOf(t.fit, fits)),
    check('claim_state_known', oneOf(t.state, claimStates)),
    check('claim_outcome_known', oneOf(t.outcome, claimOutcomes)),
    check('claim_waits_while_open', sql`(${t.state} = 'open') = (${t.waitingSince} is not null)`),
    check(
      'claim_resolved_whole',
      sql`(${t.state} = 'resolved') = (${t.resolvedAt} is not null) and (${t.outcome} is null) = (${t.resolvedAt} is null)`,
    ),
  ],
)

/** What a shopper was told about a parcel that is late, lost or returned, once each, and what they chose. */
export const parcelNotice = pgTable(
  'parcel_notice',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** Null: about what had not shipped. */
    shipmentId: bigint({ mode: 'number' }).references(() => shipment.id),
    kind: text().notNull().$type<NoticeKind>(),
    pieces: jsonb().notNull().$type<ClaimedPieces>(),
    /** The new days; null where none could be named. */
    expectedFrom: integer().$type<EpochDay>(),
    expectedTo: integer().$type<EpochDay>(),
    state: text().notNull().default('open').$type<NoticeState>(),
    choice: text().$type<ParcelChoice>(),
    toldAt: moment().notNull(),
    chosenAt: moment(),
    /** The refund or new parcel that was chosen. */
    claimId: integer().references(() => claim.id),
  },
  (t) => [
    unique('parcel_notice_once').on(t.orderId, t.kind, t.shipmentId).nullsNotDistinct(),
    index().on(t.shipmentId),
    index('parcel_notice_late')
      .on(t.orderId)
      .where(sql`${t.kind} in ('late', 'lost') and ${t.state} in ('open', 'waits')`),
    check('parcel_notice_kind_known', oneOf(t.kind, noticeKinds)),
    check('parcel_notice_state_known', oneOf(t.state, noticeStates)),
    check('parcel_notice_choice_known', oneOf(t.choice, parcelChoices)),
    check('parcel_notice_decided_whole', sql`(${t.state} = 'decided') = (${t.claimId} is not null)`),
  ],
)

export const claimMessage = pgTable(
  'claim_message',
  {
    id: serial().primaryKey(),
    claimId: integer()
      .notNull()
      .references(() => claim.id, { onDelete: 'cascade' }),
    isOwner: boolean().notNull(),
    words: text().notNull(),
    writtenAt: moment().notNull(),
  },
  (t) => [index().on(t.claimId)],
)

/** A shopper's photo, as WebP without metadata. Without a claim it was uploaded a moment ago, or never sent. */
export const claimPhoto = pgTable(
  'claim_photo',
  {
    /** Random, part of its address. */
    id: uuid().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    claimId: integer().references(() => claim.id, { onDelete: 'cascade' }),
    body: bytes().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId),
    index().on(t.claimId),
    index('claim_photo_unused')
      .on(t.createdAt)
      .where(sql`${t.claimId} is null`),
  ],
)
