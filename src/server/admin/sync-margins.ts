import type { MarginEffect } from '#contract/admin-products.ts'
import { marginsOf } from '#domain/catalog/margin.ts'
import { saleText } from '#domain/catalog/margin-floor.ts'
import { ZERO } from '#shared/money.ts'
import { marginFactsOf, readMarginTerms, type MarginTerms } from '#server/catalog/margin-terms.ts'
import { listPricedChanges, type PricedChange } from '#server/catalog/sync-decisions.ts'
import { listShippingRates, USUAL_RATES, type ShippingRates } from '#server/blanks/shipping-rates.ts'
import type { Needs } from '#server/shop.ts'

/**
 * What is left of a piece before and after a sync's changes: of the usual sale, and of the worst.
 * @returns by the number of the change
 */
export async function marginEffectsOf(
  shop: Needs<'db' | 'config' | 'clock'>,
  syncId: number,
): Promise<Map<number, MarginEffect>> {
  const changes = await listPricedChanges(shop.db, syncId)
  const terms = await readMarginTerms(shop.db, shop)
  const rates = await listShippingRates(
    shop.db,
    changes.flatMap(({ blankId }) => blankId ?? []),
  )
  return new Map(
    changes.flatMap((change) => {
      const effect = effectOf(change, terms, rates.get(change.blankId ?? 0) ?? USUAL_RATES)
      return effect ? [[change.id, effect] as const] : []
    }),
  )
}

function effectOf(
  { before, after, metadata, productId }: PricedChange,
  terms: MarginTerms,
  rates: ShippingRates,
): MarginEffect | undefined {
  const facts = marginFactsOf(terms, rates, productId)
  const margins = (piece: PricedChange['before']) =>
    piece && marginsOf(piece.price, { ...facts, cost: piece.cost, metadata })
  const [was, becomes] = [margins(before), margins(after)]
  const shown = becomes ?? was
  if (!shown) return undefined
  const isLoss = becomes !== null && becomes.usual.margin < ZERO
  return {
    usual: { before: was?.usual.margin ?? null, after: becomes?.usual.margin ?? null },
    worst: { before: was?.worst.margin ?? null, after: becomes?.worst.margin ?? null },
    worstSale: saleText(shown.worst),
    isEstimated: rates.isEstimated,
    loss: !isLoss ? 'none' : was && was.usual.margin < ZERO ? 'still' : 'new',
  }
}
