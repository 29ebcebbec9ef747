import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  type AttributionObjection,
  type PartnerState,
  attributionObjections,
  partnerStates,
} from '#domain/partners/attribution.ts'
import { type CommissionKind, commissionKinds } from '#domain/partners/commission.ts'
import type { PayoutAccount } from '#domain/partners/payout-account.ts'
import { appUser } from '#server/accounts/schema.ts'
import { product } from '#server/catalog/schema.ts'
import { checkout, code } from '#server/checkout/schema.ts'
import { moment, money, oneOf } from '#server/db/columns.ts'
import { orderLine } from '#server/orders/schema.ts'
import type { CheckoutId, OrderId, ProductId, UserId } from '#shared/ids.ts'

/** Sends shoppers and earns a share. Has the id of its user, also in the ledger. */
export const partner = pgTable(
  'partner',
  {
    id: integer()
      .primaryKey()
      .$type<UserId>()
      .references(() => appUser.id),
    displayName: text().notNull(),
    /** The partner's channel, if known. */
    channelUrl: text(),
    /** The short code of the partner's main link, in lower case. */
    code: text().notNull().unique(),
    state: text().notNull().default('active').$type<PartnerState>(),
    joinedAt: moment().notNull(),
  },
  (t) => [check('partner_state_known', oneOf(t.state, partnerStates))],
)

/** A partner's rate from a time on, for everything or for one product. The newest started rate counts. */
export const partnerRate = pgTable(
  'partner_rate',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** Null: everything without its own rate. */
    productId: integer()
      .$type<ProductId>()
      .references(() => product.id),
    /** Hundredths of a percent: 1200 is 12%. */
    basisPoints: smallint().notNull(),
    startsAt: moment().notNull(),
    createdAt: moment().notNull(),
    /** When the partner was notified. */
    announcedAt: moment(),
  },
  (t) => [
    index().on(t.partnerId, t.startsAt),
    index().on(t.productId),
    check('partner_rate_in_range', sql`${t.basisPoints} between 0 and 1500`),
  ],
)

/** A short link to a page of the shop that attributes visitors to a partner. */
export const affiliateLink = pgTable(
  'affiliate_link',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** In lower case; the part after `/r/`. */
    code: text().notNull().unique(),
    /** A path in the shop. */
    path: text().notNull(),
    /** The partner's name for it, or empty. */
    campaign: text().notNull().default(''),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId, t.id),
    check('affiliate_link_to_a_page', sql`left(${t.path}, 1) = '/' and substr(${t.path}, 2, 1) not in ('/', chr(92))`),
  ],
)

/** A click, without personal data except whether the partner made it. The browser's cookie holds its id. */
export const affiliateClick = pgTable(
  'affiliate_click',
  {
    /** Random; stored in the cookie. */
    id: uuid().primaryKey(),
    linkId: integer()
      .notNull()
      .references(() => affiliateLink.id),
    /** Where the link led at that time. */
    path: text().notNull(),
    clickedAt: moment().notNull(),
    /** When something was first added to a cart after it. */
    cartedAt: moment(),
    /** Made by the partner, in a browser where they are or were last signed in. */
    isOwn: boolean().notNull().default(false),
  },
  (t) => [index().on(t.linkId, t.clickedAt), index().on(t.clickedAt)],
)

/** Attributes a checkout, and its order, to a partner: by a code in it, or else by the last click before it was frozen. */
export const attribution = pgTable(
  'attribution',
  {
    checkoutId: uuid()
      .primaryKey()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** Null: by a code. */
    linkId: integer().references(() => affiliateLink.id),
    codeId: integer().references(() => code.id),
    /** Of the click; by a code, when the checkout was frozen. */
    clickedAt: moment().notNull(),
    /** The owner's rule when it was frozen: commission on the price before discounts. */
    isBeforeDiscounts: boolean().notNull().default(false),
    /** Why it earns nothing; null if it counts. */
    objection: text().$type<AttributionObjection>(),
    frozenAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId, t.frozenAt),
    index().on(t.linkId),
    index().on(t.codeId),
    check('attribution_by_link_or_code', sql`${t.linkId} is not null or ${t.codeId} is not null`),
    check('attribution_objection_known', sql`${t.objection} is null or ${oneOf(t.objection, attributionObjections)}`),
  ],
)

/** A partner's bank account: personal data, shown in full only to an owner who has just confirmed the password. */
export const payoutAccount = pgTable('payout_account', {
  partnerId: integer()
    .primaryKey()
    .$type<UserId>()
    .references(() => partner.id),
  details: jsonb().notNull().$type<PayoutAccount>(),
  changedAt: moment().notNull(),
})

/** A payment to a partner, for the commission entries that name it. */
export const payout = pgTable(
  'payout',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** As the bank's statement shows it. */
    reference: text().notNull().unique(),
    amountCents: money().notNull(),
    /** The masked account; null if unknown or erased. */
    destination: text(),
    madeAt: moment().notNull(),
    /** When the bank returned it; its entries then wait for the next payout. */
    returnedAt: moment(),
  },
  (t) => [index().on(t.partnerId, t.madeAt), index().on(t.madeAt), check('payout_positive', sql`${t.amountCents} > 0`)],
)

/** Commission on an order's line, and its reversals. Append-only, except for the payout. */
export const commissionEntry = pgTable(
  'commission_entry',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** Null: by a code. */
    linkId: integer().references(() => affiliateLink.id),
    codeId: integer().references(() => code.id),
    orderId: integer().notNull().$type<OrderId>(),
    position: smallint().notNull(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    kind: text().notNull().$type<CommissionKind>(),
    /** The key of the posting of the sale, refund or dispute behind it. */
    cause: text().notNull(),
    /** The change of the line's amount without tax and shipping. Signed. */
    baseCents: money().notNull(),
    /** The line's rate when the order was paid. */
    basisPoints: smallint().notNull(),
    amountCents: money().notNull(),
    bookedAt: moment().notNull(),
    /** Pending before this time, approved after it. */
    approvedFrom: moment().notNull(),
    payoutId: integer().references(() => payout.id),
  },
  (t) => [
    foreignKey({
      name: 'commission_entry_of_line',
      columns: [t.orderId, t.position],
      foreignColumns: [orderLine.orderId, orderLine.position],
    }),
    unique('commission_entry_once').on(t.orderId, t.position, t.cause),
    index().on(t.partnerId, t.bookedAt, t.id),
    index().on(t.linkId, t.bookedAt),
    index().on(t.codeId, t.bookedAt),
    index().on(t.payoutId),
    index('commission_entry_unpaid')
      .on(t.partnerId, t.approvedFrom)
      .where(sql`${t.payoutId} is null`),
    check('commission_entry_kind_known', oneOf(t.kind, commissionKinds)),
  ],
)

/** A user's application to become a partner. */
export const partnerApplication = pgTable(
  'partner_application',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** How to address the partner. */
    name: text().notNull(),
    channel: text().notNull(),
    audience: text().notNull(),
    message: text().notNull(),
    email: text(),
    state: text().notNull().default('waiting').$type<'waiting' | 'accepted' | 'declined'>(),
    /** The owner's message with the decision. */
    reply: text(),
    createdAt: moment().notNull(),
    decidedAt: moment(),
  },
  (t) => [
    index().on(t.userId),
    index('partner_application_waiting')
      .on(t.createdAt, t.id)
      .where(sql`${t.state} = 'waiting'`),
    uniqueIndex('partner_application_one_waiting')
      .on(t.userId)
      .where(sql`${t.state} = 'waiting'`),
    check('partner_application_state_known', sql`${t.state} in ('waiting', 'accepted', 'declined')`),
  ],
)

/** Versions of the proposal to a partner; the rates themselves are in `partner_rate`. */
export const partnerProposal = pgTable(
  'partner_proposal',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    version: smallint().notNull(),
    shareBasisPoints: smallint().notNull(),
    /** When the share takes effect. */
    validFrom: moment().notNull(),
    offeredAt: moment().notNull(),
    acceptedAt: moment(),
    /** The exact text as offered; null for old proposals that were never accepted. */
    paragraphs: jsonb().$type<string[]>(),
  },
  (t) => [
    unique().on(t.userId, t.version),
    check('partner_proposal_share_in_range', sql`${t.shareBasisPoints} between 0 and 1500`),
  ],
)

/** A requested phone call with suggested times. */
export const callRequest = pgTable(
  'call_request',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    email: text(),
    topic: text().notNull(),
    /** ISO times, UTC. */
    times: jsonb().notNull().$type<string[]>(),
    /** The requester's IANA time zone. */
    timeZone: text().notNull(),
    state: text().notNull().default('waiting').$type<'waiting' | 'agreed' | 'declined'>(),
    agreedTime: moment(),
    reply: text(),
    createdAt: moment().notNull(),
    answeredAt: moment(),
  },
  (t) => [
    index().on(t.userId),
    index('call_request_waiting')
      .on(t.createdAt, t.id)
      .where(sql`${t.state} = 'waiting'`),
    uniqueIndex('call_request_one_waiting')
      .on(t.userId)
      .where(sql`${t.state} = 'waiting'`),
    check('call_request_state_known', sql`${t.state} in ('waiting', 'agreed', 'declined')`),
  ],
)
