import type { AdminProduct, AdminSync } from '#contract/admin-products.ts'
import { NO_OVERRIDE, type FileValues } from '#domain/catalog/overrides.ts'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { listProductsForOwner } from '#server/catalog/overrides.ts'
import {
  listSyncSummaries,
  NothingToDecide,
  showSync,
  type applySync,
  type revertSync,
  unknownSync,
} from '#server/catalog/sync-decisions.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'

const PRODUCTS_A_PAGE = 100
const SYNCS_LISTED = 50

/** All products, hidden ones too. */
export async function listAdminProducts(
  db: Reader,
  after: ProductId | undefined,
): Promise<{ products: AdminProduct[]; hasMore: boolean }> {
  const rows = await listProductsForOwner(db, after, PRODUCTS_A_PAGE + 1)
  return { products: rows.slice(0, PRODUCTS_A_PAGE).map(toAdminProduct), hasMore: rows.length > PRODUCTS_A_PAGE }
}

type Row = Awaited<ReturnType<typeof listProductsForOwner>>[number]

function toAdminProduct({ product, override, from }: Row): AdminProduct {
  const { id, name, slug, type, collection, place } = product
  const { badge, description, shippingSurcharge, restrictions, visible } = override ?? NO_OVERRIDE
  return {
    ...{ id, name, slug, type, collection },
    from: from === null ? null : cents(from),
    shown: { ...toOverrideFields(product), place },
    inFile: toOverrideFields(product.inFile),
    override: { badge, description, place: override?.place ?? null, visible, shippingSurcharge, restrictions },
  }
}

const toOverrideFields = ({ badge, description, visible, metadata }: FileValues) => ({
  ...{ badge, description, visible },
  shippingSurcharge: metadata.shippingSurcharge ?? null,
  restrictions: metadata.restrictions ?? null,
})

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
export const showAdminSync = (db: Reader, id: number) =>
  refuseNothingToDecide(async () => {
    const { changes, ...sync } = await showSync(db, id)
    return { sync: toAdminSync(sync), changes }
  })

/** Applies or reverts a whole sync, or one of its changes. @throws Refusal `nothing_to_decide` */
export const decideSync = (
  shop: Parameters<typeof applySync>[0],
  { id, change }: { id: number; change?: number },
  by: Actor,
  decide: typeof applySync | typeof revertSync,
) =>
  refuseNothingToDecide(async () => {
    const { done, left } = await decide(shop, syncIdIn(id), by, change)
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
