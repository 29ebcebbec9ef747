import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import type { CollectionContent } from '#domain/catalog/collection-theme.ts'
import type { ProductColor } from '#domain/catalog/color-text.ts'
import { collectionStates, type CollectionState } from '#domain/catalog/collections.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import { type ProductState, productStates } from '#domain/catalog/product-state.ts'
import { ageGroups, decorations, type ProductType } from '#domain/catalog/product-types.ts'
import { type ChangeKind, type VariantCopy, changeKinds } from '#domain/catalog/sync-diff.ts'
import { bigId, bytes, moment, namedMoment, money, notNegative, oneOf, plainText } from '#server/db/columns.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'

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

/** Kinds of products; the columns are those of `ProductType`. The migration adds the specification's twelve. */
export const productType = pgTable(
  'product_type',
  {
    key: text().primaryKey(),
    name: text().notNull(),
    plural: text().notNull(),
    piece: text().notNull(),
    pieces: text().notNull(),
    allProducts: text(),
    synonyms: text().array().notNull(),
    position: smallint().notNull(),
    listGroup: smallint().notNull(),
    merchantCategory: text().notNull(),
    merchantType: text().notNull(),
    ageGroup: text().notNull().$type<ProductType['ageGroup']>(),
    colorLabel: text().notNull(),
    sizeLabel: text().notNull(),
    facts: jsonb().notNull().$type<ProductType['facts']>(),
    sizeTable: jsonb().$type<ProductType['sizeTable']>(),
    decoration: text().notNull().$type<ProductType['decoration']>(),
    blankId: bigint({ mode: 'number' }),
    hasModel: boolean().notNull(),
    version: integer().notNull(),
    updatedAt: namedMoment(),
  },
  (t) => [
    // A digit of the listing key: see view `product_as_listed`.
    check('product_type_list_group', sql`${t.listGroup} between 0 and 70`),
    check('product_type_age_group', oneOf(t.ageGroup, ageGroups)),
    check('product_type_decoration', oneOf(t.decoration, decorations)),
  ],
)

/** Never deleted: orders, links and partners refer to it. Products and orders name its `id`, which is its first slug. */
export const collection = pgTable(
  'collection',
  {
    id: text().primaryKey(),
    slug: text().notNull().unique(),
    /** Redirect to `slug`. */
    formerSlugs: text().array().notNull(),
    state: text().notNull().$type<CollectionState>(),
    /** When a draft or an announced collection is published. */
    publishAt: moment(),
    /** In the menu, the footer and all lists, from 1. */
    position: smallint().notNull(),
    inMenu: boolean().notNull(),
    onHome: boolean().notNull(),
    content: jsonb().notNull().$type<CollectionContent>(),
    version: integer().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [check('collection_state_known', oneOf(t.state, collectionStates))],
)

/** The table has two more generated columns for search: see the end of `migrations/0000_first.sql`. */
export const product = pgTable(
  'product',
  {
    id: integer().primaryKey().$type<ProductId>(),
    slug: text().notNull().unique(),
    /** The printer's external id where it is not the slug, because the slug was changed here. */
    externalId: text(),
    name: text().notNull(),
    description: text().notNull(),
    collection: text().notNull(),
    type: text()
      .notNull()
      .references(() => productType.key),
    badge: text(),
    metadata: jsonb().notNull().$type<ProductMetadata>(),
    requiresOptions: boolean().notNull().default(false),
    /** The printer's product; the sync finds it by its external id, which is our first slug. */
    syncProductId: bigId<SyncProductId>().unique(),
    /** The public mapping; only some products have one. */
    providerProductId: bigId<SyncProductId>().unique(),
    /** When the printer was queried for the stored variants; answers to earlier queries are ignored. */
    askedAt: moment(),
    /** Swatches in order. */
    colors: jsonb().notNull().$type<ProductColor[]>(),
    state: text().notNull().default('published').$type<ProductState>(),
    /** When a scheduled product goes on sale. */
    publishAt: moment(),
    /** Follows from `state`: only published products are visible. A trigger sets it. */
    visible: boolean().notNull().default(true),
    /** Counts saved changes; the latest row of `catalogRevision` has the same. */
    version: integer().notNull().default(1),
    /** The owner's position in lists; products with a place come first. */
    place: smallint(),
    updatedAt: namedMoment(),
  },
  (t) => [
    index().on(t.collection),
    // Few products have a surcharge, and pages query them often.
    index('product_surcharged')
      .on(t.type)
      .where(sql`(${t.metadata}->'shippingSurcharge'->'enabled')::boolean`),
    index('product_scheduled')
      .on(t.publishAt)
      .where(sql`${t.state} = 'scheduled'`),
    check('product_state_known', oneOf(t.state, productStates)),
    check('product_scheduled_has_time', sql`${t.state} <> 'scheduled' or ${t.publishAt} is not null`),
  ],
)

/** Slugs that products had before; their addresses redirect. */
export const formerSlug = pgTable(
  'former_slug',
  {
    slug: text().primaryKey(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id, { onDelete: 'cascade' }),
  },
  (t) => [index().on(t.productId)],
)

const revisionKinds = ['product', 'collection', 'collection_order', 'product_type', 'prices'] as const
export type RevisionKind = (typeof revisionKinds)[number]

/**
 * `import`: as the catalog file of a start has it; the next start compares its file with this. `merge`: the same with the values that
 * the owner had changed. `upload`: a file that the owner imported. `admin`: an edit. `undo`: an earlier version restored. `schedule`:
 * published at its time. `printer`: created or taken over there.
 */
const revisionSources = ['import', 'merge', 'upload', 'admin', 'undo', 'schedule', 'printer'] as const
export type RevisionSource = (typeof revisionSources)[number]

/** The history of everything an owner can edit in the catalog. */
export const catalogRevision = pgTable(
  'catalog_revision',
  {
    kind: text().notNull().$type<RevisionKind>(),
    /** A product's id, also for its prices; the slug of a collection or product type; `all` for the order of collections. */
    key: text().notNull(),
    version: integer().notNull(),
    /** The whole editable content after the change. */
    content: jsonb().notNull().$type<object>(),
    source: text().notNull().$type<RevisionSource>(),
    /** The user's name; `command` for the owner command, `shop` for the shop itself. */
    by: text().notNull(),
    at: moment().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key, t.version] }),
    check('catalog_revision_kind_known', oneOf(t.kind, revisionKinds)),
    check('catalog_revision_source_known', oneOf(t.source, revisionSources)),
  ],
)

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
    /** Null: made of the product's name, color and view. */
    alt: text(),
    /** Whether each size is also there as AVIF. */
    avif: boolean().notNull().default(false),
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
    /** When the owner set a price that the printer's store does not have yet. Until then a sync leaves the price alone. */
    priceSetAt: moment(),
    /** Why the printer refused it, in a sentence. */
    priceRefusal: text(),
    /** When a sync no longer found it; the row stays, because orders refer to it. */
    goneAt: moment(),
    updatedAt: namedMoment(),
  },
  (t) => [
    index().on(t.productId, t.position),
    index().on(t.blankId),
    // For searching sizes.
    index('variant_size')
      .on(t.size, t.productId)
      .where(sql`${t.goneAt} is null`),
    index('variant_price_unwritten')
      .on(t.productId)
      .where(sql`${t.priceSetAt} is not null`),
    check('variant_price_positive', sql`${t.unitPrice} > 0`),
    notNegative('variant_cost_not_negative', t.costCents),
  ],
)

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
    type: text().notNull(),
    /** Sorts as `sortForListing` does. */
    listingKey: plainText().notNull(),
    lowestPrice: money('lowest_price_cents').notNull(),
    available: boolean().notNull(),
    /** Best first: minus tenths of stars, then minus the number of reviews; 0 without reviews. */
    ratingRank: integer().notNull().default(0),
    /** Such as `type:hat`, `color:Navy`, `size:XL`, `price:20-30`; every row has `all`. */
    facets: text().array().notNull(),
  },
  (t) => [
    index().on(t.listingKey, t.productId),
    index().on(t.collection, t.listingKey, t.productId),
    index().on(t.collection, t.type, t.listingKey, t.productId),
    index().on(t.type, t.listingKey, t.productId),
    index().on(t.collection, t.lowestPrice, t.productId),
    index().on(t.lowestPrice, t.productId),
    index().on(t.ratingRank, t.productId),
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

/** Searches that found nothing, per day; nothing says who searched. */
export const searchMiss = pgTable(
  'search_miss',
  {
    /** By UTC. */
    day: date().notNull(),
    words: text().notNull(),
    count: integer().notNull(),
    /** How many of them the owner has dismissed. */
    dismissed: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.words] })],
)

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

/** Copies of the printer's previews in their own size. Unused: `picture` has them in ours; a later release drops it. */
export const copiedPicture = pgTable('copied_picture', {
  /** The file name, a content hash. */
  file: text().primaryKey(),
  sourceUrl: text().notNull().unique(),
  contentType: text().notNull(),
  body: bytes().notNull(),
})

const formerPictureStates = ['waiting', 'stored', 'failed'] as const

/** Pictures of imported products, which a job fetches from a former shop. */
export const formerPicture = pgTable(
  'former_picture',
  {
    id: serial().primaryKey(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    url: text().notNull(),
    /** As the export describes it; null if it does not. */
    alt: text(),
    /** The printer's name of the color whose variants it shows. */
    color: text(),
    state: text().notNull().$type<(typeof formerPictureStates)[number]>(),
    /** Our picture, once there; then it waits to be shown with the others of its product. */
    file: text(),
    /** What went wrong, in a sentence. */
    failure: text(),
    updatedAt: moment().notNull(),
  },
  (t) => [
    unique().on(t.productId, t.url),
    index('former_picture_open')
      .on(t.state, t.productId)
      .where(sql`${t.state} <> 'stored'`),
    check('former_picture_state_known', oneOf(t.state, formerPictureStates)),
  ],
)

/** Old addresses, such as a former shop's, and where they lead; both as `parseAddress` writes paths. Used where none of our pages answers. */
export const redirect = pgTable('redirect', {
  id: serial().primaryKey(),
  fromPath: text().notNull().unique(),
  toPath: text().notNull(),
  createdAt: moment().notNull(),
})
