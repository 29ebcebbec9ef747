import { setImmediate as nextTurn } from 'node:timers/promises'
import { addBelowFloor, NONE_BELOW_FLOOR, type FoundBelowFloor } from '#domain/catalog/margin-floor.ts'
import { applyChanges, type Change, type VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Needs } from '#server/shop.ts'
import type { Plan } from './import-plan.ts'
import { isOffered } from './margin-guard.ts'
import { readMarginTerms, type TermsNeeds } from './margin-terms.ts'
import { readBases } from './priced-pieces.ts'
import { listCopiesOfProducts } from './sync-store.ts'

const PRODUCTS_PER_BATCH = 250

/** The sales that fall below the floor by what a file changes of products on sale. @param changes of variants, by product */
export async function judgeImport(
  { db, ...shop }: TermsNeeds & Needs<'db'>,
  plans: readonly Plan[],
  changes: ReadonlyMap<ProductId, Change[]>,
): Promise<FoundBelowFloor> {
  const offered = plans.filter(({ after }) => isOffered(after))
  const terms = await readMarginTerms(db, shop)
  let found = NONE_BELOW_FLOOR
  for (let from = 0; from < offered.length; from += PRODUCTS_PER_BATCH) {
    const batch = offered.slice(from, from + PRODUCTS_PER_BATCH)
    const stored = await listCopiesOfProducts(
      db,
      batch.map(({ id }) => id),
      [],
    )
    const fileChanges = batch.flatMap(({ id }) => changes.get(id) ?? [])
    const copies = applyChanges(stored, fileChanges)
    const basisOf = await readBases(
      db,
      [...stored.values(), ...copies.values()].map(({ blankId }) => blankId),
    )
    const pieceOf = (copy: VariantCopy | undefined, { metadata }: Plan['after']) => {
      if (!copy || copy.costCents === null) return undefined
      const { productId, blankId, costCents: cost, unitPrice: price } = copy
      return { price, basis: basisOf(terms, { cost, blankId, metadata, productId }) }
    }
    const plansById = new Map(batch.map((plan) => [plan.id, plan]))
    found = addBelowFloor(
      found,
      [...copies].flatMap(([variantId, copy]) => {
        const plan = plansById.get(copy.productId)
        const after = plan && pieceOf(copy, plan.after)
        if (!plan || !after) return []
        const before = plan.before && isOffered(plan.before.content) ? plan.before.content : undefined
        return [
          {
            ...{ productId: plan.id, product: plan.after.name, after },
            before: before && pieceOf(stored.get(variantId), before),
          },
        ]
      }),
    )
    await nextTurn()
  }
  return found
}
