import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  draftStates,
  type DraftContent,
  type DraftObjection,
  type DraftState,
  type DraftStep,
} from '#domain/studio/draft.ts'
import type { CopyPlan } from '#domain/studio/copies.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import { bigId, moment, oneOf } from '#server/db/columns.ts'
import type { StoreProduct } from '#server/providers/printful/store-products.ts'

/** A new product as far as the owner has described it. */
export const productDraft = pgTable(
  'product_draft',
  {
    id: serial().primaryKey(),
    version: integer().notNull(),
    step: text().notNull().$type<DraftStep>(),
    state: text().notNull().$type<DraftState>(),
    content: jsonb().notNull().$type<DraftContent>(),
    refusal: jsonb().$type<DraftObjection>(),
    /** When the printer was first asked to make it; from then on a product of this name over there is this one. */
    askedAt: moment(),
    /** The printer's task of making pictures, once it was asked; ISO 8601, and no key before it began. */
    mockups: jsonb().$type<{ askedAt: string; taskKey: string | null }>(),
    /** What the owner has to know of the product that was made. */
    remark: text(),
    /** The product at the printer, once it is known. */
    syncProductId: bigId<SyncProductId>(),
    /** The product in the catalog. No foreign key: products are never deleted, and the catalog does not know drafts. */
    productId: integer().$type<ProductId>(),
    /** Drafts of one drawing that were made together, and the blank that each was made for. */
    batch: text(),
    batchBlankId: integer(),
    /** From what a draft of a batch is filled in; null once it was, or was saved by hand. */
    copyPlan: jsonb().$type<CopyPlan>(),
    updatedBy: text().notNull(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.state, t.updatedAt),
    uniqueIndex().on(t.batch, t.batchBlankId),
    // Two of one address would be taken for the same product at the printer.
    uniqueIndex('product_draft_made_once')
      .on(sql`(${t.content} ->> 'slug')`)
      .where(sql`${t.state} = 'creating'`),
    check('product_draft_state_known', oneOf(t.state, draftStates)),
  ],
)

/**
 * A product of the printer's store, as we read it last. Only of those that the catalog did not have then; rows stay, so that ignoring one
 * lasts.
 */
export const printerProduct = pgTable(
  'printer_product',
  {
    id: bigId<SyncProductId>().primaryKey(),
    externalId: text(),
    name: text().notNull(),
    thumbnailUrl: text(),
    variantCount: integer(),
    /** How many of its variants are tied to a blank. */
    syncedCount: integer(),
    /** Null before it was looked at. */
    details: jsonb().$type<StoreProduct>(),
    detailsReadAt: moment(),
    /** When the printer's list had it last. */
    seenAt: moment().notNull(),
    /** The owner does not want it in the list. */
    ignoredAt: moment(),
  },
  (t) => [index().on(t.seenAt)],
)
