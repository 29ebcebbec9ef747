import { suggestPrice, type MarginBasis } from '#domain/catalog/margin.ts'
import { plus, type Cents } from '#shared/money.ts'
import { metadataOf, type DraftContent } from './draft.ts'
import { extraCostOf } from './placement.ts'

type PricedBlank = {
  variants: readonly { size: string | null; color: string | null; cost: Cents | null }[]
  printAreas: Parameters<typeof extraCostOf>[0]
}

/** What a margin depends on besides price, cost and metadata; the same for everything on a blank. */
export type MarginFacts = Omit<MarginBasis, 'cost' | 'metadata'>

/** The sizes that one of these colors is made in; every size while no color is chosen. */
export const sizesMade = (
  { sizes, variants }: Pick<PricedBlank, 'variants'> & { sizes: readonly string[] },
  colors: readonly string[],
): string[] =>
  sizes.filter((size) =>
    variants.some(
      (variant) =>
        variant.size === size && (variant.color === null || !colors.length || colors.includes(variant.color)),
    ),
  )

export type PricedSize = { size: string; basis: MarginBasis | undefined; price: Cents | undefined }

/**
 * The sizes that need a price, with what their margin depends on: the dearest of the chosen variants.
 * @returns one row with an empty size for a blank without sizes; without a basis where the printer publishes no cost
 */
export function pricedSizes(
  { variants, printAreas }: PricedBlank,
  content: Omit<DraftContent, 'placements'> & { placements: readonly { area: string }[] },
  facts: MarginFacts,
): PricedSize[] {
  const { colors, sizes, prices, placements } = content
  const extraCost = extraCostOf(printAreas, placements)
  return (sizes.length ? sizes : ['']).map((size) => {
    const costs = variants.flatMap((variant) =>
      (variant.size ?? '') === size && (variant.color === null || colors.includes(variant.color))
        ? (variant.cost ?? [])
        : [],
    )
    const cost = costs.toSorted((a, b) => b - a)[0]
    return {
      size,
      basis: cost === undefined ? undefined : { ...facts, cost: plus(cost, extraCost), metadata: metadataOf(content) },
      price: prices.find((one) => one.size === size)?.price,
    }
  })
}

/** A price for each size that reaches the target margin; where none does, the price stays. @param targetBasisPoints of the price */
export const suggestedPrices = (rows: readonly PricedSize[], targetBasisPoints: number): DraftContent['prices'] =>
  rows.flatMap(({ size, basis, price }) => {
    const chosen = (basis && suggestPrice(basis, targetBasisPoints)) ?? price
    return chosen === undefined ? [] : [{ size, price: chosen }]
  })
