import type { Blank } from '#contract/admin-blanks.ts'
import type { ProductId } from '#shared/ids.ts'
import { readShippingRates } from '#server/blanks/shipping-rates.ts'
import { marginFactsOf, readMarginTerms } from '#server/catalog/margin-terms.ts'
import type { Needs } from '#server/shop.ts'

/**
 * What margins on a blank depend on besides price, cost and metadata. Its shipping rates are read from the printer, unless they are
 * known; without variants that are made, it is sent nowhere.
 */
export async function marginFactsOfBlank(
  shop: Needs<'db' | 'clock' | 'printful' | 'config'>,
  blank: Blank,
  productId: ProductId | null = null,
) {
  const terms = await readMarginTerms(shop.db, shop)
  const variant = blank.variants.find(({ discontinuedAt }) => discontinuedAt === null)
  const rates = variant ? await readShippingRates(shop, blank.id, variant.id) : { destinations: [], isEstimated: true }
  return marginFactsOf(terms, rates, productId)
}
