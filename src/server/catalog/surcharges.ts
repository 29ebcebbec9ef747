import { sql } from 'drizzle-orm'
import {
  NAMED_MAX,
  surchargeTermsOf,
  type SurchargedProducts,
  type SurchargeTerm,
} from '#domain/catalog/shipping-terms.ts'
import { cents } from '#shared/money.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'

/** Changes by another instance show after at most this long. */
const TTL_MS = MINUTE_MS
type Cached = { terms: Promise<SurchargeTerm[] | null>; until: number }
const cache = new WeakMap<Db, Cached>()

/**
 * The surcharges of all visible products, cached, because every page needs them.
 * @returns null while the database does not answer; pages then show no figures
 */
export function readSurcharges(db: Db): Promise<SurchargeTerm[] | null> {
  const cached = cache.get(db)
  if (cached && cached.until > performance.now()) return cached.terms
  const terms = listSurcharged(db).then(surchargeTermsOf, () => {
    if (cache.get(db)?.terms === terms) cache.delete(db)
    return null
  })
  cache.set(db, { terms, until: performance.now() + TTL_MS })
  return terms
}

/** Call after committing a change to the catalog. */
export const clearSurchargeCache = (db: Db): void => void cache.delete(db)

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
