import { marginsOf, type SaleMargin } from '#domain/catalog/margin.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { USUAL_RATES, listShippingRates } from '#server/blanks/shipping-rates.ts'
import type { Needs } from '#server/shop.ts'
import { readMarginTerms, type TermsNeeds } from './margin-terms.ts'
import { listPieces, readBases } from './priced-pieces.ts'

export type ProductMargins = { usual: Cents; worst: SaleMargin; isBelowFloor: boolean; isEstimated: boolean }

/** Of each product the least of its variants; products of unknown cost are missing. */
export async function readProductMargins(
  { db, ...shop }: TermsNeeds & Needs<'db'>,
  ids: readonly ProductId[],
): Promise<ReadonlyMap<ProductId, ProductMargins>> {
  const terms = await readMarginTerms(db, shop)
  const found = new Map<ProductId, ProductMargins>()
  for await (const pieces of listPieces(db, ids)) {
    const blankIds = pieces.flatMap(({ blankId }) => blankId ?? [])
    const rates = await listShippingRates(db, blankIds)
    const basisOf = await readBases(db, blankIds)
    for (const piece of pieces) {
      const { usual, worst } = marginsOf(piece.price, basisOf(terms, piece))
      const { isEstimated } = rates.get(piece.blankId ?? 0) ?? USUAL_RATES
      const known = found.get(piece.productId)
      const least = known && known.worst.margin <= worst.margin ? known.worst : worst
      found.set(piece.productId, {
        usual: known && known.usual <= usual.margin ? known.usual : usual.margin,
        worst: least,
        isBelowFloor: least.margin < terms.floor,
        isEstimated: isEstimated || (known?.isEstimated ?? false),
      })
    }
  }
  return found
}
