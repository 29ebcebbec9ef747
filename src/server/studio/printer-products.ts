import { Readable } from 'node:stream'
import { PRINTER_PRODUCTS_A_PAGE, type PrinterProduct } from '#contract/admin-printer-products.ts'
import { bySize } from '#domain/catalog/sizes.ts'
import { EMPTY_DRAFT, slugFrom, type DraftContent } from '#domain/studio/draft.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { HOUR_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { findTiedProducts } from '#server/catalog/sync-store.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { withTimeout } from '#server/limits/timeout.ts'
import type { StoreProduct } from '#server/providers/printful/store-products.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  findPrinterProduct,
  findTakingOver,
  insertDraft,
  listDraftsInTheMaking,
  listPrinterProductsSeen,
  listTakingOver,
  lockPrinterProduct,
  saveDetails,
  saveSeen,
  setIgnored,
  type StoredDraft,
  type StoredPrinterProduct,
} from './store.ts'

/** When the printer's store was read last, as ISO text. */
const READ_AT = 'printer store read at'
/** A product's details are read again after this long. */
const DETAILS_FRESH_MS = HOUR_MS

type StoreNeeds = Needs<'db' | 'clock' | 'printful'>

/** Reads the printer's list, and stores what the catalog does not have. @throws ProviderUnavailable, ProviderRefusal */
async function readStore({ db, clock, printful }: StoreNeeds): Promise<void> {
  const at = clock.now()
  const heads = (await Array.fromAsync(printful.listProducts())).filter(({ ignored }) => !ignored)
  const tied = await findTiedProducts(db, heads)
  await db.transaction(async (tx) => {
    await saveSeen(
      tx,
      heads.filter(({ id }) => !tied.has(id)),
      at,
    )
    const before = await findSetting(tx, READ_AT)
    if (before === undefined || before < at.toISOString()) await saveSetting(tx, READ_AT, at.toISOString())
  })
}

/**
 * What the printer's store has and the catalog does not, latest first. While the printer does not answer, what it had at last.
 * A product that `make-product` creates just now is not among them.
 */
export async function listPrinterProducts(
  shop: StoreNeeds,
  { page = 1, isIgnored }: { page?: number | undefined; isIgnored: boolean },
) {
  const isOld = !(await answers(
    withTimeout(
      readStore(shop).then(() => true),
      () => false,
    ),
  ))
  const { db } = shop
  const readAt = await findSetting(db, READ_AT)
  // Drafts first: one that is finished in between has its product in the catalog then.
  const making = await listDraftsInTheMaking(db)
  const seen = readAt === undefined ? [] : await listPrinterProductsSeen(db, new Date(readAt))
  const tied = await findTiedProducts(db, seen)
  const isOurs = ({ id, externalId }: StoredPrinterProduct) =>
    tied.has(id) ||
    making.some(
      ({ content, askedAt, syncProductId }) =>
        content.takenOver === null && (syncProductId === id || (askedAt !== null && content.slug === externalId)),
    )
  const all = seen.filter((row) => !isOurs(row))
  const listed = all.filter(({ ignoredAt }) => (ignoredAt !== null) === isIgnored)
  const shown = listed.slice((page - 1) * PRINTER_PRODUCTS_A_PAGE, page * PRINTER_PRODUCTS_A_PAGE)
  const rows = isOld ? shown : await Promise.all(shown.map((row) => withFreshDetails(shop, row)))
  const drafts = await listTakingOver(db)
  return {
    products: rows.map((row) => toPrinterProduct(row, drafts.get(row.id))),
    total: listed.length,
    ignored: all.filter(({ ignoredAt }) => ignoredAt !== null).length,
    readAt: readAt ?? null,
    isOld,
  }
}

/** @returns false where the printer does not answer */
async function answers(work: Promise<boolean>): Promise<boolean> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefusal) return false
    throw error
  }
}

async function withFreshDetails(shop: StoreNeeds, row: StoredPrinterProduct): Promise<StoredPrinterProduct> {
  const { db, clock, printful } = shop
  const now = clock.now()
  if (row.detailsReadAt && now.getTime() - row.detailsReadAt.getTime() < DETAILS_FRESH_MS) return row
  const read = async () => {
    const details = await printful.getStoreProduct(row.id)
    await db.transaction((tx) => saveDetails(tx, details, now))
    row.details = details
    return true
  }
  await answers(withTimeout(read(), () => false))
  return row
}

function toPrinterProduct(row: StoredPrinterProduct, draftId: number | undefined): PrinterProduct {
  const { id, name, variantCount, syncedCount, thumbnailUrl, ignoredAt, details } = row
  return {
    ...{ id, name, variantCount },
    isSynced: syncedCount === null || variantCount === null || syncedCount >= variantCount,
    hasThumbnail: thumbnailUrl !== null,
    isIgnored: ignoredAt !== null,
    draftId: draftId ?? null,
    details: details && {
      blankId: blankOf(details),
      blankTitle: details.blankTitle,
      ...optionsOf(details),
      placements: placementsOf(details),
      madeAt: details.madeAt,
      variants: details.variants.map(({ id: variantId, color, size, unitPrice, previewUrl }) => ({
        ...{ id: variantId, color, size, price: unitPrice },
        hasPreview: previewUrl !== null,
      })),
      objection: objectionToProduct(details) ?? null,
    },
  }
}

const blankOf = ({ variants }: StoreProduct): number | null => variants.find(({ blankId }) => blankId)?.blankId ?? null

const optionsOf = ({ variants }: StoreProduct): { colors: string[]; sizes: string[] } => ({
  colors: [...new Set(variants.flatMap(({ color }) => color ?? []))],
  sizes: [...new Set(variants.flatMap(({ size }) => size ?? []))].toSorted(bySize),
})

/** Where its variants are printed. */
export const placementsOf = ({ variants }: StoreProduct): string[] => [
  ...new Set(variants.flatMap(({ placements }) => placements)),
]

const NAMES_LISTED = 5

/** Why a product cannot be taken over as it is. */
export function objectionToProduct({ variants }: StoreProduct): string | undefined {
  if (!variants.length) return 'It has no variants at the printer.'
  const about = (some: typeof variants) => {
    const names = some.slice(0, NAMES_LISTED).map(({ name }) => name)
    const more = some.length - names.length
    return `${some.length} of its ${variants.length} variants (${names.join('; ')}${more > 0 ? `; and ${more} more` : ''})`
  }
  const untied = variants.filter(({ isSynced }) => !isSynced)
  if (untied.length)
    return `${about(untied)} are tied to no product of the printer’s catalog. Please tie or remove them at the printer first.`
  const unprinted = variants.filter(({ placements }) => !placements.length)
  if (unprinted.length) return `${about(unprinted)} have no file to print. Please add the files at the printer first.`
  return undefined
}

async function getRow(db: Reader, id: SyncProductId): Promise<StoredPrinterProduct> {
  const row = await findPrinterProduct(db, id)
  if (!row) throw new Refusal('unknown_printer_product')
  return row
}

/** @throws Refusal `unknown_printer_product` */
export async function showPrinterProduct(db: Reader, id: SyncProductId): Promise<PrinterProduct> {
  return toPrinterProduct(await getRow(db, id), (await listTakingOver(db)).get(id))
}

/** What the printer had when its details were read last, if ever. */
export const findStoreProduct = async (db: Reader, id: SyncProductId): Promise<StoreProduct | undefined> =>
  (await findPrinterProduct(db, id))?.details ?? undefined

/** Passed on as it is: it is shown in lists of the admin only. @throws Refusal `unknown_printer_product`, `unknown_picture` */
export async function readPrinterPicture({ db, printful }: StoreNeeds, id: SyncProductId, variant?: VariantId) {
  const { thumbnailUrl, details } = await getRow(db, id)
  const url = variant === undefined ? thumbnailUrl : details?.variants.find((one) => one.id === variant)?.previewUrl
  if (!url) throw new Refusal('unknown_picture')
  try {
    const { body, contentType } = await printful.downloadPicture(url)
    return {
      name: `printer-product.${contentType.split('/')[1] ?? 'png'}`,
      type: contentType,
      bytes: Readable.from([body]),
    }
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefusal) throw new Refusal('unknown_picture')
    throw error
  }
}

/** @throws Refusal `unknown_printer_product` */
export async function ignorePrinterProduct(
  { db, clock }: Needs<'db' | 'clock'>,
  id: SyncProductId,
  isIgnored: boolean,
  by: Actor,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const row = await lockPrinterProduct(tx, id)
    if (!row) throw new Refusal('unknown_printer_product')
    if ((row.ignoredAt !== null) === isIgnored) return
    await setIgnored(tx, id, isIgnored ? at : null)
    const what = isIgnored ? 'ignored' : 'brought back'
    await recordAction(tx, { by, what, about: { kind: 'printer product', id }, at })
  })
}

/**
 * Starts a draft with what the printer knows of a product. Asked twice, it is the same draft.
 * @throws Refusal `printer_product_gone`, `printer_product_unfit` with why, `printer_product_taken`
 */
export async function takeOver(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  id: SyncProductId,
  by: Actor,
): Promise<StoredDraft> {
  await getRow(shop.db, id)
  const product = await readForTakingOver(shop, id)
  const objection = objectionToProduct(product)
  if (objection) throw new Refusal('printer_product_unfit', { reason: objection })
  const content = await contentFrom(shop, product)
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    await saveDetails(tx, product, now)
    // A second owner who takes it over waits here, and finds the draft.
    await lockPrinterProduct(tx, id)
    if ((await findTiedProducts(tx, [product])).size > 0) throw new Refusal('printer_product_taken')
    const begun = await findTakingOver(tx, id)
    if (begun) return begun
    await setIgnored(tx, id, null)
    return insertDraft(tx, { content, by: by.name, now })
  })
}

async function readForTakingOver({ printful }: Needs<'printful'>, id: SyncProductId): Promise<StoreProduct> {
  try {
    const product = await withTimeout(printful.getStoreProduct(id), () => {
      throw new ProviderUnavailable('printful', new Error('The product takes too long.'))
    })
    if (!product.ignored) return product
  } catch (error) {
    if (!(error instanceof ProviderRefusal && error.code === 'NotFound')) throw error
  }
  throw new Refusal('printer_product_gone')
}

async function contentFrom(shop: StoreNeeds, product: StoreProduct): Promise<DraftContent> {
  const blankId = await knownBlank(shop, blankOf(product))
  const type = (await readProductTypes(shop.db)).find((one) => blankId !== null && one.blankId === blankId)
  const { sizes, colors } = optionsOf(product)
  return {
    ...EMPTY_DRAFT,
    ...{ takenOver: product.id, blankId, colors, sizes, name: product.name, slug: slugFrom(product.name) },
    type: type?.key ?? '',
    prices: (sizes.length ? sizes : ['']).flatMap((size) => {
      // One price per size: the highest, where colors differ.
      const prices = product.variants.flatMap((one) => ((one.size ?? '') === size ? (one.unitPrice ?? []) : []))
      const highest = prices.toSorted((a, b) => b - a)[0]
      return highest === undefined ? [] : [{ size, price: highest }]
    }),
  }
}

/** Without a blank that we can read, costs are unknown; it can be sold all the same. */
async function knownBlank(shop: StoreNeeds, id: number | null): Promise<number | null> {
  if (id === null) return null
  try {
    return (await showBlank(shop, id)).id
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
