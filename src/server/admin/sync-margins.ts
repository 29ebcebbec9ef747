import type { MarginEffect } from '#contract/admin-products.ts'
import { marginsOf } from '#domain/catalog/margin.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { ZERO } from '#shared/money.ts'
import { listPricedChanges, type PricedChange } from '#server/catalog/sync-decisions.ts'
import { findHighestRate } from '#server/partners/rates.ts'
import { marginBasisOf } from '#server/studio/margin-basis.ts'
import type { Shop } from '#server/shop.ts'

/** Each takes nine of the printer's 120 calls a minute, which shoppers' quotes need too; the printer's rates are cached for minutes. */
const BLANKS_ASKED = 4

type Basis = Awaited<ReturnType<typeof marginBasisOf>>

/**
 * What is left of a piece before and after a sync's changes: of the usual sale, and of the worst.
 * @returns by the number of the change
 */
export async function marginEffectsOf(
  shop: Pick<Shop, 'db' | 'printful' | 'config' | 'clock'>,
  syncId: number,
): Promise<Map<number, MarginEffect>> {
  const changes = await listPricedChanges(shop.db, syncId)
  const highestShare = await findHighestRate(shop.db, shop.clock.now())
  const blanks = new Map(changes.map(({ blankId, catalogVariantId }) => [blankId, catalogVariantId] as const))
  const bases = new Map<number | null, Basis>()
  for (const [blankId, catalogVariantId] of blanks) {
    const isAsked = bases.size < BLANKS_ASKED
    bases.set(blankId, await marginBasisOf(shop, isAsked ? catalogVariantId : null, highestShare))
  }
  return new Map(
    changes.flatMap((change) => {
      const basis = bases.get(change.blankId)
      const effect = basis && effectOf(change, basis)
      return effect ? [[change.id, effect] as const] : []
    }),
  )
}

function effectOf({ before, after, metadata }: PricedChange, basis: Basis): MarginEffect | undefined {
  const margins = (piece: PricedChange['before']) =>
    piece && marginsOf(piece.price, { ...basis, cost: piece.cost, metadata })
  const [was, becomes] = [margins(before), margins(after)]
  const shown = becomes ?? was
  if (!shown) return undefined
  const isLoss = becomes !== null && becomes.usual.margin < ZERO
  const { country, paidBy } = shown.worst
  return {
    usual: { before: was?.usual.margin ?? null, after: becomes?.usual.margin ?? null },
    worst: { before: was?.worst.margin ?? null, after: becomes?.worst.margin ?? null },
    worstSale: `to ${countryName(country)}, paid by ${paidBy}`,
    isEstimated: basis.isEstimated,
    loss: !isLoss ? 'none' : was && was.usual.margin < ZERO ? 'still' : 'new',
  }
}
