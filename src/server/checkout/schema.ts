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
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { PhoneOrderRequest } from '#contract/phone-orders.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { Language } from '#shared/language.ts'
import { devices, type Device } from '#domain/visits/visits.ts'
import { codeStates, type CodeRule, type CodeState } from '#domain/codes/code.ts'
import { appUser, session } from '#server/accounts/schema.ts'
import { knownLanguage, language, moment, money, notNegative, oneOf } from '#server/db/columns.ts'
import { giftCard } from '#server/gift-cards/schema.ts'
import type {
  CheckoutId,
  OrderNumber,
  Payer,
  PaymentProvider,
  ProductId,
  SessionId,
  UserId,
  VariantId,
} from '#shared/ids.ts'
import type { CheckoutState } from '#domain/checkout/status.ts'

export const checkout = pgTable(
  'checkout',
  {
    id: uuid().primaryKey().$type<CheckoutId>(),
    /** The session that started it; no foreign key, because a checkout outlives its session. */
    sessionId: text().notNull().$type<SessionId>(),
    state: text().notNull().$type<CheckoutState>(),
    orderNumber: text().notNull().unique().$type<OrderNumber>(),
    /** The current frozen version. */
    quoteHash: text().notNull(),
    currency: text().notNull().default('usd'),
    country: text().notNull(),
    /** The class of device that it was started with; null if unknown, as by phone. */
    device: text().$type<Device>(),
    /** Of its pages; the order’s emails have it too. */
    language: language(),
    subtotalCents: money().notNull(),
    shippingCents: money().notNull(),
    /** Part of shipping. */
    surchargeCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    totalCents: money().notNull(),
    provider: text().$type<PaymentProvider>(),
    providerPaymentId: text(),
    clientSecret: text(),
    /** The version that the provider's payment was last created or updated for. */
    intentQuoteHash: text(),
    /** Counts requests to the provider: each attempt needs its own idempotency key. */
    attempt: integer().notNull().default(0),
    /** The version of the terms that the shopper agreed to, and when; null if not asked. */
    termsVersion: text(),
    termsAcceptedAt: moment(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [
    unique().on(t.provider, t.providerPaymentId),
    uniqueIndex('one_open_checkout_per_session')
      .on(t.sessionId)
      .where(sql`${t.state} = 'open'`),
    index().on(t.sessionId),
    index('checkout_open_since')
      .on(t.updatedAt)
      .where(sql`${t.state} = 'open'`),
    check(
      'checkout_total_adds_up',
      sql`${t.totalCents} = ${t.subtotalCents} + ${t.shippingCents} + ${t.taxCents} + ${t.vatProtectionCents}`,
    ),
    check('checkout_surcharge_within_shipping', sql`${t.surchargeCents} <= ${t.shippingCents}`),
    notNegative(
      'checkout_amounts_not_negative',
      t.subtotalCents,
      t.shippingCents,
      t.surchargeCents,
      t.taxCents,
      t.vatProtectionCents,
    ),
    check('checkout_currency_usd', sql`${t.currency} = 'usd'`),
    check('checkout_device_known', oneOf(t.device, devices)),
    knownLanguage('checkout_language_known', t.language),
    index('checkout_by_creation').on(t.createdAt),
    check('checkout_state_known', sql`${t.state} in ('open', 'held', 'paid', 'exception', 'released')`),
  ],
)

/** A checkout's payment start: unpaid starts are limited by address. Deleted after a week. */
export const paymentStart = pgTable(
  'payment_start',
  {
    checkoutId: uuid()
      .primaryKey()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    /** A hash of the internet address. */
    payer: text().notNull().$type<Payer>(),
    startedAt: moment().notNull(),
    /** Whether cards were open at the last start. */
    isCardOpen: boolean().notNull(),
    paidAt: moment(),
  },
  (t) => [
    index('payment_start_unpaid')
      .on(t.payer, t.startedAt)
      .where(sql`${t.paidAt} is null`),
    index('payment_start_paid')
      .on(t.payer, t.paidAt)
      .where(sql`${t.paidAt} is not null`),
    index().on(t.startedAt),
  ],
)

/** A declined card or wallet payment, counted once. Deleted after a week. */
export const cardDecline = pgTable(
  'card_decline',
  {
    /** The provider's id of the charge or capture. */
    id: text().primaryKey(),
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    /** A hash of the internet address; null if the payment's start was not recorded. */
    payer: text().$type<Payer>(),
    declinedAt: moment().notNull(),
  },
  (t) => [index().on(t.checkoutId), index().on(t.payer, t.declinedAt), index().on(t.declinedAt)],
)

/**
 * Every version of a checkout that was offered for payment. The provider's payment names its version, so the order contains exactly
 * what was paid for, even if the shopper changed the cart in another tab.
 */
export const checkoutVersion = pgTable(
  'checkout_version',
  {
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    quoteHash: text().notNull(),
    /** Hash of the request (variants, quantities, addresses): equal requests within the quote's lifetime get the same version. */
    wishHash: text().notNull(),
    frozen: jsonb().notNull().$type<FrozenCheckout>(),
    frozenAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.checkoutId, t.quoteHash] }),
    index('checkout_version_of_somebody')
      .on(t.frozenAt)
      .where(sql`frozen->'customer'->>'email' <> ''`),
    index('checkout_version_of_person').on(sql`lower(${t.frozen}->'customer'->>'email')`),
  ],
)

/**
 * Every PayPal order of a checkout. Unlike a card's intent it cannot be paid without us: the shop captures it, only while the checkout
 * is open.
 */
export const walletOrder = pgTable(
  'wallet_order',
  {
    /** PayPal's order id. */
    id: text().primaryKey(),
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    /** Its version; its amount never changes. */
    quoteHash: text().notNull(),
    /** Counts the checkout's PayPal orders: each has its own invoice id. */
    attempt: integer().notNull(),
    /** Counts refused captures: the next one needs a new request id. */
    refusals: integer().notNull().default(0),
    /** PayPal's issue and message of the last refused capture. */
    refusal: jsonb().$type<{ issue: string; sentence: string }>(),
    /**
     * While a capture is running, or its result is unknown, no other may start before this time; null otherwise. The time also identifies
     * the capture.
     */
    captureUntil: moment(),
    createdAt: moment().notNull(),
    /** When the sweep checks it next; null once it no longer matters. */
    lookAt: moment(),
  },
  (t) => [
    index().on(t.checkoutId, t.quoteHash),
    index('wallet_order_to_look_at')
      .on(t.lookAt)
      .where(sql`${t.lookAt} is not null`),
  ],
)

/** With the names of when it was taken, for lists. */
type PhonePieces = { variantId: VariantId; quantity: number; productName: string; variantName: string | null }[]

/** An order that the owner took by phone. It becomes an order like any other once its customer has paid by the emailed link. */
export const phoneOrder = pgTable(
  'phone_order',
  {
    id: serial().primaryKey(),
    /** Chosen by the owner's form, so a repeated submission is the same order. */
    requestKey: uuid().notNull().unique(),
    /** Its own, which no browser has: the cart and the checkout of the order. */
    sessionId: text().notNull().unique().$type<SessionId>(),
    /** Those of the release before languages have none. */
    customer: jsonb().notNull().$type<Omit<PhoneOrderRequest['customer'], 'language'> & { language?: Language }>(),
    pieces: jsonb().notNull().$type<PhonePieces>(),
    /** The click that makes it a partner's sale; null: nobody's. */
    click: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    canceledAt: moment(),
  },
  (t) => [index().on(t.expiresAt)],
)

/** A code that takes something off, or an automatic discount. Only `state` ever changes. */
export const code = pgTable(
  'code',
  {
    id: serial().primaryKey(),
    /** `RUDY10`: capital letters, digits, hyphens. Of an automatic discount, the name that shoppers see. */
    code: text().notNull().unique(),
    /** Used in every cart that it fits, and never typed. */
    isAutomatic: boolean().notNull().default(false),
    /** Whose sale it makes an order. */
    partnerId: integer()
      .$type<UserId>()
      .references(() => appUser.id),
    /** Within the owner's bounds; that partner may end it. */
    isMadeByPartner: boolean().notNull().default(false),
    state: text().notNull().default('active').$type<CodeState>(),
    rule: jsonb().notNull().$type<CodeRule>(),
    startsAt: moment(),
    /** The first moment at which it can't be used any more. */
    endsAt: moment(),
    usesMax: integer(),
    usesMaxPerPerson: integer(),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId),
    index('code_automatic')
      .on(t.id)
      .where(sql`${t.isAutomatic} and ${t.state} = 'active'`),
    check('code_state_known', oneOf(t.state, codeStates)),
    check('code_maker_known', sql`${t.partnerId} is not null or not ${t.isMadeByPartner}`),
    check('code_limits_positive', sql`coalesce(${t.usesMax}, 1) > 0 and coalesce(${t.usesMaxPerPerson}, 1) > 0`),
  ],
)

/** The codes of a session's cart. */
export const sessionCode = pgTable(
  'session_code',
  {
    sessionId: text()
      .notNull()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    codeId: integer()
      .notNull()
      .references(() => code.id),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.codeId] }), index().on(t.codeId)],
)

/** The gift card of a session's cart. */
export const sessionGiftCard = pgTable(
  'session_gift_card',
  {
    sessionId: text()
      .primaryKey()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    giftCardId: integer()
      .notNull()
      .references(() => giftCard.id),
  },
  (t) => [index().on(t.giftCardId)],
)

/** What a gift card pays of a checkout. It is held while the checkout is open or under review. */
export const giftCardHold = pgTable(
  'gift_card_hold',
  {
    checkoutId: uuid()
      .primaryKey()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    giftCardId: integer()
      .notNull()
      .references(() => giftCard.id),
    amountCents: money().notNull(),
  },
  (t) => [index().on(t.giftCardId), check('gift_card_hold_positive', sql`${t.amountCents} > 0`)],
)

/** The codes that a checkout's frozen quote contains. It counts as a use unless the checkout was released. */
export const codeUse = pgTable(
  'code_use',
  {
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    codeId: integer()
      .notNull()
      .references(() => code.id),
  },
  (t) => [primaryKey({ columns: [t.checkoutId, t.codeId] }), index().on(t.codeId)],
)

/** A line of a saved cart. */
export type SavedLine = { productId: ProductId; variantId: VariantId; quantity: number }

/** A cart that a link opens on any device. Deleted after 30 days. */
export const savedCart = pgTable(
  'saved_cart',
  {
    id: serial().primaryKey(),
    /** SHA-256 of the link's token, hex; null until a reminder is sent. */
    tokenHash: text().unique(),
    /** Of a reminder: the cart that is asked after. */
    sessionId: text()
      .unique()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'set null' }),
    /** Of a reminder, in lower case. */
    email: text(),
    language: language(),
    lines: jsonb().notNull().$type<SavedLine[]>(),
    codes: jsonb().notNull().$type<string[]>(),
    createdAt: moment().notNull(),
    remindAt: moment(),
    remindedAt: moment(),
  },
  (t) => [
    knownLanguage('saved_cart_language_known', t.language),
    index('saved_cart_reminder')
      .on(t.remindAt)
      .where(sql`${t.remindedAt} is null and ${t.remindAt} is not null`),
    index().on(t.createdAt),
    index('saved_cart_of_person')
      .on(t.email)
      .where(sql`${t.email} is not null`),
  ],
)
