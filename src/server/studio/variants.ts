import type { Blank, BlankPrintArea, BlankVariant } from '#contract/admin-blanks.ts'
import { variantExternalId, type DraftContent } from '#domain/studio/draft.ts'
import { threadOptionOf, type DraftPlacement } from '#domain/studio/placement.ts'
import { assert } from '#shared/assert.ts'
import type { Cents } from '#shared/money.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import type { NewVariant } from '#server/providers/printful/store-products.ts'
import type { Needs } from '#server/shop.ts'
import { DraftRefusal } from './draft-refusal.ts'
import { printFileUrl } from './print-files.ts'

type ChosenVariant = BlankVariant & { price: Cents }

/** The variants of a blank that a draft sells. */
export function chosenVariants(
  { colors, sizes, prices }: Pick<DraftContent, 'colors' | 'sizes' | 'prices'>,
  blank: Blank,
): ChosenVariant[] {
  return blank.variants.flatMap((variant) => {
    const isChosen =
      variant.discontinuedAt === null &&
      (variant.color === null || colors.includes(variant.color)) &&
      (variant.size === null || !sizes.length || sizes.includes(variant.size))
    const price = priceOf({ prices }, variant.size)
    return isChosen && price !== undefined ? [{ ...variant, price }] : []
  })
}

/** A draft's price of a size. */
export const priceOf = ({ prices }: Pick<DraftContent, 'prices'>, size: string | null): Cents | undefined =>
  prices.find((one) => one.size === (size ?? ''))?.price ?? prices.find((one) => !one.size)?.price

export const areaFor = (
  { printAreas }: Blank,
  { area }: DraftPlacement,
  { id }: BlankVariant,
): BlankPrintArea | undefined =>
  printAreas.find(({ placement, variantIds }) => placement === area && variantIds.includes(id)) ??
  printAreas.find(({ placement }) => placement === area)

/** As the printer makes them. @throws DraftRefusal */
export async function newVariants(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  { blankId, placements, slug, ...content }: DraftContent,
  from: Date,
): Promise<NewVariant[]> {
  assert(blankId !== null, 'a complete draft has a blank')
  const blank = await showBlank(shop, blankId)
  const options = placements.flatMap((placement) => threadOption(blank, placement) ?? [])
  return chosenVariants(content, blank).map((variant) => ({
    externalId: variantExternalId(slug, variant.id),
    catalogVariantId: variant.id,
    retailPrice: variant.price,
    sku: variantExternalId(slug, variant.id).toUpperCase(),
    files: placements.map((placement) => {
      const area = areaFor(blank, placement, variant)
      if (!area) throw new DraftRefusal('drawing', 'This blank can’t be printed there. Please place the drawing again.')
      return { placement: placement.area, url: printFileUrl(shop, placement, area, from) }
    }),
    // Older blanks have one option for all their areas.
    options: [...new Map(options.map((option) => [option.id, option])).values()],
  }))
}

export function threadOption(
  { options }: Blank,
  { area, threadColors }: DraftPlacement,
): NewVariant['options'][number] | undefined {
  const option = threadOptionOf(options, area)
  if (!option) return undefined
  if (!threadColors.length) throw new DraftRefusal('drawing', 'Please choose the thread colors of the embroidery.')
  return { id: option.id, value: threadColors }
}
