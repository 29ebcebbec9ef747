import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { changedMembers, mergeImport, type ProductContent } from '#domain/catalog/product-content.ts'
import { productCanBecome } from '#domain/catalog/product-state.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { applyChanges, diffVariants, type Change, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import {
  CatalogFileError,
  readCatalogFile,
  type CatalogFile,
  type FileMistake,
  type ProductToImport,
} from './catalog-file.ts'
import { importCollections, type FileCollection } from './collection-file.ts'
import { addKnownCollections } from './collections.ts'
import { clearListingCache } from './listing-cache.ts'
import {
  lockAllProducts,
  nextProductId,
  readContents,
  writeContents,
  type ContentToSave,
  type StoredContent,
} from './product-store.ts'
import { importProductTypes, listProductTypes } from './product-types.ts'
import { recordRevisions, type Revision } from './revisions.ts'
import { catalogRevision, type RevisionSource } from './schema.ts'
import { listCopiesOfProducts, saveCopies } from './sync-store.ts'

/** What an import did to one product, or would do. */
type ImportDifference = {
  product: string
  what: 'new' | 'changed' | 'retired'
  /** Names of the changed members. */
  changes: string[]
}

export type ImportReport = { products: number; variants: number; differences: ImportDifference[] }

/** `isWhole`: the file has the whole catalog, so what came from files and is missing in it retires. */
export type CatalogInput = {
  products: readonly ProductToImport[]
  collections?: readonly FileCollection[]
  productTypes?: readonly ProductType[]
  isWhole: boolean
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
    const current = await readContents(tx)
    const last = await lastImports(tx)
    const saves = [...planStart(current, last, products), ...planMissing(current, last, products)]
    refuseMistakes(saves, current, await listProductTypes(tx))
    await writeContents(
      tx,
      saves.filter(({ isFileNew }) => isFileNew).map((save) => toContentToSave(save, startVersion(save))),
      at,
    )
    await recordRevisions(
      tx,
      saves.filter(({ isFileNew }) => isFileNew).flatMap((save) => startRevisions(save, at)),
    )
    await importCollections(tx, collections, options)
    await addKnownCollections(tx, at)
    // The variants of known products are the printer's.
    await importVariants(
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

class DryRun extends Error {
  readonly report: ImportReport
  constructor(report: ImportReport) {
    super('a dry run')
    this.report = report
  }
}

/**
 * Imports a file that the owner chose: what it says is taken over, what it does not say stays. The same file again changes nothing.
 * @param expected `fingerprintOf` the dry run that the owner agreed to
 * @throws CatalogFileError; Refusal `product_changed` when the difference is no longer the expected one; nothing was changed
 */
export async function uploadCatalog(
  { db, clock }: Needs<'db' | 'clock'>,
  { products, collections = [], productTypes = [], isWhole }: CatalogInput,
  { by, dryRun, expected }: { by: Actor; dryRun: boolean; expected?: string | undefined },
): Promise<ImportReport> {
  const at = clock.now()
  try {
    const report = await db.transaction(async (tx) => {
      await lockAllProducts(tx)
      const options = { at, by: by.name, source: 'upload', replaces: true } as const
      const changedTypes = await importProductTypes(tx, productTypes, options)
      const current = await readContents(tx)
      const origins = isWhole ? await fileOrigins(tx) : new Map<ProductId, ProductContent>()
      const saves = [
        ...planUpload(current, products, await nextProductId(tx)),
        ...planMissing(current, origins, products),
      ]
      refuseMistakes(saves, current, await listProductTypes(tx))
      const changed = saves.filter(isChange).map((save) => toContentToSave(save, nextVersion(save)))
      await writeContents(tx, changed, at)
      await recordRevisions(
        tx,
        changed.map(({ id, version, content }) => revision(id, version, content, 'upload', by.name, at)),
      )
      const changedCollections = await importCollections(tx, collections, options)
      await addKnownCollections(tx, at)
      const variantChanges = await importVariants(tx, saves, at)
      const report = reportOf(saves, variantChanges)
      const found = {
        ...report,
        differences: [
          ...[...changedCollections, ...changedTypes].map(({ name, what, changes }) => ({
            product: name,
            what,
            changes,
          })),
          ...report.differences,
        ],
      }
      if (dryRun) throw new DryRun(found)
      if (expected !== undefined && fingerprintOf(found) !== expected)
        throw new Refusal('product_changed', { changes: 'Somebody changed the catalog' })
      if (found.differences.length)
        await recordAction(tx, {
          by,
          what: 'imported a catalog file',
          about: { kind: 'catalog', id: 'file' },
          after: { products: found.products, differences: found.differences.length },
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

/** Names a difference, so that what is applied is what was shown. */
const fingerprintOf = (report: ImportReport): string =>
  createHash('sha256').update(JSON.stringify(report)).digest('hex')

/** `file`: the file's content, with what a start compares at the next one. */
type Plan = {
  row: number
  id: ProductId
  before: StoredContent | undefined
  file: ProductContent
  isFileNew: boolean
  after: ProductContent
  variants: ProductToImport['variants']
}

const emptyContent: Omit<ProductContent, 'slug' | 'name' | 'description' | 'collection' | 'type'> = {
  externalId: null,
  badge: null,
  rating: 5,
  reviewCount: 0,
  metadata: {},
  requiresOptions: false,
  providerProductId: null,
  colors: [],
  pictures: [],
  place: null,
  state: 'published',
  publishAt: null,
}

/** Without the ids of products that files made, a start could not tell its products from the owner's. */
function planStart(
  current: ReadonlyMap<ProductId, StoredContent>,
  last: ReadonlyMap<ProductId, ProductContent>,
  products: readonly ProductToImport[],
): Plan[] {
  return products.map(({ row, id, content, variants }) => {
    if (id === undefined) throw new CatalogFileError([{ row, column: 'id', problem: 'Every product needs an id' }])
    const before = current.get(id)
    const file = { ...emptyContent, ...membersIn(content) } as ProductContent
    const known = last.get(id)
    return {
      ...{ row, id, before, file, variants },
      isFileNew: !before || !known || changedMembers(known, file).length > 0,
      after: before ? mergeImport(known, before.content, file) : file,
    }
  })
}

function planUpload(
  current: ReadonlyMap<ProductId, StoredContent>,
  products: readonly ProductToImport[],
  firstFreeId: ProductId,
): Plan[] {
  const bySlug = new Map([...current].map(([id, { content }]) => [content.slug, id]))
  let free: number = firstFreeId
  return products.map(({ row, id: ownId, content, variants }) => {
    const id = ownId ?? bySlug.get(content.slug) ?? (free++ as ProductId)
    const before = current.get(id)
    const given = membersIn(content)
    const isRenamed = before && given.slug !== before.content.slug && given.externalId === undefined
    const after = {
      ...(before?.content ?? emptyContent),
      ...given,
      ...(isRenamed && { externalId: before.content.externalId ?? before.content.slug }),
    } as ProductContent
    return { ...{ row, id, before, variants, after }, file: after, isFileNew: true }
  })
}

/** What a file says, without what it leaves open. */
const membersIn = (content: ProductToImport['content']): ProductToImport['content'] =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)) as ProductToImport['content']

/** Retires products that came from files and are not in this one. */
function planMissing(
  current: ReadonlyMap<ProductId, StoredContent>,
  fromFiles: ReadonlyMap<ProductId, ProductContent>,
  products: readonly ProductToImport[],
): Plan[] {
  const named = new Set(products.map(({ id }) => id))
  const slugs = new Set(products.map(({ content }) => content.slug))
  return [...fromFiles].flatMap(([id, known]) => {
    const before = current.get(id)
    if (!before || named.has(id) || slugs.has(before.content.slug) || known.state === 'retired') return []
    const retired = { state: 'retired', publishAt: null } as const
    return {
      ...{ row: 0, id, before, variants: undefined, isFileNew: true },
      file: { ...known, ...retired },
      after: { ...before.content, ...retired },
    }
  })
}

const REQUIRED = ['name', 'description', 'collection', 'type'] as const

/** @throws CatalogFileError for unknown types, what a new product lacks, states that a product cannot reach, and slugs of other products */
function refuseMistakes(
  plans: readonly Plan[],
  current: ReadonlyMap<ProductId, StoredContent>,
  types: readonly ProductType[],
): void {
  const typeKeys = new Set(types.map(({ key }) => key))
  const mistakes: FileMistake[] = []
  const slugs = new Map([...current].map(([id, { content }]) => [content.slug, id]))
  for (const { before } of plans) if (before) slugs.delete(before.content.slug)
  for (const { row, before, after } of plans) {
    if (row && after.type !== undefined && !typeKeys.has(after.type))
      mistakes.push({ row, column: 'type', problem: `There is no product type “${after.type}”` })
    const owner = slugs.get(after.slug)
    if (owner !== undefined)
      mistakes.push({ row, column: 'slug', problem: `${after.slug} is the slug of product ${owner}` })
    for (const column of REQUIRED)
      if (after[column] === undefined) mistakes.push({ row, column, problem: 'A new product needs it' })
    const from = before?.content.state
    if (from && !productCanBecome(from, after.state))
      mistakes.push({ row, column: 'state', problem: `A ${from} product can’t become ${after.state}` })
    if (after.state === 'scheduled' && after.publishAt === null)
      mistakes.push({ row, column: 'publishAt', problem: 'A scheduled product needs a time' })
  }
  if (mistakes.length) throw new CatalogFileError(mistakes)
}

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
async function fileOrigins(db: Reader): Promise<Map<ProductId, ProductContent>> {
  const current = await readContents(db)
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

async function importVariants(tx: Tx, plans: readonly Plan[], at: Date): Promise<Change[]> {
  const given = plans.filter(({ variants }) => variants)
  if (!given.length) return []
  const received = new Map<VariantId, VariantCopy>(
    given.flatMap(({ id, variants }) => [...(variants ?? [])].map(([key, copy]) => [key, { ...copy, productId: id }])),
  )
  const copies = await listCopiesOfProducts(
    tx,
    given.map(({ id }) => id),
    [...received.keys()],
  )
  const changes = diffVariants(copies, received)
  await saveCopies(tx, applyChanges(copies, changes), [...new Set(changes.map(({ variantId }) => variantId))], at)
  return changes
}

function reportOf(plans: readonly Plan[], variantChanges: readonly Change[]): ImportReport {
  const owners = new Map(
    plans.flatMap(({ id, variants }) => [...(variants?.keys() ?? [])].map((variantId) => [variantId, id] as const)),
  )
  const changedVariants = new Map<number, number>()
  for (const { variantId, before, after } of variantChanges) {
    const id = owners.get(variantId) ?? after?.productId ?? before?.productId ?? 0
    changedVariants.set(id, (changedVariants.get(id) ?? 0) + 1)
  }
  const differences = plans.flatMap(({ id, before, after, row }): ImportDifference[] => {
    const members = before ? changedMembers(before.content, after) : []
    const variants = changedVariants.get(id) ?? 0
    if (before && !members.length && !variants) return []
    const what = before ? (row ? 'changed' : 'retired') : 'new'
    return [
      {
        product: after.slug,
        what,
        changes: [...members, ...(variants ? [`${variants} ${variants === 1 ? 'variant' : 'variants'}`] : [])],
      },
    ]
  })
  return {
    products: plans.filter(({ row }) => row).length,
    variants: variantChanges.length,
    differences,
  }
}
