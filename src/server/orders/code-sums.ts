import { sql } from 'drizzle-orm'
import { cents, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { shopOrder } from './schema.ts'

/** Paid orders with each code: how many, what it took off, and their totals. */
export async function sumsOfCodes(db: Reader): Promise<Map<number, { orders: number; off: Cents; sales: Cents }>> {
  const { rows } = await db.execute<{ id: number; orders: number; off: string; sales: string }>(sql`
    select (d->>'id')::int as id, count(*)::int as orders,
      sum((d->>'amount')::bigint)::text as off, sum(o.total_cents)::text as sales
    from ${shopOrder} o cross join jsonb_array_elements(o.discounts) d
    where o.discounts <> '[]' group by 1`)
  return new Map(
    rows.map(({ id, orders, off, sales }) => [id, { orders, off: cents(Number(off)), sales: cents(Number(sales)) }]),
  )
}
