import { createHash } from 'node:crypto'
import type { Needs } from '#server/shop.ts'

/**
 * A hash of the books that a life leaves: orders, refunds, discounts, claims, closed months and the ledger, with their days. Ids and the
 * time of day differ each time that it is played, so they are left out.
 */
export async function hashOfBooks({ database }: Needs<'database'>): Promise<string> {
  const { rows } = await database.pool.query<{ line: string }>(BOOKS)
  return createHash('sha256')
    .update(rows.map(({ line }) => line).join('\n'))
    .digest('hex')
}

const BOOKS = `
  select line from (with day as (select 'America/New_York' as zone)
  select concat_ws(' ', 'order', (created_at at time zone zone)::date, o.customer_email, o.payment_status, o.subtotal_cents,
    o.shipping_cents, o.tax_cents, o.total_cents, split_part(o.payment_key, ':', 1)) as line from audit_orders o, day
  union all select concat_ws(' ', 'line', o.customer_email, l.product_id, l.variant_id, l.quantity, l.unit_price_cents)
    from audit_lines l join audit_orders o on o.id = l.order_id
  union all select concat_ws(' ', 'refund', (r.created_at at time zone zone)::date, r.amount_cents, r.status) from audit_refunds r, day
  union all select concat_ws(' ', 'discount', d.code, d.amount_cents, o.customer_email)
    from audit_discounts d join audit_orders o on o.id = d.order_id
  union all select concat_ws(' ', 'claim', c.kind, c.reason, c.state, c.amount_cents) from audit_claims c
  union all select concat_ws(' ', 'ledger', account, (booked_at at time zone zone)::date, count(*), sum(amount_cents))
    from audit_ledger, day group by account, (booked_at at time zone zone)::date
  union all select concat_ws(' ', 'month', period) from audit_periods) books
  order by line collate "C"`
