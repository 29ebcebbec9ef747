import { asc, eq, max, sql } from 'drizzle-orm'
import type { Rate } from '#domain/partners/rates.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { partnerRate } from '#server/partners/schema.ts'

/** All of a partner's rates, past and future, oldest first. */
export const listRates = (db: Reader, partnerId: UserId): Promise<Rate[]> =>
  db
    .select({
      id: partnerRate.id,
      productId: partnerRate.productId,
      basisPoints: partnerRate.basisPoints,
      startsAt: partnerRate.startsAt,
    })
    .from(partnerRate)
    .where(eq(partnerRate.partnerId, partnerId))
    .orderBy(asc(partnerRate.startsAt), asc(partnerRate.id))

/** The highest share that is agreed with any partner, now or from a later day on, in basis points; 0 without partners. */
export async function findHighestRate(db: Reader, now: Date): Promise<number> {
  const later = sql`select from partner_rate later where later.partner_id = ${partnerRate.partnerId}
    and later.product_id is not distinct from ${partnerRate.productId}
    and later.starts_at > ${partnerRate.startsAt} and later.starts_at <= ${now.toISOString()}`
  const [found] = await db
    .select({ highest: max(partnerRate.basisPoints) })
    .from(partnerRate)
    .where(sql`not exists (${later})`)
  return found?.highest ?? 0
}
