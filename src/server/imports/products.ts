import type { ImportedProducts } from '#contract/admin-imports.ts'
import { CollectionInput } from '#contract/admin-collections.ts'
import { paths } from '#contract/paths.ts'
import { draftOf } from '#domain/catalog/collection-draft.ts'
import type { Collection } from '#domain/catalog/collections.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { parseAddress } from '#domain/catalog/redirects.ts'
import { isSellable, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import { collectionNamed, typeNamed, type ImportChoices } from '#domain/imports/choices.ts'
import type { FormerProduct, ImportProblem } from '#domain/imports/former-shop.ts'
import { pictureColors, printerFinder, tieVariants } from '#domain/imports/printer-ties.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import type { ProductToImport } from '#server/catalog/catalog-file.ts'
import { importCollections, type FileCollection } from '#server/catalog/collection-file.ts'
import { listCollections } from '#server/catalog/collections.ts'
import { addFormerPictures } from '#server/catalog/former-pictures.ts'
import { addProducts } from '#server/catalog/import.ts'
import { readKnownProducts, type KnownProducts } from '#server/catalog/known-products.ts'
import { lockAllProducts } from '#server/catalog/product-store.ts'
import { listProductTypes } from '#server/catalog/product-types.ts'
import { addRedirects } from '#server/catalog/redirects.ts'
import { markPricesSet } from '#server/catalog/variant-prices.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { CatalogFileError } from '#server/catalog/catalog-file-error.ts'
import type { SyncProduct, SyncVariant } from '#server/providers/printful/shapes.ts'
import type { Needs } from '#server/shop.ts'
import { readPrinterStore } from './printer-store.ts'

/** What a file brings: the answer's counts, and its sentences. */
export type ProductsImport = { added: number; unchanged: number; problems: ImportProblem[]; products: ImportedProducts }

type SellableVariant = SyncVariant & { unitPrice: NonNullable<SyncVariant['unitPrice']>; catalogVariantId: number }
type Tie = {
  product: SyncProduct
  variants: { variant: SellableVariant; unitPrice: VariantCopy['unitPrice']; picture: string | null }[]
}

const keyOf = (text: string): string => text.trim().toLowerCase()

function findKnown({ slug, variants }: FormerProduct, known: KnownProducts) {
  const bySku = variants.map(({ sku }) => sku !== null && known.bySku.get(keyOf(sku))).find((found) => !!found)
  return known.bySlug.get(slug) ?? (bySku || undefined)
}

/** The printer's products for those of a file that are not on sale here. No transaction: the printer is asked. */
export async function readTies(
  shop: Needs<'db' | 'printful'>,
  former: readonly FormerProduct[],
): Promise<readonly SyncProduct[]> {
  const known = await readKnownProducts(shop.db)
  const open = former.filter((product) => !findKnown(product, known)?.hasVariants)
  const done = new Set([...known.byPrinterName].filter(([, { hasVariants }]) => hasVariants).map(([name]) => name))
  return open.length > 0 ? readPrinterStore(shop, open, done) : []
}

type Context = {
  types: readonly ProductType[]
  collections: readonly Collection[]
  known: KnownProducts
  choices: ImportChoices
  isHttpAllowed: boolean
}

/** A product of the file with what becomes of it. */
type Planned = {
  former: FormerProduct
  tie: Tie | undefined
  /** Ours that waits for its product at the printer. */
  waiting: { id: ProductId; slug: string } | undefined
  type: string
  collection: string
  isCollectionNew: boolean
}

/** The collection for products that name none: the chosen one, or the only one. */
const fallbackCollection = ({ collections, choices }: Context): Collection | undefined =>
  choices.collection === null
    ? collections.length === 1
      ? collections[0]
      : undefined
    : collectionNamed(choices.collection, collections)

/**
 * Imports products in the caller's transaction. What is on sale here stays as it is; what waits for the printer's product gets it.
 * @param store as `readTies` returned it
 */
export async function importProducts(
  shop: Needs<'config'>,
  tx: Tx,
  former: readonly FormerProduct[],
  { store, choices, by, at }: { store: readonly SyncProduct[]; choices: ImportChoices; by: Actor; at: Date },
): Promise<ProductsImport> {
  await lockAllProducts(tx)
  const context = await readContext(shop, tx, choices)
  const plan = planOf(former, store, context)
  await addCollections(tx, plan, { by, at })
  const ids = await addProducts(tx, plan.planned.map(toProductToImport), { by, at })
  await markPricesSet(tx, plan.planned.flatMap(pricesOfFile), at)
  const pairs = [
    ...plan.known,
    ...plan.planned.flatMap(({ former: product }, index) => {
      const id = ids[index]
      return id === undefined ? [] : [{ former: product, id }]
    }),
  ]
  const redirects = await addOldAddresses(tx, pairs, plan.problems, at)
  const pictures = plan.planned.flatMap(({ former: product, tie, waiting }, index) => {
    const id = ids[index]
    const colors = pictureColors(tie?.variants ?? [])
    return id === undefined || waiting !== undefined
      ? []
      : product.pictures.map(({ url, alt }, position) => ({
          ...{ productId: id, position, url, alt: alt || null, color: colors.get(url) ?? null },
        }))
  })
  await addFormerPictures(tx, pictures, at)
  return {
    added: plan.planned.length,
    unchanged: plan.known.length,
    problems: plan.problems,
    products: {
      tied: plan.planned.filter(({ tie }) => tie).length,
      drafts: plan.planned.filter(({ tie }) => !tie).length,
      completed: plan.planned.filter(({ waiting }) => waiting !== undefined).length,
      pictures: pictures.length,
      redirects,
      withoutCollection: former.filter(({ collection }) => collection === '').length,
      collection: fallbackCollection(context)?.id ?? null,
      collections: [...plan.collections.values()],
      types: [...plan.types].map(([word, row]) => ({ word, ...row })),
    },
  }
}

async function readContext({ config }: Needs<'config'>, db: Reader, choices: ImportChoices): Promise<Context> {
  return {
    types: await listProductTypes(db),
    collections: (await listCollections(db)).filter(({ state }) => state !== 'retired'),
    known: await readKnownProducts(db),
    choices,
    isHttpAllowed: config.pictureSources === 'any',
  }
}

type Plan = {
  planned: Planned[]
  known: { former: FormerProduct; id: ProductId }[]
  problems: ImportProblem[]
  collections: Map<string, ImportedProducts['collections'][number]>
  types: Map<string, { products: number; type: string | null }>
}

function planOf(former: readonly FormerProduct[], store: readonly SyncProduct[], context: Context): Plan {
  const find = printerFinder(store)
  const plan: Plan = { planned: [], known: [], problems: [], collections: new Map(), types: new Map() }
  // By the printer's product or ours: one product of the file for each.
  const taken = new Map<SyncProduct | ProductId, string>()
  for (const { slug, name } of former) {
    const known = context.known.bySlug.get(slug)
    if (known) taken.set(known.id, name)
  }
  for (const product of former) {
    const known = findKnown(product, context.known)
    const found = known?.hasVariants ? undefined : find(product)
    const takenBy = (known && taken.get(known.id)) ?? (typeof found === 'object' ? taken.get(found) : undefined)
    const objection =
      found === 'several'
        ? 'The SKUs of this product belong to several of the printer’s products.'
        : takenBy !== undefined && takenBy !== product.name
          ? `The printer’s product of this one is already tied to “${takenBy}”.`
          : undefined
    if (objection !== undefined || found === 'several') {
      const [first] = product.variants
      plan.problems.push({ row: product.row, column: first?.column ?? null, reason: objection ?? '' })
      continue
    }
    const tie = found && tieOf(product, found, plan.problems)
    if (known && (known.hasVariants || !tie)) {
      plan.known.push({ former: product, id: known.id })
      continue
    }
    const placed = placeOf(product, tie, plan, context)
    if (!placed) continue
    if (found) taken.set(found, product.name)
    plan.planned.push({ ...placed, former: withPictures(product, plan.problems, context), tie, waiting: known })
  }
  return plan
}

/** @returns undefined when none of its variants can be sold as the printer's */
function tieOf(former: FormerProduct, product: SyncProduct, problems: ImportProblem[]): Tie | undefined {
  const theirs = product.variants.filter(
    (variant): variant is SellableVariant => isSellable(variant) && !variant.ignored,
  )
  const { tied, lost } = tieVariants(former.variants, theirs)
  for (const { row, column, options } of lost)
    problems.push({
      row,
      column,
      reason:
        options.length > 2
          ? `This variant has ${options.length} options, and products here have a color and a size. Its SKU is none of the printer’s.`
          : `The printer’s product has no variant with this SKU, or with these options: ${options.join(', ') || 'none'}.`,
    })
  const variants = tied.map((one) => ({ ...one, unitPrice: one.unitPrice ?? one.variant.unitPrice }))
  return variants.some(({ unitPrice }) => unitPrice > 0)
    ? { product, variants: variants.filter(({ unitPrice }) => unitPrice > 0) }
    : undefined
}

/** Its type and collection, or undefined with the problem. */
function placeOf(
  former: FormerProduct,
  tie: Tie | undefined,
  { problems, collections, types }: Plan,
  context: Context,
): Pick<Planned, 'type' | 'collection' | 'isCollectionNew'> | undefined {
  const refuse = (column: string, reason: string): undefined => {
    problems.push({ row: former.row, column, reason })
  }
  const word = former.type
  const onBlank = context.known.typeOnBlank.get(tie?.variants[0]?.variant.blankId ?? 0)
  const chosen = context.choices.types[word]
  const type = onBlank ?? context.types.find(({ key }) => key === chosen)?.key ?? typeNamed(word, context.types)
  if (onBlank === undefined) {
    const row = types.get(word)
    types.set(word, { products: (row?.products ?? 0) + 1, type: type ?? null })
  }
  const isNamed = former.collection !== ''
  const stored = isNamed ? collectionNamed(former.collection, context.collections) : fallbackCollection(context)
  const input = stored || !isNamed ? undefined : newCollection(former.collection)
  if (isNamed) {
    const key = stored?.id ?? input?.slug ?? former.collection
    const row = collections.get(key)
    collections.set(key, {
      ...{ id: key, isNew: !stored, products: (row?.products ?? 0) + 1 },
      name: stored?.displayName ?? former.collection,
    })
  }
  if (type === undefined)
    return refuse(
      'Type',
      word ? `Please choose a product type for “${word}”.` : 'Please choose a product type for products without one.',
    )
  const collection = stored?.id ?? input?.slug
  if (collection === undefined)
    return refuse(
      'Collection',
      isNamed
        ? `“${former.collection}” can’t be the name of a collection here.`
        : 'Please choose a collection for products that name none.',
    )
  return { type, collection, isCollectionNew: input !== undefined }
}

/** @returns undefined for a name that can be no collection's */
function newCollection(name: string): CollectionInput | undefined {
  // The owner says what animal it is before publishing.
  const input = { ...draftOf(name, 'pet'), state: 'draft', publishAt: null, inMenu: true, onHome: true }
  return CollectionInput.safeParse(input).data
}

/** Only pictures of secure addresses come. */
function withPictures(former: FormerProduct, problems: ImportProblem[], { isHttpAllowed }: Context): FormerProduct {
  const pictures = former.pictures.filter(({ row, column, url }) => {
    const isSecure = isHttpAllowed || /^https:/i.test(url)
    if (!isSecure)
      problems.push({ row, column, reason: 'This picture can’t come: its address doesn’t begin with https://.' })
    return isSecure
  })
  return { ...former, pictures }
}

/** New collections are drafts until the owner has looked at them. */
async function addCollections(tx: Tx, plan: Plan, { by, at }: { by: Actor; at: Date }): Promise<void> {
  for (const { id, name, isNew } of plan.collections.values()) {
    const isUsed = plan.planned.some(({ collection }) => collection === id)
    const input = isNew && isUsed ? newCollection(name) : undefined
    if (!input) continue
    const file: FileCollection = { ...input, id: input.slug, formerSlugs: [] }
    try {
      await importCollections(tx, [file], { at, by: by.name, source: 'upload', replaces: false })
    } catch (error) {
      if (!(error instanceof CatalogFileError)) throw error
      const reason = error.mistakes[0]?.problem ?? error.message
      for (const { former } of plan.planned.filter(({ collection }) => collection === id))
        plan.problems.push({ row: former.row, column: 'Collection', reason })
      plan.planned = plan.planned.filter(({ collection }) => collection !== id)
    }
  }
}

/** Variants that cost here what the file says, and at the printer something else. */
const pricesOfFile = ({ tie }: Planned): VariantId[] =>
  (tie?.variants ?? []).flatMap(({ variant, unitPrice }) => (unitPrice === variant.unitPrice ? [] : variant.id))

/** On sale only if it was there, can be made, and its collection is no new draft. */
function toProductToImport({ former, tie, waiting, type, collection, isCollectionNew }: Planned): ProductToImport {
  const variants = tie?.variants.map(({ variant, unitPrice }, position) => {
    const { id: variantId, ignored: _ignored, ...copy } = variant
    return [variantId, { ...copy, position, unitPrice, costCents: null }] as const
  })
  const slug = waiting?.slug ?? former.slug
  const externalId = tie && tie.product.externalId !== slug ? { externalId: tie.product.externalId } : {}
  const differs = (name: 'color' | 'size') => new Set(tie?.variants.map(({ variant }) => variant[name])).size > 1
  const isOnSale = tie !== undefined && former.wasPublished && !isCollectionNew
  const content: ProductToImport['content'] =
    waiting === undefined
      ? {
          ...{ slug, name: former.name, description: former.description || former.name, type, collection },
          ...externalId,
          requiresOptions: differs('color') || differs('size'),
          state: isOnSale ? 'published' : 'draft',
        }
      : // The owner may have edited it meanwhile.
        { slug, ...externalId, requiresOptions: differs('color') || differs('size') }
  return {
    row: former.row,
    id: waiting?.id,
    content,
    formerSlugs: [],
    variants: variants && new Map<VariantId, Omit<VariantCopy, 'productId'>>(variants),
  }
}

/** @returns how many redirects are new */
async function addOldAddresses(
  tx: Tx,
  products: readonly { former: FormerProduct; id: ProductId }[],
  problems: ImportProblem[],
  at: Date,
): Promise<number> {
  const wanted = products.flatMap(({ former: { row, path }, id }) => {
    const from = path === null ? undefined : parseAddress(path)?.path
    return from === undefined ? [] : [{ row, from, to: paths.product(id) }]
  })
  const outcomes = await addRedirects(tx, wanted, at)
  for (const [index, outcome] of outcomes.entries())
    if (typeof outcome === 'object')
      problems.push({ row: wanted[index]?.row ?? 0, column: null, reason: `The old address: ${outcome.objection}` })
  return outcomes.filter((outcome) => outcome === 'added').length
}
