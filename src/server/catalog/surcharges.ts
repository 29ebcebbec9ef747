import { sql } from 'drizzle-orm'
import {
  NAMED_MAX,
  surchargeTermsOf,
  type SurchargedProducts,
  type SurchargeTerm,
} from '#domain/catalog/shipping-terms.ts'
import { cents } from '#shared/money.ts'
import type { Db } from '#server/db/db.ts'
import { cacheList } from './listing-cache.ts'
import { readProductTypes } from './product-types.ts'

/**
 * The surcharges of all visible products, cached, because every page needs them.
 * @returns null while the database does not answer; pages then show no figures
 */
export const readSurcharges = (db: Db): Promise<SurchargeTerm[] | null> =>
  cacheList(db, 'surcharges', async () => surchargeTermsOf(await listSurcharged(db), await readProductTypes(db))).catch(
    () => null,
  )

/** A product without variants is in no list, so nobody can be charged for it. */
async function listSurcharged(db: Db): Promise<SurchargedProducts[]> {
  const { rows } = await db.execute<Omit<SurchargedProducts, 'amount'> & { amount: number }>(sql`
    with surcharged as (
      select p.id, p.name, p.type, (p.metadata->'shippingSurcharge'->'amount')::int as amount,
        p.metadata->'shippingSurcharge'->'regions' as regions
      from product p join listed_product l on l.product_id = p.id
      where (p.metadata->'shippingSurcharge'->'enabled')::boolean)
    select type, amount, regions, count(*)::int as count, (array_agg(name order by id))[1:${sql.raw(String(NAMED_MAX))}] as names,
      not exists (
        select from listed_product l join product p on p.id = l.product_id
        where l.type = s.type
          and (p.metadata->'shippingSurcharge'->'enabled', p.metadata->'shippingSurcharge'->'amount',
               p.metadata->'shippingSurcharge'->'regions')
            is distinct from (to_jsonb(true), to_jsonb(s.amount), s.regions)) as "isWholeType"
    from surcharged s
    group by type, amount, regions
    order by min(id)`)
  return rows.map((row) => ({ ...row, amount: cents(row.amount) }))
}
