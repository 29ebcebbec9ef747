import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import type { Branded } from '#shared/branded.ts'
import type {
  CartLineId,
  CheckoutId,
  OrderId,
  Payer,
  OrderNumber,
  PaymentKey,
  PaymentProvider,
  ProductId,
  SessionId,
  SyncProductId,
  UserId,
  VariantId,
} from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { changeKinds, type ChangeKind, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { FileValues } from '#domain/catalog/overrides.ts'
import type { CheckoutState, FrozenCheckout } from '#domain/checkout/checkout.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { Corrector } from '#domain/orders/correction.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'
import { movementKinds, type MovementKind } from '#domain/reconciliation/movements.ts'
import type { Account, PostingKind } from '#domain/ledger/ledger.ts'
import {
  attributionObjections,
  partnerStates,
  type AttributionObjection,
  type PartnerState,
} from '#domain/partners/attribution.ts'
import type { PayoutAccount } from '#domain/partners/payout-account.ts'
import { commissionKinds, type CommissionKind } from '#domain/partners/commission.ts'
import { payoutStatuses, type PayoutStatus } from '#domain/payments/payouts.ts'
import type { DisputeStatus, RefundParts, Pieces, RefundStatus } from '#domain/payments/returns.ts'

// Columns are snake_case in the database (casing option); amounts end in _cents, times in _at.

const moment = () => timestamp({ withTimezone: true, mode: 'date' })
const bigId = <Id extends Branded<number, string>>() => bigint({ mode: 'number' }).$type<Id>()
const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** An amount in whole cents. */
const money = (column = '') => bigint(column, { mode: 'number' }).$type<Cents>()
const notNegative = (name: string, ...columns: AnyPgColumn[]) =>
  check(
    name,
    sql.join(
      columns.map((column) => sql`${column} >= 0`),
      sql` and `,
    ),
  )

/** The shop's own state, such as the hash of the imported catalog file. */
export const setting = pgTable('setting', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/**
 * Counted violations of the pages' content security policy, without any trace of who reported them. At most `REPORTS_MAX` rows
 * (`server/admin/policy-reports.ts`).
 */
export const policyReport = pgTable(
  'policy_report',
  {
    directive: text().notNull(),
    /** An origin, or a keyword of the browser such as `inline`. */
    blocked: text().notNull(),
    page: text().notNull(),
    count: integer().notNull().default(1),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.directive, table.blocked, table.page] })],
)

// ---- people

export const appUser = pgTable('app_user', {
  id: serial().primaryKey().$type<UserId>(),
  /** The canonical form, which is unique; `shownName` is as typed. */
  username: text().notNull().unique(),
  shownName: text().notNull(),
  /** argon2id as a PHC string. */
  passwordHash: text().notNull(),
  /** In lower case; null until confirmed by an emailed link. */
  email: text().unique(),
  isPartner: boolean().notNull().default(false),
  isOwner: boolean().notNull().default(false),
  createdAt: moment().notNull().defaultNow(),
})

export const session = pgTable(
  'session',
  {
    /** SHA-256 of the cookie, hex. */
    id: text().primaryKey().$type<SessionId>(),
    userId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** The session's public name, with which its user can end it from elsewhere. */
    handle: uuid().notNull().defaultRandom(),
    createdAt: moment().notNull().defaultNow(),
    seenAt: moment().notNull().defaultNow(),
    /** When `userId` signed in, and when they last entered their password. */
    signedInAt: moment(),
    confirmedAt: moment(),
    /** Such as `Firefox on Linux`; no other data about the device are stored. */
    device: text(),
    /** The user signed in here before, whose logins are limited apart from strangers' guesses. */
    formerUserId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'set null' }),
  },
  (t) => [
    // Partial: most sessions have no user, and every new cart inserts one.
    index('session_of_user')
      .on(t.userId)
      .where(sql`${t.userId} is not null`),
    index('session_of_former_user')
      .on(t.formerUserId)
      .where(sql`${t.formerUserId} is not null`),
    index().on(t.seenAt),
    index().on(t.createdAt),
  ],
)

/**
 * What was done too often, counted for all instances together: only what came near its limit, by a hash of what is counted.
 * Unlogged, because a count that a crash of the server loses is no loss.
 */
export const rateCount = pgTable(
  'rate_count',
  {
    name: text().primaryKey(),
    count: integer().notNull(),
    until: moment().notNull(),
  },
  (t) => [index().on(t.until)],
)

/** The owner's second factor (RFC 6238): set up with `secret`, required once switched on. */
export const secondFactor = pgTable('second_factor', {
  userId: integer()
    .primaryKey()
    .$type<UserId>()
    .references(() => appUser.id, { onDelete: 'cascade' }),
  /** Base32. */
  secret: text().notNull(),
  startedAt: moment().notNull(),
  switchedOnAt: moment(),
  /** The interval of the last accepted code: a code works once. */
  lastStep: integer(),
})

/** Single-use codes for an owner who lost the second factor. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** SHA-256, hex; fast hashing is fine for 80 random bits. */
    codeHash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** `password`: set a new password. `email`: confirm an address. */
const accountRequestKinds = ['password', 'email'] as const
export type AccountRequestKind = (typeof accountRequestKinds)[number]

/** A request that an emailed link completes. Unknown usernames get one too, so that timing gives nothing away. */
export const accountRequest = pgTable(
  'account_request',
  {
    id: serial().primaryKey(),
    kind: text().notNull().$type<AccountRequestKind>(),
    /** Null for an unknown username. */
    userId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** The recipient; null for a password request, which looks it up later. */
    email: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index().on(t.userId, t.kind, t.createdAt),
    index().on(t.expiresAt),
    check('account_request_kind_known', sql`${t.kind} in ('password', 'email')`),
  ],
)

/** The link of a request, created when its email is sent. */
export const accountLink = pgTable(
  'account_link',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    requestId: integer()
      .notNull()
      .references(() => accountRequest.id, { onDelete: 'cascade' }),
  },
  (t) => [index().on(t.requestId)],
)

// ---- catalog

/** `import`: the catalog file changed. `event`: an event from the printer. `owner`: by command. */
const syncTriggers = ['import', 'schedule', 'event', 'owner'] as const
export type SyncTrigger = (typeof syncTriggers)[number]

/** `not_believed`: the printer's list was implausible, so nothing was compared. `failed`: the printer stopped answering. */
const syncStates = ['running', 'done', 'not_believed', 'failed'] as const
type SyncState = (typeof syncStates)[number]

/**
 * `waiting`: for the owner. `reverted`: was applied and undone by the owner. `superseded`: the printer changed it again before the
 * owner decided. Declined and reverted changes are not proposed again with the same values.
 */
const changeStates = ['applied', 'waiting', 'declined', 'reverted', 'superseded'] as const
export type ChangeState = (typeof changeStates)[number]

/** The table has two more generated columns for search: see the end of `migrations/0000_first.sql`. */
export const product = pgTable(
  'product',
  {
    id: integer().primaryKey().$type<ProductId>(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    description: text().notNull(),
    collection: text().notNull(),
    type: text().notNull().$type<ProductType>(),
    badge: text(),
    /** Meaningless while reviewCount is 0. */
    rating: numeric({ precision: 2, scale: 1, mode: 'number' }).notNull().default(5),
    reviewCount: integer().notNull().default(0),
    metadata: jsonb().notNull().$type<ProductMetadata>(),
    requiresOptions: boolean().notNull().default(false),
    /** The printer's product; the sync finds it by its external id, our slug. */
    syncProductId: bigId<SyncProductId>().unique(),
    /** The public mapping; only some products have one. */
    providerProductId: bigId<SyncProductId>().unique(),
    /** When the printer was queried for the stored variants; answers to earlier queries are ignored. */
    askedAt: moment(),
    /** Swatches in the order of the catalog file. */
    colors: jsonb().notNull().$type<{ name: string; hex: string }[]>(),
    visible: boolean().notNull().default(true),
    /** The owner's position in lists; products with a place come first. */
    place: smallint(),
    /** The catalog file's values of fields that the owner can override. */
    inFile: jsonb().notNull().$type<FileValues>(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.collection),
    // Few products have a surcharge, and pages query them often.
    index('product_surcharged')
      .on(t.type)
      .where(sql`(${t.metadata}->'shippingSurcharge'->'enabled')::boolean`),
    check('rating_in_scale', sql`${t.rating} between 0 and 5`),
    check('review_count_not_negative', sql`${t.reviewCount} >= 0`),
  ],
)

/**
 * The owner's values of a product; null leaves the catalog file's. The product's own columns already combine both.
 */
export const productOverride = pgTable('product_override', {
  productId: integer()
    .primaryKey()
    .$type<ProductId>()
    .references(() => product.id, { onDelete: 'cascade' }),
  /** Empty removes the file's badge. */
  badge: text(),
  description: text(),
  place: smallint(),
  visible: boolean(),
  shippingSurcharge: jsonb().$type<NonNullable<ProductMetadata['shippingSurcharge']>>(),
  restrictions: jsonb().$type<NonNullable<ProductMetadata['restrictions']>>(),
  updatedAt: moment().notNull(),
})

export const productPicture = pgTable(
  'product_picture',
  {
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    view: text().notNull(),
    color: text(),
    /** Name without width and extension; contains a content hash. */
    file: text().notNull(),
    widths: integer().array().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.position] })],
)

export const variant = pgTable(
  'variant',
  {
    /** The printer's sync variant id; real ids exceed 2^31. */
    id: bigId<VariantId>().primaryKey(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    /** The printer's catalog variant id, for shipping rates. Not the sync variant id. */
    catalogVariantId: bigint({ mode: 'number' }).notNull(),
    /** The printer's catalog product id, for stock and costs; null until the first sync. */
    blankId: bigint({ mode: 'number' }),
    position: smallint().notNull(),
    name: text().notNull(),
    color: text(),
    size: text(),
    sku: text(),
    unitPrice: money('unit_price_cents').notNull(),
    /** What the printer charges for the blank with its standard print; null if unknown. */
    costCents: money(),
    /** The printer's status: active, discontinued, out_of_stock, temporary_out_of_stock. */
    availability: text().notNull(),
    /** The printer's preview picture. Pages never link to it. */
    previewUrl: text(),
    /** When a sync no longer found it; the row stays, because orders refer to it. */
    goneAt: moment(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.productId, t.position),
    index().on(t.blankId),
    check('variant_price_positive', sql`${t.unitPrice} > 0`),
    notNegative('variant_cost_not_negative', t.costCents),
  ],
)

/** Text that sorts by code points, as in JavaScript. */
const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/**
 * One row for each visible product with something to sell, for listing and filtering. Triggers maintain it from products and variants:
 * see the end of `migrations/0000_first.sql`.
 */
export const listedProduct = pgTable(
  'listed_product',
  {
    productId: integer()
      .primaryKey()
      .$type<ProductId>()
      .references(() => product.id, { onDelete: 'cascade' }),
    collection: text().notNull(),
    type: text().notNull().$type<ProductType>(),
    /** Sorts as `sortForListing` does. */
    listingKey: plainText().notNull(),
    lowestPrice: money('lowest_price_cents').notNull(),
    available: boolean().notNull(),
    /** Such as `type:hat`, `color:Navy`, `size:XL`, `price:20-30`; every row has `all`. */
    facets: text().array().notNull(),
  },
  (t) => [
    index().on(t.listingKey, t.productId),
    index().on(t.collection, t.listingKey, t.productId),
    index().on(t.collection, t.type, t.listingKey, t.productId),
    index().on(t.type, t.listingKey, t.productId),
    index().on(t.collection, t.lowestPrice, t.productId),
    index().using('gin', t.facets),
  ],
)

/** How many listed products of a collection have a facet's value; maintained by triggers. */
export const facetCount = pgTable(
  'facet_count',
  {
    collection: text().notNull(),
    facet: text().notNull(),
    /** The swatch of a color, if the catalog file has one. */
    hex: text(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.collection, t.facet] })],
)

const oneOf = (column: AnyPgColumn, words: readonly string[]) =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`

/** A comparison of our variants with the printer's store, or with some of its products. */
export const catalogSync = pgTable(
  'catalog_sync',
  {
    id: serial().primaryKey(),
    trigger: text().notNull().$type<SyncTrigger>(),
    /** Whether all products were compared. */
    whole: boolean().notNull(),
    state: text().notNull().$type<SyncState>(),
    /** Products that the printer answered for, and their variants. */
    products: integer().notNull().default(0),
    variants: integer().notNull().default(0),
    /** What was left unchanged and why, for the owner. */
    remarks: text().array().notNull(),
    startedAt: moment().notNull(),
    finishedAt: moment(),
    /** When the owner was emailed about its waiting changes. */
    toldAt: moment(),
  },
  (t) => [
    index().on(t.startedAt),
    check('catalog_sync_trigger_known', oneOf(t.trigger, syncTriggers)),
    check('catalog_sync_state_known', oneOf(t.state, syncStates)),
  ],
)

/** A difference that a sync found, and what was decided. */
export const catalogChange = pgTable(
  'catalog_change',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    syncId: integer()
      .notNull()
      .references(() => catalogSync.id),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    /** No foreign key: a new variant has no row until it is applied. */
    variantId: bigId<VariantId>().notNull(),
    kind: text().notNull().$type<ChangeKind>(),
    /** Null when the variant did not exist, or is to be removed. */
    before: jsonb().$type<Partial<VariantCopy>>(),
    after: jsonb().$type<Partial<VariantCopy>>(),
    /** Per piece, if the change affects it and the cost is known. */
    marginBeforeCents: money(),
    marginAfterCents: money(),
    state: text().notNull().$type<ChangeState>(),
    /** When it reached this state. */
    decidedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.syncId),
    index('catalog_change_remembered')
      .on(t.productId)
      .where(sql`${t.state} in ('waiting', 'declined', 'reverted')`),
    check('catalog_change_kind_known', oneOf(t.kind, changeKinds)),
    check('catalog_change_state_known', oneOf(t.state, changeStates)),
  ],
)

/** Copies of the printer's preview pictures: pages load nothing from other hosts, and every instance can serve them. */
export const copiedPicture = pgTable('copied_picture', {
  /** The file name, a content hash. */
  file: text().primaryKey(),
  sourceUrl: text().notNull().unique(),
  contentType: text().notNull(),
  body: bytes().notNull(),
})

// ---- cart

export const cartLine = pgTable(
  'cart_line',
  {
    id: bigserial({ mode: 'number' }).primaryKey().$type<CartLineId>(),
    sessionId: text()
      .notNull()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    variantId: bigId<VariantId>()
      .notNull()
      .references(() => variant.id),
    quantity: smallint().notNull(),
    /** The price when the shopper last added a piece; null where it is unknown. */
    unitPriceWhenAdded: money('unit_price_when_added_cents'),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    unique().on(t.sessionId, t.variantId),
    index().on(t.variantId),
    check('cart_quantity_in_range', sql`${t.quantity} between 1 and 99`),
  ],
)

// ---- checkout

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

// ---- providers

/** Providers' values that the shop does not know, each once. */
export const unknownProviderValue = pgTable(
  'provider_word',
  {
    provider: text().notNull().$type<'stripe' | 'paypal' | 'printful'>(),
    /** The field with the value, such as `order status`. */
    field: text().notNull(),
    word: text().notNull(),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.field, t.word] })],
)

// ---- payments and orders

export const payment = pgTable(
  'payment',
  {
    paymentKey: text().primaryKey().$type<PaymentKey>(),
    provider: text().notNull().$type<PaymentProvider>(),
    paymentId: text().notNull(),
    status: text().notNull(),
    amountCents: money().notNull(),
    currency: text().notNull(),
    live: boolean().notNull(),
    checkoutId: uuid()
      .$type<CheckoutId>()
      .references(() => checkout.id),
    capturedAt: moment().notNull(),
    /** The provider's fee, as booked; null until known. */
    feeCents: money(),
    /**
     * SHA-256 of the provider's identifier of the card or wallet, hex, to recognize partners' own purchases. Null if unknown or erased.
     */
    payerHash: text(),
  },
  (t) => [
    unique().on(t.provider, t.paymentId),
    index().on(t.checkoutId),
    index('payment_without_fee')
      .on(t.capturedAt)
      .where(sql`${t.feeCents} is null`),
    index().on(t.capturedAt),
    check('payment_amount_not_negative', sql`${t.amountCents} >= 0`),
  ],
)

/** Written only when settling or refunding, before anything else: a concurrent caller waits for the row and finds the work done. */
export const paymentProcessingLog = pgTable('payment_processing_log', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  paymentKey: text().notNull().unique().$type<PaymentKey>(),
  paymentType: text().notNull().$type<PaymentProvider>(),
  paymentId: text().notNull(),
  status: text().notNull().default('processing'),
  processedAt: moment().notNull().defaultNow(),
  metadata: jsonb().notNull().default({}),
})

export const shopOrder = pgTable(
  'shop_order',
  {
    id: serial().primaryKey().$type<OrderId>(),
    orderNumber: text().notNull().unique().$type<OrderNumber>(),
    checkoutId: uuid()
      .notNull()
      .unique()
      .$type<CheckoutId>()
      .references(() => checkout.id),
    paymentKey: text()
      .notNull()
      .unique()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    sessionId: text().notNull().$type<SessionId>(),
    paymentStatus: text().notNull().$type<PaymentStatus>(),
    fulfillmentStatus: text('fulfilment_status').notNull().$type<FulfillmentStatus>(),
    /** Why it needs attention, for the owner. */
    attentionReason: text(),
    termsVersion: text(),
    termsAcceptedAt: moment(),
    currency: text().notNull().default('usd'),
    subtotalCents: money().notNull(),
    shippingCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    totalCents: money().notNull(),
    /** As shown at checkout; empty on orders from before it was stored. */
    shippingMethod: text().notNull().default(''),
    /** Part of shipping, by product. */
    shippingSurcharges: jsonb().notNull().default([]).$type<{ productName: string; amount: Cents }[]>(),
    customerEmail: text().notNull(),
    customerName: text().notNull(),
    customerPhone: text(),
    /** CPF or CNPJ of a recipient in Brazil; never shown or logged. */
    taxNumber: text(),
    shippingAddress: jsonb().notNull().$type<Address>(),
    billingAddress: jsonb().$type<Address>(),
    /** The first line's collection, whose theme the emails have. */
    collection: text().notNull(),
    /** The external id at the printer: the order number, with `-2` … after a resubmission. */
    externalId: text().notNull().unique(),
    printfulOrderId: bigint({ mode: 'number' }).unique(),
    /** When it was first submitted to the printer under this external id; before that there is nothing to look up. */
    partnerTriedAt: moment(),
    /** Since when the owner holds it back from the printer. The printer's own holds are not stored here. */
    heldAt: moment(),
    /** When the printer was last queried about it. */
    partnerAskedAt: moment(),
    /** The printer's cost as booked, less its credits; null until confirmed. */
    partnerCostCents: money(),
    /** The basis of its tax; null on orders from before it was stored. It contains the address, so erasure must clear it too. */
    taxEvidence: jsonb().$type<TaxEvidence>(),
    /** Whether the tax provider has recorded it; `not_reported` when it has no calculation, or an expired one. */
    taxReport: text().notNull().default('waiting').$type<'waiting' | 'reported' | 'not_reported'>(),
    taxTransactionId: text().unique(),
    trackingNotificationSent: boolean().notNull().default(false),
    deliveryNotificationSent: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    /** When the customer was erased: names, addresses and email are empty since then. */
    erasedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt, t.id),
    index().on(t.fulfillmentStatus, t.createdAt, t.id),
    // For the owner's search by parts of names and addresses.
    index('order_not_just_paid')
      .on(t.paymentStatus, t.createdAt, t.id)
      .where(sql`${t.paymentStatus} <> 'paid'`),
    // Orders paid by card are so common that a scan finds them quickly.
    index('order_by_wallet')
      .on(t.createdAt, t.id)
      .where(sql`${t.paymentKey} like 'paypal:%'`),
    index('order_email_alike').using('gin', t.customerEmail.op('gin_trgm_ops')),
    index('order_name_alike').using('gin', t.customerName.op('gin_trgm_ops')),
    index().on(t.sessionId),
    // A user sees the orders of their proven email; data requests use it too.
    index('order_of_email').on(sql`lower(${t.customerEmail})`, t.id),
    // Reports sum a range of orders from the index alone, because rows are wide.
    index('order_sums').on(t.createdAt, t.totalCents, t.taxCents),
    index('order_not_submitted')
      .on(t.createdAt)
      .where(sql`${t.fulfillmentStatus} = 'waiting'`),
    index('order_with_partner')
      .on(t.partnerAskedAt)
      .where(
        sql`${t.fulfillmentStatus} in ('submitted', 'in_production', 'partially_shipped', 'shipped', 'on_hold', 'needs_attention', 'delivered', 'returned')`,
      ),
    index('order_tax_not_reported')
      .on(t.createdAt)
      .where(sql`${t.taxReport} = 'waiting'`),
    check('order_tax_report_known', sql`${t.taxReport} in ('waiting', 'reported', 'not_reported')`),
    check(
      'order_total_adds_up',
      sql`${t.totalCents} = ${t.subtotalCents} + ${t.shippingCents} + ${t.taxCents} + ${t.vatProtectionCents}`,
    ),
    notNegative('order_amounts_not_negative', t.subtotalCents, t.shippingCents, t.taxCents, t.vatProtectionCents),
    check('order_currency_usd', sql`${t.currency} = 'usd'`),
    check(
      'order_payment_status_known',
      sql`${t.paymentStatus} in ('paid', 'partially_refunded', 'refunded', 'disputed')`,
    ),
    check(
      'order_fulfilment_status_known',
      sql`${t.fulfillmentStatus} in ('waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered', 'on_hold', 'needs_attention', 'cancelled', 'returned')`,
    ),
  ],
)

export const orderLine = pgTable(
  'order_line',
  {
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    position: smallint().notNull(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    variantId: bigId<VariantId>()
      .notNull()
      .references(() => variant.id),
    productName: text().notNull(),
    variantName: text(),
    imageUrl: text(),
    collection: text().notNull(),
    quantity: smallint().notNull(),
    unitPrice: money('unit_price_cents').notNull(),
    /** The printer's cost of the line when it confirmed the order; null if unknown. */
    partnerCostCents: money(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.position] }),
    index().on(t.variantId),
    index().on(t.productId),
    check('order_line_quantity_in_range', sql`${t.quantity} between 1 and 99`),
    check('order_line_price_positive', sql`${t.unitPrice} > 0`),
  ],
)

/** An order's status history, shown on its page; never goes back. */
export const orderStep = pgTable(
  'order_step',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    fulfillmentStatus: text('fulfilment_status').notNull().$type<FulfillmentStatus>(),
    takenAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

/** An emailed link to an order's page. The row outlives the link: with an expired one, a new link can be requested. */
export const orderAccess = pgTable(
  'order_access',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

/** A session that found an order by number and email, and may see it for a while. */
export const orderViewer = pgTable(
  'order_viewer',
  {
    sessionId: text()
      .notNull()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    until: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.sessionId, t.orderId] }), index().on(t.orderId)],
)

/** A captured payment that did not become an order; the owner must resolve it. */
export const paymentException = pgTable(
  'payment_exception',
  {
    id: serial().primaryKey(),
    kind: text().notNull(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .unique()
      .references(() => payment.paymentKey),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    amountCents: money().notNull(),
    openedAt: moment().notNull(),
    resolvedAt: moment(),
  },
  (t) => [index().on(t.orderId)],
)

export const refund = pgTable(
  'refund',
  {
    id: serial().primaryKey(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    /** Null when the payment has no order. */
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    providerRefundId: text().unique(),
    amountCents: money().notNull(),
    /** The parts of the amount; null without an order. */
    parts: jsonb().$type<RefundParts>(),
    /** The refunded pieces, if it is for pieces. */
    pieces: jsonb().$type<Pieces>(),
    status: text().notNull().$type<RefundStatus>(),
    /** For the owner. */
    reason: text().notNull(),
    /** `provider`: made in the provider's dashboard and found there. */
    source: text().notNull().default('shop').$type<'shop' | 'provider'>(),
    /** The failed refund whose money this one returned another way, at most once. */
    paysRefundId: integer()
      .unique()
      .references((): AnyPgColumn => refund.id),
    /** The payment's reference at the bank. */
    reference: text(),
    /** The tax provider's id of the reversed tax. */
    taxReversalId: text(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was reversed because it failed late. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    index().on(t.paymentKey),
    index().on(t.orderId),
    check('refund_positive', sql`${t.amountCents} > 0`),
    check('refund_source_known', sql`${t.source} in ('shop', 'provider')`),
  ],
)

/** A payer's dispute, as the provider reports it. Separate from the order's own status. */
export const dispute = pgTable(
  'dispute',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    disputeId: text().notNull(),
    paymentKey: text()
      .notNull()
      .$type<PaymentKey>()
      .references(() => payment.paymentKey),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    amountCents: money().notNull(),
    feeCents: money().notNull(),
    status: text().notNull().$type<DisputeStatus>(),
    openedAt: moment().notNull(),
    /** The deadline for evidence; null if the provider sets none. */
    respondBy: moment(),
    decidedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.disputeId] }),
    index().on(t.orderId),
    index().on(t.paymentKey),
    check('dispute_status_known', sql`${t.status} in ('inquiry', 'open', 'won', 'lost')`),
    notNegative('dispute_amounts_not_negative', t.amountCents, t.feeCents),
  ],
)

/** A provider's transfer to the bank. Payouts to partners are in `payout`. */
export const providerPayout = pgTable(
  'provider_payout',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    payoutId: text().notNull(),
    /** Negative when the provider debited the bank. */
    amountCents: money().notNull(),
    status: text().notNull().$type<PayoutStatus>(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was reversed because it failed. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.payoutId] }),
    index().on(t.createdAt),
    check('provider_payout_status_known', oneOf(t.status, payoutStatuses)),
  ],
)

/** Verified webhook events, stored before they are acknowledged. */
export const providerEvent = pgTable(
  'provider_event',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    provider: text().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    payload: jsonb().notNull(),
    /** The payment, or the order at the printer, that it is about. */
    about: text().generatedAlwaysAs(
      sql`coalesce(payload->>'paymentIntent', payload->>'paymentId', payload->>'externalId')`,
    ),
    receivedAt: moment().notNull(),
    processedAt: moment(),
    outcome: text(),
  },
  (t) => [unique().on(t.provider, t.eventId), index().on(t.about)],
)

// ---- fulfillment

export const shipment = pgTable(
  'shipment',
  {
    /** The printer's shipment id; rows are added, never replaced. */
    id: bigint({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    carrier: text().notNull(),
    service: text().notNull(),
    trackingNumber: text(),
    trackingUrl: text(),
    reshipment: boolean().notNull().default(false),
    items: jsonb().notNull().$type<{ variantId: VariantId; quantity: number }[]>(),
    shippedAt: moment().notNull(),
    deliveredAt: moment(),
    /** When the return to the sender was reported. */
    returnedAt: moment(),
  },
  (t) => [index().on(t.orderId)],
)

// ---- ledger

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

// ---- partners

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

/** Attributes a checkout, and its order, to the last click before it was frozen. */
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
    linkId: integer()
      .notNull()
      .references(() => affiliateLink.id),
    clickedAt: moment().notNull(),
    /** Why it earns nothing; null if it counts. */
    objection: text().$type<AttributionObjection>(),
    frozenAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId, t.frozenAt),
    index().on(t.linkId),
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
    linkId: integer()
      .notNull()
      .references(() => affiliateLink.id),
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
    index().on(t.payoutId),
    index('commission_entry_unpaid')
      .on(t.partnerId, t.approvedFrom)
      .where(sql`${t.payoutId} is null`),
    check('commission_entry_kind_known', oneOf(t.kind, commissionKinds)),
  ],
)

// ---- mail

export type MailAttachment = { name: string; type: string; text: string }

export const mail = pgTable(
  'mail',
  {
    id: serial().primaryKey(),
    kind: text().notNull().$type<MailKind>(),
    recipient: text().notNull(),
    recipientName: text(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** Distinguishes emails of the same kind about an order, such as a parcel's number; empty otherwise. */
    about: text().notNull().default(''),
    subject: text().notNull(),
    textPart: text().notNull(),
    htmlPart: text().notNull(),
    /** Set before the first try, to recognize repeated deliveries. */
    messageId: text().notNull().unique(),
    /** Additional headers, such as `List-Unsubscribe`. */
    headers: jsonb().$type<Record<string, string>>(),
    /** A small text file, such as a calendar entry. */
    attachment: jsonb().$type<MailAttachment>(),
    state: text().notNull().default('queued'),
    createdAt: moment().notNull(),
    sentAt: moment(),
  },
  (t) => [
    unique().on(t.orderId, t.kind, t.about),
    index('mail_with_words')
      .on(t.createdAt)
      .where(sql`${t.textPart} <> ''`),
    index('mail_of_person').on(sql`lower(${t.recipient})`),
    index('mail_unsent')
      .on(t.createdAt)
      .where(sql`${t.state} = 'queued'`),
    index('mail_bounced')
      .on(t.createdAt)
      .where(sql`${t.state} = 'bounced'`),
    check('mail_state_known', sql`${t.state} in ('queued', 'sent', 'bounced')`),
  ],
)

// ---- messages

/** Messages from the contact form; card numbers are masked before they are stored. */
export const contactMessage = pgTable(
  'contact_message',
  {
    id: serial().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    createdAt: moment().notNull(),
    /** When it was answered or archived. */
    closedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt),
    index('contact_message_waiting')
      .on(t.createdAt, t.id)
      .where(sql`${t.closedAt} is null`),
  ],
)

/** The owner's answer, sent by email. */
export const contactAnswer = pgTable(
  'contact_answer',
  {
    id: serial().primaryKey(),
    messageId: integer()
      .notNull()
      .references(() => contactMessage.id, { onDelete: 'cascade' }),
    answer: text().notNull(),
    answeredAt: moment().notNull(),
  },
  (t) => [index().on(t.messageId)],
)

/** A newsletter subscriber. Only confirmed ones get issues (double opt-in). */
export const subscriber = pgTable('subscriber', {
  id: serial().primaryKey(),
  name: text(),
  /** In lower case. */
  email: text().notNull().unique(),
  askedAt: moment().notNull(),
  /** Null until confirmed by the emailed link. */
  confirmedAt: moment(),
  /** Null while subscribed; subscribing again resets it. */
  leftAt: moment(),
  /** When the owner was notified. */
  toldAt: moment(),
})

/** An emailed link to confirm or cancel a subscription. */
export const subscriberAccess = pgTable(
  'subscriber_access',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    subscriberId: integer()
      .notNull()
      .references(() => subscriber.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.subscriberId)],
)

/** A newsletter issue; each subscriber gets it once, even if sending was interrupted. */
export const newsletterIssue = pgTable(
  'newsletter_issue',
  {
    id: serial().primaryKey(),
    subject: text().notNull(),
    /** Plain text; an empty line starts a paragraph. */
    body: text().notNull(),
    /** The path and label of its button; both or neither. */
    path: text(),
    button: text(),
    state: text().notNull().default('draft').$type<IssueState>(),
    writtenAt: moment().notNull(),
    /** When sending was started; later subscribers do not get it. */
    begunAt: moment(),
    finishedAt: moment(),
    /** The id of the last subscriber whose email is queued. */
    reachedId: integer().notNull().default(0),
    /** Number of recipients. */
    sentTo: integer().notNull().default(0),
  },
  (t) => [check('newsletter_issue_state_known', sql`${t.state} in ('draft', 'sending', 'sent')`)],
)

export type IssueState = 'draft' | 'sending' | 'sent'

/** A support chat with a browser. */
export const chat = pgTable(
  'chat',
  {
    id: serial().primaryKey(),
    /** Null when the session has ended: the shop keeps the chat, the browser has lost it. */
    sessionId: text()
      .$type<SessionId>()
      .unique()
      .references(() => session.id, { onDelete: 'set null' }),
    /** Answers also go to this address, if the visitor left one. */
    email: text(),
    startedAt: moment().notNull(),
    /** The time of the oldest unanswered message; null if none. */
    waitingSince: moment(),
  },
  (t) => [
    index('chat_waiting')
      .on(t.waitingSince, t.id)
      .where(sql`${t.waitingSince} is not null`),
  ],
)

export const chatMessage = pgTable(
  'chat_message',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    chatId: integer()
      .notNull()
      .references(() => chat.id, { onDelete: 'cascade' }),
    /** The visitor's session at that time. */
    sessionId: text().notNull().$type<SessionId>(),
    author: text().notNull().$type<'visitor' | 'shop'>(),
    message: text().notNull(),
    timestamp: moment().notNull(),
    /** When it was emailed: a visitor's message to the owner, the shop's to the visitor. */
    mailedAt: moment(),
  },
  (t) => [
    index().on(t.chatId, t.id),
    index('chat_message_unmailed')
      .on(t.chatId)
      .where(sql`${t.mailedAt} is null`),
    check('chat_message_author_known', sql`${t.author} in ('visitor', 'shop')`),
  ],
)

// ---- becoming a partner

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

// ---- the owner's admin

/**
 * The audit log of owners' actions. Append-only (a trigger enforces it), so it must not contain personal data: things are named by
 * their numbers.
 */
export const ownerAction = pgTable(
  'owner_action',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** Null for a command on the machine. No foreign key: entries outlive the account. */
    userId: integer().$type<UserId>(),
    userName: text().notNull(),
    /** The internet address; empty for a command. */
    address: text().notNull(),
    /** In the past tense, such as `put on hold`. */
    what: text().notNull(),
    /** The kind and number of the affected thing. */
    aboutKind: text().notNull(),
    aboutId: text().notNull(),
    before: jsonb().$type<ActionFacts>(),
    after: jsonb().$type<ActionFacts>(),
    takenAt: moment().notNull(),
  },
  (t) => [index().on(t.aboutKind, t.aboutId)],
)

/** Changed values by name. */
export type ActionFacts = Record<string, string | number | boolean | null>

/** An order's recipient before and after a correction. The audit log has no personal data of it. */
export const orderCorrection = pgTable(
  'order_correction',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    madeBy: text().notNull().$type<Corrector>(),
    before: jsonb().notNull().$type<CorrectedFacts>(),
    after: jsonb().notNull().$type<CorrectedFacts>(),
    correctedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.orderId),
    check('corrected_by_one_of_them', sql`${t.madeBy} in ('shopper', 'owner')`),
    // For data requests.
    index('correction_of_email').on(sql`lower(${t.before}->>'email')`),
  ],
)

/** The corrected fields. The tax number is stored only with its order. */
export type CorrectedFacts = { name?: string; email?: string; address?: Address }

export const orderNote = pgTable(
  'order_note',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    author: text().notNull(),
    words: text().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

/** A person to erase once none of their orders is open; then the row is deleted too. */
export const erasure = pgTable('erasure', {
  /** In lower case. */
  email: text().primaryKey(),
  askedAt: moment().notNull(),
})

/** An emailed link to the data that the shop has about a person. */
export const dataRequest = pgTable(
  'data_request',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    email: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index().on(t.email), index().on(t.expiresAt)],
)

// ---- the providers' books

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
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.id] }),
    index().on(t.paymentKey),
    index().on(t.occurredAt, t.provider, t.id),
    index().on(t.provider, t.sourceId),
    check('provider_transaction_kind_known', oneOf(t.kind, movementKinds)),
  ],
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

/** The printer's orders as last read, since it offers no list of its charges. */
export const printerOrder = pgTable(
  'partner_order',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    /** Null for orders made in the printer's dashboard. */
    externalId: text(),
    /** The printer's status. */
    status: text().notNull(),
    /** The printer's cost; null while it is being calculated. */
    costCents: money(),
    createdAt: moment().notNull(),
    readAt: moment().notNull(),
  },
  (t) => [index().on(t.externalId), index().on(t.createdAt), notNegative('partner_order_cost', t.costCents)],
)

// ---- exceptions

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
