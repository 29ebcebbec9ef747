import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, serial, text, unique, uuid } from 'drizzle-orm/pg-core'
import {
  claimFits,
  claimKinds,
  claimOutcomes,
  claimReasons,
  claimStates,
  type ClaimedPieces,
  type ClaimFit,
  type ClaimKind,
  type ClaimOutcome,
  type ClaimReason,
  type ClaimState,
} from '#domain/claims/claim.ts'
import { bytes, moment, money, oneOf } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
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
    fit: text().$type<ClaimFit>(),
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
    /** When the owner told the printer, and the printer's cost of the order then. */
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
    check('claim_fit_known', oneOf(t.fit, claimFits)),
    check('claim_state_known', oneOf(t.state, claimStates)),
    check('claim_outcome_known', oneOf(t.outcome, claimOutcomes)),
    check('claim_waits_while_open', sql`(${t.state} = 'open') = (${t.waitingSince} is not null)`),
    check(
      'claim_resolved_whole',
      sql`(${t.state} = 'resolved') = (${t.resolvedAt} is not null) and (${t.outcome} is null) = (${t.resolvedAt} is null)`,
    ),
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
