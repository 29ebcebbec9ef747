import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, inArray, or } from 'drizzle-orm'
import { fieldChange, fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import type { FoundBelowFloor } from '#domain/catalog/margin-floor.ts'
import type { ProductContent } from '#domain/catalog/product-content.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import type { Change, VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findMissing, importPictures, type PictureArchive } from '#server/pictures/archive.ts'
import { isShipped } from '#server/pictures/shipped.ts'
import type { Needs } from '#server/shop.ts'
import type { FileMistake } from './catalog-file-error.ts'
import type { ProductToImport } from './catalog-file.ts'
import { importCollections, type FileCollection } from './collection-file.ts'
import { addKnownCollections } from './collections.ts'
import { judgeImport } from './import-floor.ts'
import { planMissing, planUpload, pricesBelowCost, refuseMistakes, type Plan } from './import-plan.ts'
import { compareVariants, saveVariants, variantsIn } from './import-variants.ts'
import { readSurroundings, saveUploaded } from './import.ts'
import { clearListingCache } from './listing-cache.ts'
import { refuseFound, requireYes } from './margin-guard.ts'
import { listProductIds, lockAllProducts, nextProductId, readContents, type StoredContent } from './product-store.ts'
import { importProductTypes } from './product-types.ts'
import { catalogRevision, product } from './schema.ts'

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
  /** Products of which some sales would leave less than the owner's floor. */
  belowFloor: FoundBelowFloor
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

export type ImportOptions = { by: Actor; dryRun: boolean; expected?: string | undefined; accepted: boolean }

/**
 * Bounds how long everything else waits for the database. Over the embedded one, which has one connection, what came meanwhile is
 * answered between two batches.
 */
const PRODUCTS_PER_READ = 250
const PRODUCTS_PER_SAVE = 200

/**
 * Imports a file that the owner chose: what it says is taken over, what it does not say stays. The same file again changes nothing.
 * Everything is compared first, so a file with mistakes changes nothing. Then it is saved in parts, each whole: the shop goes on meanwhile.
 * After an interruption the same file again brings the rest.
 * @param expected the fingerprint of the dry run that the owner agreed to
 * @param accepted the owner has accepted sales below the floor
 * @throws CatalogFileError; Refusal `catalog_changed` when the difference is no longer the expected one; `below_floor`; nothing was changed
 * @throws Refusal `catalog_import_stopped` when somebody changed a product while the file was imported
 */
export async function uploadCatalog(
  shop: Needs<'db' | 'clock' | 'config'>,
  input: CatalogInput,
  { by, dryRun, expected, accepted }: ImportOptions,
): Promise<ImportReport> {
  const { db, clock } = shop
  const at = clock.now()
  const { report, plans } = await compare(shop, input, by, at)
  if (dryRun) return report
  if (expected !== undefined && report.fingerprint !== expected) throw new Refusal('catalog_changed')
  if (!report.differences.length) return report
  if (!accepted) refuseFound(report.belowFloor)
  try {
    if (input.pictures) await importPictures(db, input.pictures, { writes: true })
    await db.transaction((tx) => importFrame(tx, input, by, at))
    await savePlans(db, plans, { by, at })
    await db.transaction(async (tx) => {
      const about = { kind: 'catalog', id: 'file' }
      await requireYes(tx, report.belowFloor, { by, accepted, about, at })
      await recordAction(tx, {
        ...{ by, what: 'imported a catalog file', about, at },
        after: { products: input.products.length, differences: report.differences.length },
      })
    })
  } finally {
    clearListingCache(db)
  }
  return report
}

/** What products need: their types and collections. */
async function importFrame(
  tx: Tx,
  { collections = [], productTypes = [] }: CatalogInput,
  by: Actor,
  at: Date,
): Promise<ImportDifference[]> {
  const options = { at, by: by.name, source: 'upload', replaces: true } as const
  const types = await importProductTypes(tx, productTypes, options)
  const changed = await importCollections(tx, collections, options)
  return [
    ...types.map((one) => ({ kind: 'product type', ...one }) as const),
    ...changed.map((one) => ({ kind: 'collection', ...one }) as const),
  ]
}

/** What the file would change, and nothing is. @returns `plans` of the products that it changes */
async function compare(
  shop: Needs<'db' | 'clock' | 'config'>,
  input: CatalogInput,
  by: Actor,
  at: Date,
): Promise<{ report: ImportReport; plans: Plan[] }> {
  const { db } = shop
  const { products, pictures, isWhole, hash } = input
  const [frame, surroundings] = await takenBack(db, async (tx) => [
    await importFrame(tx, input, by, at),
    await readSurroundings(tx),
  ])
  const current = await readAllContents(db)
  const origins = isWhole ? await fileOrigins(db, current) : new Map<ProductId, ProductContent>()
  const plans = [
    ...planUpload(current, products, await nextProductId(db), surroundings.formerSlugs),
    ...planMissing(current, origins, products),
  ]
  refuseMistakes(plans, current, surroundings)
  const variants = await compareVariants(db, plans)
  const changed: { plan: Plan; difference: ImportDifference }[] = []
  for (const [index, plan] of plans.entries()) {
    if (index % PRODUCTS_PER_READ === 0) await nextTurn()
    const difference = differenceOf(plan, variants.get(plan.id) ?? [])
    if (difference) changed.push({ plan, difference })
  }
  const ofPictures = pictures ? await importPictures(db, pictures, { writes: false }) : []
  const differences: ImportDifference[] = [
    ...ofPictures.map((one) => ({ kind: 'picture', ...one }) as const),
    ...frame,
    ...changed.map(({ difference }) => difference),
  ]
  const report = {
    products: products.length,
    variants: new Set([...variants.values()].flat().map(({ variantId }) => variantId)).size,
    untouched: products.length - changed.filter(({ difference }) => difference.what !== 'retired').length,
    differences,
    warnings: [...pricesBelowCost(products), ...(await missingPictures(db, input))],
    belowFloor: await judgeImport(
      shop,
      changed.map(({ plan }) => plan),
      variants,
    ),
    fingerprint: createHash('sha256').update(hash).update(JSON.stringify(differences)).digest('hex'),
  }
  return { report, plans: changed.map(({ plan }) => plan) }
}

class TakenBack extends Error {}

/** Does something in a transaction that leaves nothing. */
async function takenBack<Result>(db: Db, write: (tx: Tx) => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  try {
    return await db.transaction(async (tx) => {
      result = { value: await write(tx) }
      throw new TakenBack('taken back')
    })
  } catch (error) {
    if (error instanceof TakenBack && result) return result.value
    throw error
  }
}

async function readAllContents(db: Db): Promise<Map<ProductId, StoredContent>> {
  const all = new Map<ProductId, StoredContent>()
  for (const some of partsOf(await listProductIds(db), PRODUCTS_PER_READ)) {
    for (const [id, content] of await readContents(db, some)) all.set(id, content)
    // Answers of the embedded database come without a turn of the event loop.
    await nextTurn()
  }
  return all
}

function* partsOf<Entry>(entries: readonly Entry[], size: number): Generator<Entry[]> {
  for (let from = 0; from < entries.length; from += size) yield entries.slice(from, from + size)
}

/** @throws Refusal `catalog_import_stopped`; the batches before are saved */
async function savePlans(db: Db, plans: readonly Plan[], { by, at }: { by: Actor; at: Date }): Promise<void> {
  const inFile = variantsIn(plans)
  for (const batch of batchesOf(plans)) {
    await nextTurn()
    await db.transaction(async (tx) => {
      await lockAllProducts(tx)
      await refuseChanged(tx, batch)
      await saveUploaded(tx, batch, { by, at })
      await addKnownCollections(tx, at)
      await saveVariants(tx, batch, at, inFile)
    })
  }
}

/** Addresses and the printer's products may move from one product to another: those are saved together, and first. */
function batchesOf(plans: readonly Plan[]): Plan[][] {
  const keysOf = ({ slug, providerProductId }: Pick<ProductContent, 'slug' | 'providerProductId'>) => [
    slug,
    ...(providerProductId === null ? [] : [providerProductId]),
  ]
  const freed = new Set(
    plans.flatMap(({ before, after }) =>
      before ? keysOf(before.content).filter((key) => !keysOf(after).includes(key)) : [],
    ),
  )
  const isMoving = ({ before, after }: Plan) =>
    (before && keysOf(before.content).some((key) => freed.has(key))) || keysOf(after).some((key) => freed.has(key))
  const { moving = [], others = [] } = Object.groupBy(plans, (plan) => (isMoving(plan) ? 'moving' : 'others'))
  return [...(moving.length ? [moving] : []), ...partsOf(others, PRODUCTS_PER_SAVE)]
}

/** What was compared must still be so. The caller holds `lockAllProducts`. @throws Refusal `catalog_import_stopped` */
async function refuseChanged(tx: Tx, plans: readonly Plan[]): Promise<void> {
  const ids = plans.map(({ id }) => id)
  const slugs = plans.map(({ after }) => after.slug)
  const rows = await tx
    .select({ id: product.id, slug: product.slug, version: product.version })
    .from(product)
    .where(or(inArray(product.id, ids), inArray(product.slug, slugs)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const changed =
    plans.find(({ id, before }) => byId.get(id)?.version !== before?.version)?.after.slug ??
    rows.find(({ id }) => !ids.includes(id))?.slug
  if (changed !== undefined) throw new Refusal('catalog_import_stopped', { product: changed })
}

/** Pictures that products and collections name, and that neither the shop nor the archive has. */
async function missingPictures(
  db: Reader,
  { products, collections = [], pictures }: CatalogInput,
): Promise<FileMistake[]> {
  const named = [
    ...products.flatMap(({ row, content }) =>
      (content.pictures ?? []).map(({ file }) => ({ row, column: 'pictures', file })),
    ),
    ...collections.flatMap(({ hero, intro, share }, index) =>
      Object.entries({ hero, intro, share }).flatMap(([name, picture]) =>
        picture ? [{ row: index + 1, column: `collections.${name}`, file: picture.file }] : [],
      ),
    ),
  ]
  const brought = new Set(pictures?.pictures.map(({ file }) => file))
  const missing = await findMissing(
    db,
    named.flatMap(({ file }) => (brought.has(file) || isShipped(file) ? [] : file)),
  )
  return named.flatMap(({ row, column, file }) =>
    missing.has(file)
      ? [{ row, column, problem: `This shop has no picture ${file}: import the .zip, or upload it here` }]
      : [],
  )
}

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

function differenceOf(
  { row, before, after, newFormerSlugs }: Plan,
  variants: readonly Change[],
): ImportDifference | undefined {
  const name = after.slug
  if (!before) return { kind: 'product', name, what: 'new', changes: [] }
  const changes = [
    ...fieldChanges(before.content, after),
    ...(newFormerSlugs.length ? [fieldChange('former addresses', null, newFormerSlugs.join(', '))] : []),
    ...variants.flatMap(variantChanges),
  ]
  return changes.length ? { kind: 'product', name, what: row ? 'changed' : 'retired', changes } : undefined
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
