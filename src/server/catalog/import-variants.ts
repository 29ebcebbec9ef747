import { setImmediate as nextTurn } from 'node:timers/promises'
import { applyChanges, diffVariants, type Change, type Copies, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Plan } from './import-plan.ts'
import { listCopiesOfProducts, saveCopies } from './sync-store.ts'
import { markPricesSet } from './variant-prices.ts'

const PRODUCTS_PER_BATCH = 500

/** All variants that a file names. */
export const variantsIn = (plans: readonly Plan[]): ReadonlySet<VariantId> =>
  new Set(plans.flatMap(({ variants }) => [...(variants?.keys() ?? [])]))

/**
 * @param inFile what moves to a product that is not among these plans is compared there
 * @returns what changes, by product
 */
export async function compareVariants(
  db: Reader,
  plans: readonly Plan[],
  inFile: ReadonlySet<VariantId> = variantsIn(plans),
  save?: (copies: Copies, changes: readonly Change[]) => Promise<void>,
): Promise<Map<ProductId, Change[]>> {
  const given = plans.filter(({ variants }) => variants)
  const byProduct = new Map<ProductId, Change[]>()
  for (let from = 0; from < given.length; from += PRODUCTS_PER_BATCH) {
    const batch = given.slice(from, from + PRODUCTS_PER_BATCH)
    const received = new Map<VariantId, VariantCopy>(
      batch.flatMap(({ id, variants }) =>
        [...(variants ?? [])].map(([key, copy]): [VariantId, VariantCopy] => [key, { ...copy, productId: id }]),
      ),
    )
    const stored = await listCopiesOfProducts(
      db,
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
    await save?.(copies, changes)
    // Requests go on meanwhile.
    await nextTurn()
  }
  return byProduct
}

export async function saveVariants(
  tx: Tx,
  plans: readonly Plan[],
  at: Date,
  inFile?: ReadonlySet<VariantId>,
): Promise<void> {
  await compareVariants(tx, plans, inFile, async (copies, changes) => {
    await saveCopies(tx, applyChanges(copies, changes), [...new Set(changes.map(({ variantId }) => variantId))], at)
    const priced = changes.flatMap(({ kind, variantId }) => (kind === 'price' ? variantId : []))
    if (priced.length) await markPricesSet(tx, priced, at)
  })
}
