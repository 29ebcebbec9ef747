import { sql } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'

/**
 * Orders with a refund whose numbered pieces may have to be given back: nothing that the printer could still be asked to stop.
 * @param since of their last change
 */
export async function listNumberedRefunds(db: Reader, since: Date, limit: number): Promise<OrderId[]> {
  const { rows } = await db.execute<{ id: OrderId }>(sql`
    select o.id from shop_order o
    where o.payment_status in ('refunded', 'partially_refunded') and o.updated_at >= ${since}::timestamptz
      and o.fulfilment_status not in ('submitted', 'on_hold', 'needs_attention')
      and exists (select 1 from edition e where e.order_id = o.id and e.state = 'issued')
    order by o.updated_at desc limit ${limit}`)
  return rows.map(({ id }) => id)
}
