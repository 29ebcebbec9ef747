import { and, asc, isNotNull, isNull, min, sql } from 'drizzle-orm'
import { STANDARD_SHIPPING } from '#domain/checkout/quote.ts'
import type { VariantId } from '#shared/ids.ts'
import { USUAL_RATES, listShippingRates, listStaleRates, readShippingRates } from '#server/blanks/shipping-rates.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { variant } from './schema.ts'

const BLANKS_A_RUN = 4

/** Reads shipping rates of some blanks that are missing or old, a few at a time: shoppers' quotes need the printer's calls too. */
export async function readRatesOfProducts(shop: Needs<'db' | 'clock' | 'printful'>): Promise<void> {
  const rows = await shop.db
    .select({ blankId: variant.blankId, catalogVariantId: min(variant.catalogVariantId) })
    .from(variant)
    .where(and(isNotNull(variant.blankId), isNull(variant.goneAt)))
    .groupBy(variant.blankId)
    .orderBy(asc(variant.blankId))
  const variants = new Map(rows.map(({ blankId, catalogVariantId }) => [blankId, catalogVariantId]))
  const blankIds = rows.flatMap(({ blankId }) => blankId ?? [])
  for (const id of await listStaleRates(shop, blankIds, BLANKS_A_RUN)) {
    const catalogVariantId = variants.get(id) ?? null
    if (catalogVariantId !== null) await readShippingRates(shop, id, catalogVariantId)
  }
}

/** What these variants cost at the printer, and to be sent to a country alone; a cost is null if unknown. */
export async function listCostsToSend(db: Reader, variantIds: readonly VariantId[]) {
  const rows = await db
    .select({ id: variant.id, cost: variant.costCents, blankId: variant.blankId })
    .from(variant)
    .where(sql`${variant.id} = any (${sql.param([...variantIds])}::bigint[])`)
  const rates = await listShippingRates(
    db,
    rows.flatMap(({ blankId }) => blankId ?? []),
  )
  const variants = new Map(rows.map((row) => [row.id, row]))
  return (id: VariantId, country: string) => {
    const { cost = null, blankId = null } = variants.get(id) ?? {}
    const { destinations } = rates.get(blankId ?? 0) ?? USUAL_RATES
    const shipping = destinations.find((one) => one.country === country)?.shipping ?? STANDARD_SHIPPING.cost
    return { cost, shipping }
  }
}
