import { sql } from 'drizzle-orm'
import type { MarginBasis } from '#domain/catalog/margin.ts'
import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { ProductId } from '#shared/ids.ts'
import type { ShippingRates } from '#server/blanks/shipping-rates.ts'
import type { Reader } from '#server/db/db.ts'
import { readSiteSettings, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

/** @property productId null: of every product */
type AgreedShare = { productId: number | null; basisPoints: number }

/** What margins depend on besides the piece and its shipping rates. */
export type MarginTerms = Pick<MarginBasis, 'shippingPaidBy' | 'floor'> & {
  /** In basis points. */
  usualShare: number
  /** Shares that partners have agreed to, for now or later. */
  agreed: readonly AgreedShare[]
}

export type TermsNeeds = Needs<'config' | 'clock'>

/** @param settings those that would be saved; otherwise as they are */
export async function readMarginTerms(
  db: Reader,
  { config, clock }: TermsNeeds,
  settings?: SiteSettings,
): Promise<MarginTerms> {
  const known = settings ?? (await readSiteSettings(db))
  const { rows } = await db.execute<{ product_id: number | null; basis_points: number }>(sql`
    select product_id, max(basis_points)::int as basis_points from agreed_share
    where ends_at is null or ends_at > ${clock.now().toISOString()} group by product_id`)
  return {
    shippingPaidBy: whoPaysShipping(config, known),
    floor: known.marginFloor,
    usualShare: Math.round(known.commission.usual * BASIS_POINTS_PER_PERCENT),
    agreed: rows.map((row) => ({ productId: row.product_id, basisPoints: row.basis_points })),
  }
}

/** What margins on a blank depend on besides price, cost and metadata. @param productId null before there is a product */
export function marginFactsOf(
  { usualShare, agreed, ...terms }: MarginTerms,
  { destinations, isEstimated }: ShippingRates,
  productId: ProductId | null = null,
) {
  const shares = agreed.flatMap((one) => (one.productId === null || one.productId === productId ? one.basisPoints : []))
  return {
    ...{ ...terms, destinations, isEstimated },
    partnerShares: { usual: usualShare, highest: Math.max(usualShare, ...shares) },
  }
}
