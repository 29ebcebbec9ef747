import type { AdminProduct, AdminSync, ProductValues } from '#contract/admin-products.ts'
import { saleText } from '#domain/catalog/margin-floor.ts'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { readProducts } from '#server/catalog/product-view.ts'
import { listProductsForOwner, listTypeChoices, saveProduct } from '#server/catalog/products.ts'
import {
  listSyncSummaries,
  NothingToDecide,
  showSync,
  type applySync,
  type revertSync,
  unknownSync,
} from '#server/catalog/sync-decisions.ts'
import { readProductMargins, type ProductMargins } from '#server/catalog/product-margins.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { marginEffectsOf } from './sync-margins.ts'

const PRODUCTS_A_PAGE = 100
const SYNCS_LISTED = 50

/** All products in any state. */
export async function listAdminProducts(
  shop: Needs<'db' | 'config' | 'clock'>,
  after: ProductId | undefined,
): Promise<{ products: AdminProduct[]; hasMore: boolean; types: { key: string; name: string }[] }> {
  const { db } = shop
  const rows = await listProductsForOwner(db, after, PRODUCTS_A_PAGE + 1)
  const shown = rows.slice(0, PRODUCTS_A_PAGE)
  const ids = shown.map(({ product }) => product.id)
  const views = await readProducts(db, ids)
  const margins = await readProductMargins(shop, ids)
  const pictures = new Map(views.map(({ id, images }) => [id, images[0]]))
  return {
    products: shown.map((row) => ({
      ...toAdminProduct(row),
      picture: pictures.get(row.product.id) ?? null,
      margins: marginsText(margins.get(row.product.id)),
    })),
    hasMore: rows.length > PRODUCTS_A_PAGE,
    types: await listTypeChoices(db),
  }
}

type Row = Awaited<ReturnType<typeof listProductsForOwner>>[number]

const marginsText = (margins: ProductMargins | undefined): AdminProduct['margins'] =>
  margins ? { ...margins, worst: margins.worst.margin, worstSale: saleText(margins.worst) } : null

const toAdminProduct = ({ product, from }: Row): Omit<AdminProduct, 'picture' | 'margins'> => ({
  ...product,
  publishAt: product.publishAt?.toISOString() ?? null,
  shippingSurcharge: product.metadata.shippingSurcharge ?? null,
  restrictions: product.metadata.restrictions ?? null,
  keywords: product.metadata.keywords ?? [],
  from: from === null ? null : cents(from),
})

/** @throws as `saveProduct` */
export const saveAdminProduct = (
  shop: Parameters<typeof saveProduct>[0],
  id: ProductId,
  { version, shippingSurcharge, restrictions, keywords, ...values }: ProductValues & { version: number },
  accepted: boolean,
  by: Actor,
): Promise<void> => {
  const metadata = {
    ...(keywords.length > 0 && { keywords }),
    ...(shippingSurcharge && { shippingSurcharge }),
    ...(restrictions && { restrictions }),
  }
  return saveProduct(shop, id, { version, edit: { ...values, metadata }, accepted }, by)
}

type SyncSummary = Awaited<ReturnType<typeof listSyncSummaries>>[number]

const toAdminSync = ({
  id,
  trigger,
  state,
  startedAt,
  products,
  variants,
  waiting,
  remarks,
}: SyncSummary): AdminSync => ({
  ...{ id, trigger, state, products, variants, waiting, remarks },
  startedAt: startedAt.toISOString(),
})

export const listAdminSyncs = async (db: Reader) => ({
  syncs: (await listSyncSummaries(db, SYNCS_LISTED)).map(toAdminSync),
})

/** @throws Refusal `nothing_to_decide` for an unknown sync */
export const showAdminSync = (shop: Parameters<typeof marginEffectsOf>[0], id: number) =>
  refuseNothingToDecide(async () => {
    const { changes, ...sync } = await showSync(shop.db, id)
    const effects = await marginEffectsOf(shop, id)
    return {
      sync: toAdminSync(sync),
      changes: changes.map((change) => ({ ...change, effect: effects.get(change.id) ?? null })),
    }
  })

/** Applies or reverts a whole sync, or one of its changes. @throws Refusal `nothing_to_decide`, `below_floor` */
export const decideSync = (
  shop: Parameters<typeof applySync>[0],
  { id, change: only, accepted }: { id: number; change?: number; accepted: boolean },
  by: Actor,
  decide: typeof applySync | typeof revertSync,
) =>
  refuseNothingToDecide(async () => {
    const { done, left } = await decide(shop, syncIdIn(id), by, { only, accepted })
    const skipped = left.length ? ` Skipped ${left.length} that changed in the meantime.` : ''
    return { done: `${done.length} ${done.length === 1 ? 'change' : 'changes'} decided.${skipped}` }
  })

const SYNC_ID_MAX = 2 ** 31 - 1

async function refuseNothingToDecide<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NothingToDecide) throw new Refusal('nothing_to_decide', { reason: error.message })
    throw error
  }
}

/** Refuses ids that the column cannot hold. @throws Refusal `nothing_to_decide` */
export function syncIdIn(id: number): number {
  if (id > SYNC_ID_MAX) throw new Refusal('nothing_to_decide', { reason: unknownSync(id) })
  return id
}
