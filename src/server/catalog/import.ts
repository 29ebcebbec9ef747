import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { knownCollections } from '#site/collections/known.ts'
import { fieldChange, fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import { changedMembers, type ProductContent } from '#domain/catalog/product-content.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { applyChanges, diffVariants, type Change, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findMissing, importPictures, type PictureArchive } from '#server/pictures/archive.ts'
import type { Needs } from '#server/shop.ts'
import type { FileMistake } from './catalog-file-error.ts'
import { readCatalogFile, type CatalogFile, type ProductToImport } from './catalog-file.ts'
import { importCollections, type FileCollection } from './collection-file.ts'
import { addKnownCollections } from './collections.ts'
import { planMissing, planStart, planUpload, pricesBelowCost, refuseMistakes, type Plan } from './import-plan.ts'
import { clearListingCache } from './listing-cache.ts'
import {
  lockAllProducts,
  nextProductId,
  readContents,
  readFormerSlugs,
  saveFormerSlugs,
  writeContents,
  type ContentToSave,
  type StoredContent,
} from './product-store.ts'
import { importProductTypes, listProductTypes } from './product-types.ts'
import { isShipped } from './pictures.ts'
import { recordRevisions, type Revision } from './revisions.ts'
import { catalogRevision, collection, type RevisionSource } from './schema.ts'
import { listCopiesOfProducts, saveCopies } from './sync-store.ts'
import { markPricesSet } from './variant-prices.ts'

/** What an import did to one thing of the catalog, or would do. */
type ImportDifference = {
  kind: 'product' | 'collection' | 'product type' | 'picture'
  /** A product's slug; any other thing's name. */
  name: string
  what: 'new' | 'changed' | 'retired'
  changes: FieldChange[]
}

export type ImportReport = {
  /** In the file, and the variants that change. */
  products: number
  variants: number
  /** Products of the file that stay as they are. */
  untouched: number
  differences: ImportDifference[]
  /** What is imported although it looks wrong. */
  warnings: FileMistake[]
  /** Names the file and the difference, so that what is applied is what was shown. */
  fingerprint: string
}

/** `isWhole`: the file has the whole catalog, so what came from files and is missing in it retires. */
export type CatalogInput = {
  products: readonly ProductToImport[]
  collections?: readonly FileCollection[]
  productTypes?: readonly ProductType[]
  pictures?: PictureArchive | undefined
  isWhole: boolean
  /** Of the file's bytes. */
  hash: string
}

/**
 * Imports the catalog file of a start. A value that the file changed since it was last imported is taken over; all others stay as
 * the owner has them. Products that came from the file and are missing in it retire, because orders refer to them.
 * @throws CatalogFileError; nothing was changed
 */
export async function importCatalog(
  { db, clock }: Needs<'db' | 'clock'>,
  file: CatalogFile,
): Promise<{ products: number; retired: number }> {
  const { products, collections, productTypes } = readCatalogFile(file)
  const at = clock.now()
  const retired = await db.transaction(async (tx) => {
    await lockAllProducts(tx)
    const options = { at, by: 'shop', source: 'import', replaces: false } as const
    await importProductTypes(tx, productTypes, options)
    await importCollections(tx, collections, options)
    const current = await readContents(tx)
    const last = await lastImports(tx)
    const surroundings = await readSurroundings(tx)
    const saves = [
      ...planStart(current, last, products, surroundings.formerSlugs),
      ...planMissing(current, last, products),
    ]
    refuseMistakes(saves, current, surroundings)
    const renewed = saves.filter(({ isFileNew }) => isFileNew)
    await writeContents(
      tx,
      renewed.map((save) => toContentToSave(save, startVersion(save))),
      at,
    )
    await recordRevisions(
      tx,
      renewed.flatMap((save) => startRevisions(save, at)),
    )
    await saveNewFormerSlugs(tx, saves)
    await addKnownCollections(tx, at)
    // The variants of known products are the printer's.
    await importVariants(
      tx,
      saves.filter(({ before }) => !before),
      { at, writes: true },
    )
    return saves.filter(
      ({ before, after }) => before && before.content.state !== 'retired' && after.state === 'retired',
    ).length
  })
  clearListingCache(db)
  return { products: products.length, retired }
}

/** Pictures that products name, and that neither the shop nor the archive has. */
async function missingPictures(
  tx: Tx,
  products: readonly ProductToImport[],
  archive: PictureArchive | undefined,
): Promise<FileMistake[]> {
  const named = products.flatMap(({ row, content }) => (content.pictures ?? []).map(({ file }) => ({ row, file })))
  const brought = new Set(archive?.pictures.map(({ file }) => file))
  const missing = await findMissing(
    tx,
    named.flatMap(({ file }) => (brought.has(file) || isShipped(file) ? [] : file)),
  )
  return named.flatMap(({ row, file }) =>
    missing.has(file)
      ? [{ row, column: 'pictures', problem: `This shop has no picture ${file}: import the .zip, or upload it here` }]
      : [],
  )
}

class DryRun extends Error {
  readonly report: ImportReport
  constructor(report: ImportReport) {
    super('a dry run')
    this.report = report
  }
}

/**
 * Imports a file that the owner chose: what it says is taken over, what it does not say stays. The same file again changes nothing.
 * One transaction, so nothing is ever half imported: saving products in the admin waits for it, and over the embedded database
 * everything that needs the database.
 * @param expected the fingerprint of the dry run that the owner agreed to
 * @throws CatalogFileError; Refusal `catalog_changed` when the difference is no longer the expected one; nothing was changed
 */
export async function uploadCatalog(
  { db, clock }: Needs<'db' | 'clock'>,
  { products, collections = [], productTypes = [], pictures, isWhole, hash }: CatalogInput,
  { by, dryRun, expected }: { by: Actor; dryRun: boolean; expected?: string | undefined },
): Promise<ImportReport> {
  const at = clock.now()
  try {
    const report = await db.transaction(async (tx) => {
      await lockAllProducts(tx)
      const options = { at, by: by.name, source: 'upload', replaces: true } as const
      const types = await importProductTypes(tx, productTypes, options)
      const changedCollections = await importCollections(tx, collections, options)
      const current = await readContents(tx)
      const origins = isWhole ? await fileOrigins(tx, current) : new Map<ProductId, ProductContent>()
      const surroundings = await readSurroundings(tx)
      const plans = [
        ...planUpload(current, products, await nextProductId(tx), surroundings.formerSlugs),
        ...planMissing(current, origins, products),
      ]
      refuseMistakes(plans, current, surroundings)
      if (!dryRun) {
        await saveUploaded(tx, plans, { by, at })
        await addKnownCollections(tx, at)
      }
      const variants = await importVariants(tx, plans, { at, writes: !dryRun })
      const ofProducts = plans.flatMap((plan) => differenceOf(plan, variants.get(plan.id) ?? []))
      const ofPictures = pictures ? await importPictures(tx, pictures, { writes: !dryRun }) : []
      const differences: ImportDifference[] = [
        ...ofPictures.map((one) => ({ kind: 'picture', ...one }) as const),
        ...types.map((one) => ({ kind: 'product type', ...one }) as const),
        ...changedCollections.map((one) => ({ kind: 'collection', ...one }) as const),
        ...ofProducts,
      ]
      const found = {
        products: products.length,
        variants: new Set([...variants.values()].flat().map(({ variantId }) => variantId)).size,
        untouched: products.length - ofProducts.filter(({ what }) => what !== 'retired').length,
        differences,
        warnings: [...pricesBelowCost(products), ...(await missingPictures(tx, products, pictures))],
        fingerprint: createHash('sha256').update(hash).update(JSON.stringify(differences)).digest('hex'),
      }
      if (dryRun) throw new DryRun(found)
      if (expected !== undefined && found.fingerprint !== expected) throw new Refusal('catalog_changed')
      if (differences.length)
        await recordAction(tx, {
          by,
          what: 'imported a catalog file',
          about: { kind: 'catalog', id: 'file' },
          after: { products: products.length, differences: differences.length },
          at,
        })
      return found
    })
    clearListingCache(db)
    return report
  } catch (error) {
    if (error instanceof DryRun) return error.report
    throw error
  }
}

async function saveUploaded(tx: Tx, plans: readonly Plan[], { by, at }: { by: Actor; at: Date }): Promise<void> {
  const changed = plans.filter(isChange).map((plan) => toContentToSave(plan, nextVersion(plan)))
  await writeContents(tx, changed, at)
  await recordRevisions(
    tx,
    changed.map(({ id, version, content }) => revision(id, version, content, 'upload', by.name, at)),
  )
  await saveNewFormerSlugs(tx, plans)
}

/** Also of products that stay as they are otherwise. */
const saveNewFormerSlugs = (tx: Tx, plans: readonly Plan[]): Promise<void> =>
  saveFormerSlugs(
    tx,
    plans.flatMap(({ id, newFormerSlugs }) => newFormerSlugs.map((slug) => ({ slug, productId: id }))),
  )

/**
 * Adds products of a former shop with their variants, or changes those with an id, in the caller's transaction. The caller has called
 * `lockAllProducts` and checked slugs, types and collections.
 * @returns their ids
 */
export async function addProducts(
  tx: Tx,
  products: readonly ProductToImport[],
  change: { by: Actor; at: Date },
): Promise<ProductId[]> {
  const plans = planUpload(await readContents(tx), products, await nextProductId(tx), new Map())
  await saveUploaded(tx, plans, change)
  await importVariants(tx, plans, { at: change.at, writes: true })
  return plans.map(({ id }) => id)
}

/** Those of the specification count, because products from before collections were rows name them. */
const readSurroundings = async (tx: Tx) => ({
  types: new Set((await listProductTypes(tx)).map(({ key }) => key)),
  collections: new Set(
    [...(await tx.select({ id: collection.id }).from(collection)), ...knownCollections].map(({ id }) => id),
  ),
  formerSlugs: new Map((await readFormerSlugs(tx)).map(({ slug, productId }) => [slug, productId])),
})

const isChange = ({ before, after }: Plan) => !before || changedMembers(before.content, after).length > 0

const nextVersion = ({ before }: Plan): number => (before?.version ?? 0) + 1

const toContentToSave = ({ id, before, after }: Plan, version: number): ContentToSave => ({
  ...{ id, version },
  before: before?.content,
  content: after,
})

const revision = (
  id: ProductId,
  version: number,
  content: ProductContent,
  source: RevisionSource,
  by: string,
  at: Date,
): Revision => ({ kind: 'product', key: String(id), version, content, source, by, at })

/** Whether the owner's values stay beside the file's. */
const isMerged = ({ file, after }: Plan) => changedMembers(file, after).length > 0

const startVersion = (plan: Plan): number => nextVersion(plan) + (isMerged(plan) ? 1 : 0)

/** The file's content for the next start, and what became of it where the owner had changed something. */
function startRevisions(plan: Plan, at: Date): Revision[] {
  const { id, file, after } = plan
  return [
    revision(id, nextVersion(plan), file, 'import', 'shop', at),
    ...(isMerged(plan) ? [revision(id, startVersion(plan), after, 'merge', 'shop', at)] : []),
  ]
}

/** The content of each product in the file of the last start. */
const lastImports = (db: Reader) => readRevisions(db, ['import'])

/** Products that files made. */
async function fileOrigins(
  db: Reader,
  current: ReadonlyMap<ProductId, StoredContent>,
): Promise<Map<ProductId, ProductContent>> {
  const rows = await db
    .select({ key: catalogRevision.key })
    .from(catalogRevision)
    .where(
      and(
        eq(catalogRevision.kind, 'product'),
        eq(catalogRevision.version, 1),
        inArray(catalogRevision.source, ['import', 'upload']),
      ),
    )
  return new Map(
    rows.flatMap(({ key }) => {
      const id = Number(key) as ProductId
      const stored = current.get(id)
      return stored ? [[id, stored.content]] : []
    }),
  )
}

async function readRevisions(db: Reader, sources: RevisionSource[]): Promise<Map<ProductId, ProductContent>> {
  const rows = await db
    .selectDistinctOn([catalogRevision.key], { key: catalogRevision.key, content: catalogRevision.content })
    .from(catalogRevision)
    .where(and(eq(catalogRevision.kind, 'product'), inArray(catalogRevision.source, sources)))
    .orderBy(asc(catalogRevision.key), desc(catalogRevision.version))
  return new Map(rows.map(({ key, content }) => [Number(key) as ProductId, content as ProductContent]))
}

const PRODUCTS_PER_BATCH = 500

/** @returns what changes, by product @param writes false only compares */
async function importVariants(
  tx: Tx,
  plans: readonly Plan[],
  { at, writes }: { at: Date; writes: boolean },
): Promise<Map<ProductId, Change[]>> {
  const given = plans.filter(({ variants }) => variants)
  const inFile = new Set(given.flatMap(({ variants }) => [...(variants?.keys() ?? [])]))
  const byProduct = new Map<ProductId, Change[]>()
  for (let from = 0; from < given.length; from += PRODUCTS_PER_BATCH) {
    const batch = given.slice(from, from + PRODUCTS_PER_BATCH)
    const received = new Map<VariantId, VariantCopy>(
      batch.flatMap(({ id, variants }) =>
        [...(variants ?? [])].map(([key, copy]): [VariantId, VariantCopy] => [key, { ...copy, productId: id }]),
      ),
    )
    const stored = await listCopiesOfProducts(
      tx,
      batch.map(({ id }) => id),
      [...received.keys()],
    )
    // What moves to a product of another batch is compared there.
    const copies = new Map([...stored].filter(([id]) => received.has(id) || !inFile.has(id)))
    const changes = diffVariants(copies, received)
    for (const change of changes) {
      const owner = received.get(change.variantId)?.productId ?? copies.get(change.variantId)?.productId
      if (owner === undefined) continue
      const known = byProduct.get(owner)
      if (known) known.push(change)
      else byProduct.set(owner, [change])
    }
    if (writes) {
      await saveCopies(tx, applyChanges(copies, changes), [...new Set(changes.map(({ variantId }) => variantId))], at)
      const priced = changes.flatMap(({ kind, variantId }) => (kind === 'price' ? variantId : []))
      if (priced.length) await markPricesSet(tx, priced, at)
    }
    // Requests that need no database go on meanwhile.
    await nextTurn()
  }
  return byProduct
}

function differenceOf({ row, before, after, newFormerSlugs }: Plan, variants: readonly Change[]): ImportDifference[] {
  const name = after.slug
  if (!before) return [{ kind: 'product', name, what: 'new', changes: [] }]
  const changes = [
    ...fieldChanges(before.content, after),
    ...(newFormerSlugs.length ? [fieldChange('former addresses', null, newFormerSlugs.join(', '))] : []),
    ...variants.flatMap(variantChanges),
  ]
  return changes.length ? [{ kind: 'product', name, what: row ? 'changed' : 'retired', changes }] : []
}

const priceOf = (copy: Change['before']) => (copy?.unitPrice === undefined ? null : decimalFromCents(copy.unitPrice))

function variantChanges({ variantId, kind, before, after }: Change): FieldChange[] {
  const name = after?.name ?? before?.name
  const label = name === undefined ? `variant ${variantId}` : `variant ${variantId} (${name})`
  if (kind === 'new' || kind === 'gone') return [fieldChange(label, priceOf(before), priceOf(after))]
  const shown = (copy: Partial<VariantCopy> | null) => ({
    ...copy,
    ...(copy?.unitPrice !== undefined && { unitPrice: decimalFromCents(copy.unitPrice) }),
    ...(copy?.costCents !== undefined && {
      costCents: copy.costCents === null ? null : decimalFromCents(copy.costCents),
    }),
  })
  return fieldChanges(shown(before), shown(after)).map((change) => ({
    ...change,
    field: `${label} ${change.field === 'unit price' ? 'price' : change.field === 'cost cents' ? 'cost' : change.field}`,
  }))
}
