import { asc, eq } from 'drizzle-orm'
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
