import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, serial, text, uuid } from 'drizzle-orm/pg-core'
import {
  giftCardMovements,
  giftCardStates,
  type GiftCardMovement,
  type GiftCardState,
} from '#domain/gift-cards/gift-card.ts'
import { moment, money, notNegative, oneOf } from '#server/db/columns.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'

/** A gift card or store credit, in US dollars. Its code alone spends it. */
export const giftCard = pgTable(
  'gift_card',
  {
    id: serial().primaryKey(),
    /** Identifies the owner's request, so that repeating it makes no second card; null for a refund. */
    requestKey: uuid().unique(),
    /** SHA-256 of the code, hex. */
    codeHash: text().notNull().unique(),
    /** Random, hex. With the shop's secret it gives the code again, for the email. */
    seed: text().notNull(),
    /** The last characters of the code, for people. */
    lastFour: text().notNull(),
    state: text().notNull().default('active').$type<GiftCardState>(),
    /** What it was worth at first. */
    issuedCents: money().notNull(),
    /** The sum of its movements. A part of it can be held for checkouts. */
    balanceCents: money().notNull(),
    /** Why it was given, for the owner. */
    reason: text().notNull(),
    /** Who got the code by email. */
    recipientEmail: text(),
    /** Since when it can't be used, because the payment that bought it is disputed. */
    frozenAt: moment(),
    /** What went back to its payer and is not taken from it yet: what comes onto the card goes there first. */
    lostCents: money().notNull().default(ZERO),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.lastFour),
    index('gift_card_of_email').on(sql`lower(${t.recipientEmail})`),
    check('gift_card_state_known', oneOf(t.state, giftCardStates)),
    notNegative('gift_card_amounts_not_negative', t.issuedCents, t.balanceCents, t.lostCents),
    check('gift_card_void_is_empty', sql`${t.state} <> 'void' or ${t.balanceCents} = 0`),
  ],
)

/** Each is a part of the ledger's posting of that key. */
export const giftCardMovement = pgTable(
  'gift_card_movement',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    giftCardId: integer()
      .notNull()
      .references(() => giftCard.id),
    kind: text().notNull().$type<GiftCardMovement>(),
    /** Positive: onto the card. */
    amountCents: money().notNull(),
    /** Such as `sale:stripe:pi_1`. */
    postingKey: text().notNull().unique(),
    orderNumber: text().$type<OrderNumber>(),
    movedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.giftCardId),
    check('gift_card_movement_kind_known', oneOf(t.kind, giftCardMovements)),
    check(
      'gift_card_movement_has_its_sign',
      sql`case when ${t.kind} in ('use', 'void') then ${t.amountCents} < 0 else ${t.amountCents} > 0 end`,
    ),
  ],
)
