import type { DeskProduct, DeskSync } from '#contract/desk-goods.ts'
import { NO_OVERRIDE, type FileValues } from '#domain/catalogue/overrides.ts'
import type { ProductId } from '#kernel/ids.ts'
import { cents } from '#kernel/money.ts'
import type { Actor } from '#server/actions/actions.ts'
import { listForOwner } from '#server/catalogue/catalogue.ts'
import { listTold, NotDecided, showSync, type applySync, type revertSync } from '#server/catalogue/decide.ts'
import type { Reader } from '#server/db/db.ts'
import { Refused } from '#server/http/refused.ts'

const PRODUCTS_A_PAGE = 100
const SYNCS_LISTED = 50

/** Every product, shown or not. */
export async function listDeskProducts(
  db: Reader,
  after: ProductId | undefined,
): Promise<{ products: DeskProduct[]; hasMore: boolean }> {
  const rows = await listForOwner(db, after, PRODUCTS_A_PAGE + 1)
  return { products: rows.slice(0, PRODUCTS_A_PAGE).map(toldProduct), hasMore: rows.length > PRODUCTS_A_PAGE }
}

type Row = Awaited<ReturnType<typeof listForOwner>>[number]

function toldProduct({ product, override, from }: Row): DeskProduct {
  const { id, name, slug, type, collection, place } = product
  const { badge, description, shippingSurcharge, restrictions, visible } = override ?? NO_OVERRIDE
  return {
    ...{ id, name, slug, type, collection },
    from: from === null ? null : cents(from),
    shown: { ...saidOf(product), place },
    inFile: saidOf(product.inFile),
    override: { badge, description, place: override?.place ?? null, visible, shippingSurcharge, restrictions },
  }
}

const saidOf = ({ badge, description, visible, metadata }: FileValues) => ({
  ...{ badge, description, visible },
  shippingSurcharge: metadata.shippingSurcharge ?? null,
  restrictions: metadata.restrictions ?? null,
})

type ToldSync = Awaited<ReturnType<typeof listTold>>[number]

const toldSync = ({ id, trigger, state, startedAt, products, variants, waiting, remarks }: ToldSync): DeskSync => ({
  ...{ id, trigger, state, products, variants, waiting, remarks },
  startedAt: startedAt.toISOString(),
})

export const listDeskSyncs = async (db: Reader) => ({ syncs: (await listTold(db, SYNCS_LISTED)).map(toldSync) })

/** @throws Refused `nothing_to_decide` where there is no such synchronisation */
export const showDeskSync = (db: Reader, id: number) =>
  deciding(async () => {
    const { changes, ...sync } = await showSync(db, id)
    return { sync: toldSync(sync), changes }
  })

/** The owner's yes or no to a synchronisation, or to one change of it. @throws Refused `nothing_to_decide` */
export const decideSync = (
  shop: Parameters<typeof applySync>[0],
  { id, change }: { id: number; change?: number },
  by: Actor,
  decide: typeof applySync | typeof revertSync,
) =>
  deciding(async () => {
    const { done, left } = await decide(shop, syncIdIn(id), by, change)
    const more = left.length ? ` ${left.length} have changed since and were left as they are.` : ''
    return { done: `${done.length} ${done.length === 1 ? 'change' : 'changes'} decided.${more}` }
  })

const SYNC_ID_MAX = 2 ** 31 - 1

async function deciding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotDecided) throw new Refused('nothing_to_decide', { reason: error.message })
    throw error
  }
}

/** More than the column holds is no synchronisation of ours. @throws Refused `nothing_to_decide` */
export function syncIdIn(id: number): number {
  if (id > SYNC_ID_MAX) throw new Refused('nothing_to_decide', { reason: `There is no synchronisation ${id}.` })
  return id
}
