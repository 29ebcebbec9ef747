import { and, asc, desc, eq } from 'drizzle-orm'
import { knownCollections } from '#site/collections/known.ts'
import { changedMembers, type ProductContent } from '#domain/catalog/product-content.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { readCatalogFile, type CatalogFile, type ProductToImport } from './catalog-file.ts'
import { importCollections } from './collection-file.ts'
import { addKnownCollections } from './collections.ts'
import { planMissing, planStart, planUpload, refuseMistakes, type Plan } from './import-plan.ts'
import { saveVariants } from './import-variants.ts'
import { clearListingCache } from './listing-cache.ts'
import {
  lockAllProducts,
  nextProductId,
  readContents,
  readFormerSlugs,
  saveFormerSlugs,
  writeContents,
  type ContentToSave,
} from './product-store.ts'
import { importProductTypes, listProductTypes } from './product-types.ts'
import { recordRevisions, type Revision } from './revisions.ts'
import { catalogRevision, collection, type RevisionSource } from './schema.ts'

/**
 * Imports the catalog file of a start. A value that the file changed since it was last imported is taken over; all others stay as
 * the owner has them. Products that came from the file and are missing in it retire, because orders refer to them.
 * @throws CatalogFileError; nothing was changed
 */
export async function importCatalog(
  { db, clock }: Needs<'db' | 'clock'>,
  file: CatalogFile,
): Promise<{ products: number; retired: number }> {
  const { products, collections, productTypes } = await readCatalogFile(file)
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
    await saveVariants(
      tx,
      saves.filter(({ before }) => !before),
      at,
    )
    return saves.filter(
      ({ before, after }) => before && before.content.state !== 'retired' && after.state === 'retired',
    ).length
  })
  clearListingCache(db)
  return { products: products.length, retired }
}

/** Saves what a file changes in these products, without their variants. */
export async function saveUploaded(tx: Tx, plans: readonly Plan[], { by, at }: { by: Actor; at: Date }): Promise<void> {
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
  await saveVariants(tx, plans, change.at)
  return plans.map(({ id }) => id)
}

/** Those of the specification count, because products from before collections were rows name them. */
export const readSurroundings = async (tx: Tx) => ({
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
async function lastImports(db: Reader): Promise<Map<ProductId, ProductContent>> {
  const rows = await db
    .selectDistinctOn([catalogRevision.key], { key: catalogRevision.key, content: catalogRevision.content })
    .from(catalogRevision)
    .where(and(eq(catalogRevision.kind, 'product'), eq(catalogRevision.source, 'import')))
    .orderBy(asc(catalogRevision.key), desc(catalogRevision.version))
  return new Map(rows.map(({ key, content }) => [Number(key) as ProductId, content as ProductContent]))
}
