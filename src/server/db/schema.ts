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

// Names are snake_case in the database (casing option); money ends in _cents, moments in _at.

const moment = () => timestamp({ withTimezone: true, mode: 'date' })
const bigId = <Id extends Branded<number, string>>() => bigint({ mode: 'number' }).$type<Id>()
const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** An amount of money: whole cents. Checked `>= 0` where the table says so; only the ledger is signed. */
const money = (column = '') => bigint(column, { mode: 'number' }).$type<Cents>()
const notNegative = (name: string, ...columns: AnyPgColumn[]) =>
  check(
    name,
    sql.join(
      columns.map((column) => sql`${column} >= 0`),
      sql` and `,
    ),
  )

/** What the shop remembers about itself, such as which catalog file it has imported. */
export const setting = pgTable('setting', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/**
 * What browsers refused to load because the page's policy does not name it, counted. At most `REPORTS_MAX` rows of
 * `desk/policy-reports.ts`; nothing says who sent it.
 */
export const policyReport = pgTable(
  'policy_report',
  {
    directive: text().notNull(),
    /** An origin, or a word of the browser's such as `inline`. */
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
  /** The canonical form that is unique; `shownName` is as typed. */
  username: text().notNull().unique(),
  shownName: text().notNull(),
  /** PHC text of argon2id. */
  passwordHash: text().notNull(),
  /** Proven by a link that was mailed to it, in lower case; null until then. It belongs to one user at most. */
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
    /** How its user names it when they end it from elsewhere. */
    handle: uuid().notNull().defaultRandom(),
    createdAt: moment().notNull().defaultNow(),
    seenAt: moment().notNull().defaultNow(),
    /** Since when `userId` is signed in, and when their password was last given here. */
    signedInAt: moment(),
    confirmedAt: moment(),
    /** What they came with, in words such as `Firefox on Linux`; nothing else is kept of a device. */
    device: text(),
    /** Who was signed in here before: strangers who guess at their password do not keep them waiting. */
    formerUserId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'set null' }),
  },
  (t) => [
    // Most sessions are nobody's, and each cart of a stranger begins with one.
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

/** The owner's second factor (RFC 6238): begun with `secret`, asked for once it is switched on. */
export const secondFactor = pgTable('second_factor', {
  userId: integer()
    .primaryKey()
    .$type<UserId>()
    .references(() => appUser.id, { onDelete: 'cascade' }),
  /** Base32, as an authenticator app reads it. */
  secret: text().notNull(),
  startedAt: moment().notNull(),
  switchedOnAt: moment(),
  /** The last interval whose code was taken: a code is good once. */
  lastStep: integer(),
})

/** What opens an account when its second factor is lost; each once. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** SHA-256, hex: a code has 80 random bits, so nothing slower is needed. */
    codeHash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
)

/** password: choose a new one. email: prove that the address is read by this user. */
const accountRequestKinds = ['password', 'email'] as const
export type AccountRequestKind = (typeof accountRequestKinds)[number]

/** Something that a mailed link is to do. One is written for names that nobody has, too: asking takes the same time. */
export const accountRequest = pgTable(
  'account_request',
  {
    id: serial().primaryKey(),
    kind: text().notNull().$type<AccountRequestKind>(),
    /** Null where nobody has the name that was typed. */
    userId: integer()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** Where the mail goes; for a password it is looked up when the mail is written. */
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

/** A link to a request, made when its mail is sent. */
export const accountLink = pgTable(
  'account_link',
  {
    /** SHA-256 of the link's token, hex; the token itself is in the mail alone. */
    tokenHash: text().primaryKey(),
    requestId: integer()
      .notNull()
      .references(() => accountRequest.id, { onDelete: 'cascade' }),
  },
  (t) => [index().on(t.requestId)],
)

// ---- catalog

/** import: the catalog file changed. schedule: it was time. event: the partner said so. owner: by command. */
const syncTriggers = ['import', 'schedule', 'event', 'owner'] as const
export type SyncTrigger = (typeof syncTriggers)[number]

/** not_believed: the partner's list cannot be right, so nothing was compared. failed: the partner went away meanwhile. */
const syncStates = ['running', 'done', 'not_believed', 'failed'] as const
type SyncState = (typeof syncStates)[number]

/**
 * waiting: for the owner's yes. declined: the owner said no. reverted: was done and taken back. superseded: waited, and is
 * no longer what the partner says. What was declined or reverted is not proposed again in the same words.
 */
const changeStates = ['applied', 'waiting', 'declined', 'reverted', 'superseded'] as const
export type ChangeState = (typeof changeStates)[number]

/** The database keeps two more columns by itself, of which only a search knows: see the end of `migrations/0000_first.sql`. */
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
    /** The stored default is no opinion: it means nothing while reviewCount is 0. */
    rating: numeric({ precision: 2, scale: 1, mode: 'number' }).notNull().default(5),
    reviewCount: integer().notNull().default(0),
    metadata: jsonb().notNull().$type<ProductMetadata>(),
    requiresOptions: boolean().notNull().default(false),
    /** The partner's product; the sync finds it by the external id, which is our slug. */
    syncProductId: bigId<SyncProductId>().unique(),
    /** The mapping that the wire shows; only some products have one. */
    providerProductId: bigId<SyncProductId>().unique(),
    /** When the partner was asked for what its variants are here; an answer to an earlier question changes nothing any more. */
    askedAt: moment(),
    /** Swatches in the order of the catalog file. */
    colors: jsonb().notNull().$type<{ name: string; hex: string }[]>(),
    visible: boolean().notNull().default(true),
    /** Where the owner has put it in lists: those with a place come first, in its order. */
    place: smallint(),
    /** What the catalog file says where the owner may say otherwise: it holds again when the owner takes back. */
    inFile: jsonb().notNull().$type<FileValues>(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.collection),
    // Few are; pages ask for them whenever one may have changed.
    index('product_surcharged')
      .on(t.type)
      .where(sql`(${t.metadata}->'shippingSurcharge'->'enabled')::boolean`),
    check('rating_in_scale', sql`${t.rating} between 0 and 5`),
    check('review_count_not_negative', sql`${t.reviewCount} >= 0`),
  ],
)

/**
 * What the owner says of a product in place of the catalog file; null leaves the file's word. The product's own columns hold
 * what comes of both, so whoever reads or searches products need not know.
 */
export const productOverride = pgTable('product_override', {
  productId: integer()
    .primaryKey()
    .$type<ProductId>()
    .references(() => product.id, { onDelete: 'cascade' }),
  /** Empty: no badge, whatever the file says. */
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
    /** Name without width and ending; content-hashed. */
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
    /** The partner's sync variant id; real ones exceed 2^31. */
    id: bigId<VariantId>().primaryKey(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    /** The partner's catalog variant: what its shipping rates are asked by. Never to be mixed with the sync id. */
    catalogVariantId: bigint({ mode: 'number' }).notNull(),
    /** The partner's catalog product, by which it tells stock and costs; null until a synchronization has seen it. */
    blankId: bigint({ mode: 'number' }),
    position: smallint().notNull(),
    name: text().notNull(),
    color: text(),
    size: text(),
    sku: text(),
    unitPrice: money('unit_price_cents').notNull(),
    /** What the partner takes for the blank and its standard print; null while we do not know. */
    costCents: money(),
    /** The partner's word: active, discontinued, out_of_stock, temporary_out_of_stock. */
    availability: text().notNull(),
    /** Address of the partner's own preview picture, as the sync saw it. Never linked from a page. */
    previewUrl: text(),
    /** When a sync no longer found it; the row stays, because orders name it. */
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

/** Text that is compared letter by letter, as JavaScript does it. */
const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/**
 * What lists are found and narrowed by: a row for each product that is shown and has something to sell. The database keeps it by
 * itself, from products and variants: see the end of `migrations/0000_first.sql`.
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

/** How many products of a collection are listed with a facet's value; the database keeps it by itself. */
export const facetCount = pgTable(
  'facet_count',
  {
    collection: text().notNull(),
    facet: text().notNull(),
    /** Of a color, where the catalog file knows it. */
    hex: text(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.collection, t.facet] })],
)

const oneOf = (column: AnyPgColumn, words: readonly string[]) =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`

/** One comparison of our copies with the partner's store, or with some of its products. */
export const catalogSync = pgTable(
  'catalog_sync',
  {
    id: serial().primaryKey(),
    trigger: text().notNull().$type<SyncTrigger>(),
    /** Whether all products were looked at. */
    whole: boolean().notNull(),
    state: text().notNull().$type<SyncState>(),
    /** Of ours, that the partner answered for. */
    products: integer().notNull().default(0),
    variants: integer().notNull().default(0),
    /** What was left as it is, and why, in words for the owner. */
    remarks: text().array().notNull(),
    startedAt: moment().notNull(),
    finishedAt: moment(),
    /** When the owner was told that changes of it wait. */
    toldAt: moment(),
  },
  (t) => [
    index().on(t.startedAt),
    check('catalog_sync_trigger_known', oneOf(t.trigger, syncTriggers)),
    check('catalog_sync_state_known', oneOf(t.state, syncStates)),
  ],
)

/** What a synchronization found to differ, and what became of it. */
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
    /** Without a foreign key: a new variant has no row until somebody says yes. */
    variantId: bigId<VariantId>().notNull(),
    kind: text().notNull().$type<ChangeKind>(),
    /** Null: the variant was not there, or would not be there any more. */
    before: jsonb().$type<Partial<VariantCopy>>(),
    after: jsonb().$type<Partial<VariantCopy>>(),
    /** Of one piece, where the change moves it and the partner's cost is known. */
    marginBeforeCents: money(),
    marginAfterCents: money(),
    state: text().notNull().$type<ChangeState>(),
    /** When it came into this state. */
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

/** The partner's preview pictures, copied so that pages load nothing from another host; kept in the database so that every instance has them. */
export const copiedPicture = pgTable('copied_picture', {
  /** Content hash; the file's name. */
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
    /** The session that started it; kept without a foreign key because a checkout outlives its session. */
    sessionId: text().notNull().$type<SessionId>(),
    state: text().notNull().$type<CheckoutState>(),
    orderNumber: text().notNull().unique().$type<OrderNumber>(),
    /** Names the frozen version that a payment started now would be for. */
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
    /** The version that the provider's payment was last made or updated for; null until it was. */
    intentQuoteHash: text(),
    /** Counts what was sent to the provider: each attempt needs an idempotency key of its own. */
    attempt: integer().notNull().default(0),
    /** Which text of the terms the shopper agreed to before paying, and when; null where no face asked. */
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

/** That a checkout's payment was begun, and from where: what is begun and not paid is limited by address. Forgotten after a week. */
export const paymentStart = pgTable(
  'payment_start',
  {
    checkoutId: uuid()
      .primaryKey()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    /** A digest of the address. */
    payer: text().notNull().$type<Payer>(),
    startedAt: moment().notNull(),
    /** Whether a card was offered when it was begun last. */
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

/** A card or wallet that was declined, once, whoever told of it. Forgotten after a week. */
export const cardDecline = pgTable(
  'card_decline',
  {
    /** The provider's own: of the charge, of the capture. */
    id: text().primaryKey(),
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    /** A digest of the address; null where the payment's start is not known any more. */
    payer: text().$type<Payer>(),
    declinedAt: moment().notNull(),
  },
  (t) => [index().on(t.checkoutId), index().on(t.payer, t.declinedAt), index().on(t.declinedAt)],
)

/**
 * Every version of a checkout that was ever offered for payment. The provider's payment names its version, so an
 * order is made from exactly what was paid for, even when the shopper changed the cart in another tab meanwhile.
 */
export const checkoutVersion = pgTable(
  'checkout_version',
  {
    checkoutId: uuid()
      .notNull()
      .$type<CheckoutId>()
      .references(() => checkout.id, { onDelete: 'cascade' }),
    quoteHash: text().notNull(),
    /** What the shopper asked for (variants, quantities, address): equal wishes within the quote's life get the same version. */
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
 * Every wallet order that a checkout was offered as. Unlike a card's intent it cannot be paid behind our back: we take
 * its money, and only while its checkout is open.
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
    /** The version that it was made for; its amount never changes. */
    quoteHash: text().notNull(),
    /** Number of the wallet order within its checkout: each has an invoice id of its own. */
    attempt: integer().notNull(),
    /** Refused captures; the next one needs a request id of its own. */
    refusals: integer().notNull().default(0),
    /** PayPal's issue and sentence of the last refused capture. */
    refusal: jsonb().$type<{ issue: string; sentence: string }>(),
    /**
     * A capture was begun and its end is not known: nobody else begins one before this moment. Null while none is in doubt.
     * One moment per capture: whoever ends it names it.
     */
    captureUntil: moment(),
    createdAt: moment().notNull(),
    /** When the sweep asks next what became of it; null once that is settled or no longer matters. */
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

/** Words of providers that no release has known so far, each once. */
export const unknownProviderValue = pgTable(
  'provider_word',
  {
    provider: text().notNull().$type<'stripe' | 'paypal' | 'printful'>(),
    /** What it was said of, such as `order status`. */
    field: text().notNull(),
    word: text().notNull(),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.field, t.word] })],
)

// ---- settlement

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
    /** What the provider keeps of it, as it is booked; null until the provider has said. */
    feeCents: money(),
    /**
     * SHA-256 of the provider's own name for the card or wallet, hex: by it a partner's own purchases are recognized. Null where the
     * provider does not say, and once the person was erased.
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

/** Written only by settle and refund. A payment's row comes first, so a second caller waits on it and then finds the work done. */
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
    /** Why it waits for somebody, in words for the owner. */
    attentionReason: text(),
    termsVersion: text(),
    termsAcceptedAt: moment(),
    currency: text().notNull().default('usd'),
    subtotalCents: money().notNull(),
    shippingCents: money().notNull(),
    taxCents: money().notNull(),
    vatProtectionCents: money().notNull(),
    totalCents: money().notNull(),
    /** As the checkout named it; empty on orders made before it was kept. */
    shippingMethod: text().notNull().default(''),
    /** Part of shipping, product by product. */
    shippingSurcharges: jsonb().notNull().default([]).$type<{ productName: string; amount: Cents }[]>(),
    customerEmail: text().notNull(),
    customerName: text().notNull(),
    customerPhone: text(),
    /** CPF or CNPJ of a receiver in Brazil; shown and logged nowhere. */
    taxNumber: text(),
    shippingAddress: jsonb().notNull().$type<Address>(),
    billingAddress: jsonb().$type<Address>(),
    /** The theme of its mails: the collection of the first line. */
    collection: text().notNull(),
    /** What the partner knows it by: the order number, `-2` … for a resubmission. */
    externalId: text().notNull().unique(),
    printfulOrderId: bigint({ mode: 'number' }).unique(),
    /** When the partner was first asked to make it under this external id: before that there is nothing to look up. */
    partnerTriedAt: moment(),
    /** Since when the owner holds it back from the partner; null while nobody does. A hold of the partner's own is none of these. */
    heldAt: moment(),
    /** When the partner was last asked how it stands; null until then. */
    partnerAskedAt: moment(),
    /** What the partner takes for it, as it is booked; null until it was confirmed. What the partner credits lowers it. */
    partnerCostCents: money(),
    /** What its tax rests on; null for orders made before it was kept. It holds the address: who erases a person looks here, too. */
    taxEvidence: jsonb().$type<TaxEvidence>(),
    /** Whether the tax source has it in its books; `not_reported` when it cannot: there is no calculation, or none any more. */
    taxReport: text().notNull().default('waiting').$type<'waiting' | 'reported' | 'not_reported'>(),
    taxTransactionId: text().unique(),
    trackingNotificationSent: boolean().notNull().default(false),
    deliveryNotificationSent: boolean().notNull().default(false),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    /** When the person behind it was erased: names, addresses and email are empty since. */
    erasedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt, t.id),
    index().on(t.fulfillmentStatus, t.createdAt, t.id),
    // The owner looks for parts of names and addresses.
    index('order_not_just_paid')
      .on(t.paymentStatus, t.createdAt, t.id)
      .where(sql`${t.paymentStatus} <> 'paid'`),
    // Most are paid by card, and come soon on the way through all of them.
    index('order_by_wallet')
      .on(t.createdAt, t.id)
      .where(sql`${t.paymentKey} like 'paypal:%'`),
    index('order_email_alike').using('gin', t.customerEmail.op('gin_trgm_ops')),
    index('order_name_alike').using('gin', t.customerName.op('gin_trgm_ops')),
    index().on(t.sessionId),
    // Whoever has proven an address sees the orders of that address; somebody's data are found by it.
    index('order_of_email').on(sql`lower(${t.customerEmail})`, t.id),
    // Reports add up a range of orders from the index alone: an order's row is wide.
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
    /** What the partner asked for the pieces of the line when it confirmed the order; null where it did not say. */
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

/** Every state that an order came into, and when: its page tells them, and none of them is a way back. */
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

/** A link from a mail to an order's page. The row outlives the link, so that who has an old one can ask for a new one. */
export const orderAccess = pgTable(
  'order_access',
  {
    /** SHA-256 of the link's token, hex; the token itself is in the mail alone. */
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

/** A session that found an order by number and email, and may look at it for a while. */
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

/** A captured payment that did not become an order: it always waits for somebody, never for nothing. */
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
    /** Null when the payment made no order. */
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    providerRefundId: text().unique(),
    amountCents: money().notNull(),
    /** What the amount is made of; null when it belonged to no order. */
    parts: jsonb().$type<RefundParts>(),
    /** The pieces that it is for, where it is for pieces. */
    pieces: jsonb().$type<Pieces>(),
    status: text().notNull().$type<RefundStatus>(),
    /** For the owner: why, in words. */
    reason: text().notNull(),
    /** `provider`: made at the provider's own pages and found there. */
    source: text().notNull().default('shop').$type<'shop' | 'provider'>(),
    /** The refund that failed, where this is its money, paid another way than by the provider; each is paid so once. */
    paysRefundId: integer()
      .unique()
      .references((): AnyPgColumn => refund.id),
    /** By which somebody finds that payment at the bank. */
    reference: text(),
    /** The tax source's own number of the tax that went back with it. */
    taxReversalId: text(),
    createdAt: moment().notNull(),
    /** When it was booked, and when it was taken back because it failed late. */
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

/** A payer's objection, as the provider reports it. Never an order's state by itself: it stands beside the order. */
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
    /** Until when the provider takes evidence; null where it names no date. */
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

/** Money that a provider sends to the bank. A partner's own is `payout`. */
export const providerPayout = pgTable(
  'provider_payout',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    payoutId: text().notNull(),
    /** Negative where the provider took from the bank what it lacked. */
    amountCents: money().notNull(),
    status: text().notNull().$type<PayoutStatus>(),
    createdAt: moment().notNull(),
    /** When it was booked, and when that was taken back because it failed. */
    bookedAt: moment(),
    reversedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.payoutId] }),
    index().on(t.createdAt),
    check('provider_payout_status_known', oneOf(t.status, payoutStatuses)),
  ],
)

/** Verified events of the providers, stored before they are acknowledged. */
export const providerEvent = pgTable(
  'provider_event',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    provider: text().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    payload: jsonb().notNull(),
    /** The payment, or the partner's order, that it names. */
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
    /** The partner's shipment id; appended, never replaced. */
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
    /** When we learnt that it came back to the sender. */
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
    /** What it books, such as `sale:stripe:pi_1`; booking the same thing twice fails. */
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
    /** Signed: what an account gains is positive. The entries of a posting sum to zero (a deferred trigger checks). */
    amountCents: money().notNull(),
  },
  (t) => [primaryKey({ columns: [t.postingId, t.account] }), check('entry_not_zero', sql`${t.amountCents} <> 0`)],
)

// ---- partners

/** Who sends us shoppers and earns a share; known by its user, so that the ledger's partner is the same number. */
export const partner = pgTable(
  'partner',
  {
    id: integer()
      .primaryKey()
      .$type<UserId>()
      .references(() => appUser.id),
    displayName: text().notNull(),
    /** Where the audience is; null where nobody said. */
    channelUrl: text(),
    /** The short code of its own link, lower case. */
    code: text().notNull().unique(),
    state: text().notNull().default('active').$type<PartnerState>(),
    joinedAt: moment().notNull(),
  },
  (t) => [check('partner_state_known', oneOf(t.state, partnerStates))],
)

/** What a partner earns from a moment on: of everything, or of one product. The newest that has begun counts. */
export const partnerRate = pgTable(
  'partner_rate',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** Null: of everything that has no rate of its own. */
    productId: integer()
      .$type<ProductId>()
      .references(() => product.id),
    /** Hundredths of a percent: 1200 is 12 %. */
    basisPoints: smallint().notNull(),
    startsAt: moment().notNull(),
    createdAt: moment().notNull(),
    /** When the partner was told of it. */
    announcedAt: moment(),
  },
  (t) => [
    index().on(t.partnerId, t.startsAt),
    index().on(t.productId),
    check('partner_rate_in_range', sql`${t.basisPoints} between 0 and 1500`),
  ],
)

/** A short address that leads to a page of ours and says whose audience came. */
export const affiliateLink = pgTable(
  'affiliate_link',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** Lower case; what stands after `/r/`. */
    code: text().notNull().unique(),
    /** A page of ours, from its first slash on. */
    path: text().notNull(),
    /** The partner's own name for it; empty where there is none. */
    campaign: text().notNull().default(''),
    createdAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId, t.id),
    check('affiliate_link_to_a_page', sql`left(${t.path}, 1) = '/' and substr(${t.path}, 2, 1) not in ('/', chr(92))`),
  ],
)

/** A click's own facts, and nothing of who clicked but whether it was the partner: the browser's cookie names the click. */
export const affiliateClick = pgTable(
  'affiliate_click',
  {
    /** Random; what the cookie holds. */
    id: uuid().primaryKey(),
    linkId: integer()
      .notNull()
      .references(() => affiliateLink.id),
    /** Where the link led then. */
    path: text().notNull(),
    clickedAt: moment().notNull(),
    /** When something was first put into a cart after it. */
    cartedAt: moment(),
    /** Made by the link's own partner: in a browser in which they are, or were last, signed in. */
    isOwn: boolean().notNull().default(false),
  },
  (t) => [index().on(t.linkId, t.clickedAt), index().on(t.clickedAt)],
)

/** Whose a checkout is, by the last click before it was frozen; the order that it becomes has the same. */
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
    /** Why nothing is earned by it; null where it counts. */
    objection: text().$type<AttributionObjection>(),
    frozenAt: moment().notNull(),
  },
  (t) => [
    index().on(t.partnerId, t.frozenAt),
    index().on(t.linkId),
    check('attribution_objection_known', sql`${t.objection} is null or ${oneOf(t.objection, attributionObjections)}`),
  ],
)

/** Where a partner's money goes; personal, and shown whole to nobody but the owner who has just given the password. */
export const payoutAccount = pgTable('payout_account', {
  partnerId: integer()
    .primaryKey()
    .$type<UserId>()
    .references(() => partner.id),
  details: jsonb().notNull().$type<PayoutAccount>(),
  changedAt: moment().notNull(),
})

/** Money that went to a partner; what it was for are the entries that name it. */
export const payout = pgTable(
  'payout',
  {
    id: serial().primaryKey(),
    partnerId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => partner.id),
    /** What the bank's statement will show. */
    reference: text().notNull().unique(),
    amountCents: money().notNull(),
    /** Where it went, masked; null where the partner had not said, and once they were erased. */
    destination: text(),
    madeAt: moment().notNull(),
    /** When the bank sent it back; its entries wait for the next payout then. */
    returnedAt: moment(),
  },
  (t) => [index().on(t.partnerId, t.madeAt), index().on(t.madeAt), check('payout_positive', sql`${t.amountCents} > 0`)],
)

/** What an order's line earned its partner, and what was taken back of it; only ever added to, but for the payout. */
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
    /** What it follows from: the key of the posting of the sale, the refund or the dispute. */
    cause: text().notNull(),
    /** By how much the line's goods without tax and shipping changed. Signed. */
    baseCents: money().notNull(),
    /** Of the line, as it was when the order was paid. */
    basisPoints: smallint().notNull(),
    amountCents: money().notNull(),
    bookedAt: moment().notNull(),
    /** Pending until then, approved from then on. */
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
    /** Distinguishes mails of one kind about one order, such as the parcel's number; empty otherwise. */
    about: text().notNull().default(''),
    subject: text().notNull(),
    textPart: text().notNull(),
    htmlPart: text().notNull(),
    /** Fixed before the first try, so that a repeated delivery is recognized. */
    messageId: text().notNull().unique(),
    /** Headers beyond the usual ones, such as `List-Unsubscribe`. */
    headers: jsonb().$type<Record<string, string>>(),
    /** One small file of text, such as a calendar entry. */
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

// ---- correspondence

/** What people write to us by the contact form; card numbers are masked before they come here. */
export const contactMessage = pgTable(
  'contact_message',
  {
    id: serial().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    createdAt: moment().notNull(),
    /** Answered, or put aside: it no longer waits in the owner's inbox. */
    closedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt),
    index('contact_message_waiting')
      .on(t.createdAt, t.id)
      .where(sql`${t.closedAt} is null`),
  ],
)

/** What the owner wrote back; it went out by mail. */
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

/** Somebody who asked for the newsletter. It is sent to nobody who has not said so twice. */
export const subscriber = pgTable('subscriber', {
  id: serial().primaryKey(),
  name: text(),
  /** In lower case: one person, however it is typed. */
  email: text().notNull().unique(),
  askedAt: moment().notNull(),
  /** Null until the mailed link was followed. */
  confirmedAt: moment(),
  /** Null while subscribed; a new yes makes it null again. */
  leftAt: moment(),
  /** When the owner was mailed that somebody new is there. */
  toldAt: moment(),
})

/** A link from a mail to a subscription: it says yes, and it says no, for as long as the mail is kept. */
export const subscriberAccess = pgTable(
  'subscriber_access',
  {
    /** SHA-256 of the link's token, hex; the token itself is in the mail alone. */
    tokenHash: text().primaryKey(),
    subscriberId: integer()
      .notNull()
      .references(() => subscriber.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.subscriberId)],
)

/** A letter to all who are subscribed; each gets it once, however often its sending was cut off. */
export const newsletterIssue = pgTable(
  'newsletter_issue',
  {
    id: serial().primaryKey(),
    subject: text().notNull(),
    /** Plain text; an empty line begins a paragraph. */
    body: text().notNull(),
    /** Page of ours that its button opens, and the words on the button; both or neither. */
    path: text(),
    button: text(),
    state: text().notNull().default('draft').$type<IssueState>(),
    writtenAt: moment().notNull(),
    /** When the owner said: send it. Whoever subscribed later does not get it. */
    begunAt: moment(),
    finishedAt: moment(),
    /** The last subscriber, by id, whose mail is written. */
    reachedId: integer().notNull().default(0),
    /** How many it went to. */
    sentTo: integer().notNull().default(0),
  },
  (t) => [check('newsletter_issue_state_known', sql`${t.state} in ('draft', 'sending', 'sent')`)],
)

export type IssueState = 'draft' | 'sending' | 'sent'

/** What one browser and the shop say to each other. */
export const chat = pgTable(
  'chat',
  {
    id: serial().primaryKey(),
    /** Null when the session is gone: the shop keeps what was said, the browser has lost it. */
    sessionId: text()
      .$type<SessionId>()
      .unique()
      .references(() => session.id, { onDelete: 'set null' }),
    /** Where answers go as well, when it was left. */
    email: text(),
    startedAt: moment().notNull(),
    /** The oldest message that the owner has not answered; null while nothing waits. */
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
    /** The session in which it was written, or that it answers. */
    sessionId: text().notNull().$type<SessionId>(),
    author: text().notNull().$type<'visitor' | 'shop'>(),
    message: text().notNull(),
    timestamp: moment().notNull(),
    /** When it went out by mail: a visitor's to the owner, the shop's to the visitor. */
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

/** A user who would like to be a partner; the owner says yes or no. */
export const partnerApplication = pgTable(
  'partner_application',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    /** By which the partner is addressed. */
    name: text().notNull(),
    channel: text().notNull(),
    audience: text().notNull(),
    message: text().notNull(),
    email: text(),
    state: text().notNull().default('waiting').$type<'waiting' | 'accepted' | 'declined'>(),
    /** What the owner said with the decision. */
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

/** What a partner was offered, version by version; the rates themselves stand with the partner. */
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
    /** From when the share holds. */
    validFrom: moment().notNull(),
    offeredAt: moment().notNull(),
    acceptedAt: moment(),
    /** Its text, word for word as it was offered; null where it was offered before texts were stored and never accepted since. */
    paragraphs: jsonb().$type<string[]>(),
  },
  (t) => [
    unique().on(t.userId, t.version),
    check('partner_proposal_share_in_range', sql`${t.shareBasisPoints} between 0 and 1500`),
  ],
)

/** A call that somebody asked for, with times that would suit. */
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
    /** Moments as ISO text, UTC. */
    times: jsonb().notNull().$type<string[]>(),
    /** IANA name of the asker's zone, for whoever reads the times. */
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
 * What the owner did: appended, never changed (a trigger holds that). Therefore nothing of a person stands in it: things are
 * named by their numbers.
 */
export const ownerAction = pgTable(
  'owner_action',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** Null when it was done by a command on the machine. Without a foreign key: it outlives the account. */
    userId: integer().$type<UserId>(),
    userName: text().notNull(),
    /** The internet address that it came from; empty for a command. */
    address: text().notNull(),
    /** In the past tense, such as `put on hold`. */
    what: text().notNull(),
    /** What it was done to: a kind of thing and its number. */
    aboutKind: text().notNull(),
    aboutId: text().notNull(),
    before: jsonb().$type<ActionFacts>(),
    after: jsonb().$type<ActionFacts>(),
    takenAt: moment().notNull(),
  },
  (t) => [index().on(t.aboutKind, t.aboutId)],
)

/** What of a thing an action changed, by name. */
export type ActionFacts = Record<string, string | number | boolean | null>

/** What the people of the shop note about an order, for each other. */
/** Where an order went before it was corrected, and after. What of it the log of actions keeps says nothing of a person. */
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
    // Somebody's data are found by it.
    index('correction_of_email').on(sql`lower(${t.before}->>'email')`),
  ],
)

/** What a correction may change; only what it did change stands in it. The tax number is kept with its order alone. */
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

/** Somebody who is to be erased as soon as nothing of theirs is being made or paid any more; then the row goes, too. */
export const erasure = pgTable('erasure', {
  /** In lower case. */
  email: text().primaryKey(),
  askedAt: moment().notNull(),
})

/** A link that was mailed to somebody who asked what we have about them. */
export const dataRequest = pgTable(
  'data_request',
  {
    /** SHA-256 of the link's token, hex; the token itself is in the mail alone. */
    tokenHash: text().primaryKey(),
    email: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index().on(t.email), index().on(t.expiresAt)],
)

// ---- what the providers say

/**
 * The providers' own accounts as they were last read, a line each. Never changed by hand: reading again writes the same.
 * `server/reconciliation` fills it.
 */
export const providerTransaction = pgTable(
  'provider_transaction',
  {
    provider: text().notNull().$type<PaymentProvider>(),
    /** The provider's own id: a balance transaction at Stripe, a transaction at PayPal. */
    id: text().notNull(),
    kind: text().notNull().$type<MovementKind>(),
    /** Signed, in cents of `currency`: what came to us is positive, before the fee. */
    amountCents: money().notNull(),
    /** What the provider kept of it; negative when it gave a fee back. */
    feeCents: money().notNull(),
    currency: text().notNull(),
    /** Without a foreign key: the shop may not know the payment, which is then what is wrong. */
    paymentKey: text().$type<PaymentKey>(),
    /** The charge, refund, dispute or payout behind it, by the provider's id. */
    sourceId: text(),
    /** The checkout that a charge names; null when another program made it with the same account. */
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

/** How far each provider's books have been read; one row a provider. */
export const providerReading = pgTable('provider_reading', {
  provider: text().primaryKey().$type<PaymentProvider | 'printful'>(),
  /** What happened between these two has been read; `until` is null before the first reading came to its end. */
  since: moment().notNull(),
  until: moment(),
  /** Where a reading that was cut off goes on: its window, and the provider's own mark of the last page. */
  under: jsonb().$type<{ since: string; until: string; mark: string | null }>(),
  /** When a reading last came to its end. */
  readAt: moment(),
  /** Since when it cannot be read, and why, in words for the owner; null while it can. */
  failingSince: moment(),
  failure: text(),
})

/** The print partner's orders as they were last read: its wallet has no list of its own. */
export const printerOrder = pgTable(
  'partner_order',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    /** Null for one that was made on the partner's own pages. */
    externalId: text(),
    /** The partner's word. */
    status: text().notNull(),
    /** What the partner takes for it; null while that is being calculated. */
    costCents: money(),
    createdAt: moment().notNull(),
    readAt: moment().notNull(),
  },
  (t) => [index().on(t.externalId), index().on(t.createdAt), notNegative('partner_order_cost', t.costCents)],
)

// ---- what is wrong

/**
 * What waits for the owner besides payments that made no order (`payment_exception`; the two share their numbers). A
 * look at the shop's state opens and closes them: who mends the cause need not know of this table.
 */
export const shopException = pgTable(
  'shop_exception',
  {
    id: integer()
      .primaryKey()
      .default(sql`nextval('payment_exception_id_seq')`),
    kind: text().notNull(),
    /** What it is about, such as `order:12` or `payment:stripe:pi_1`. Of one kind about one thing one is open at most. */
    about: text().notNull(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** The money at stake. */
    amountCents: money().notNull(),
    /** Why, in words for the owner. */
    cause: text().notNull(),
    /** Until when somebody has to act; null when nothing ends. */
    deadlineAt: moment(),
    /** For differences between books: what stands where. */
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

/** A comparison of the books with each other. */
export const reconciliation = pgTable(
  'reconciliation',
  {
    id: serial().primaryKey(),
    /** watch: the look every few minutes, at what moved lately. */
    trigger: text().notNull().$type<'watch' | 'schedule' | 'owner'>(),
    /** What moved since then was compared, whole. */
    since: moment().notNull(),
    startedAt: moment().notNull(),
    /** Null: under way, or cut off. */
    finishedAt: moment(),
    payments: integer().notNull().default(0),
    partnerOrders: integer().notNull().default(0),
    differences: integer().notNull().default(0),
  },
  (t) => [index().on(t.startedAt)],
)
