import { and, count, desc, inArray, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import type { Order } from './orders.ts'
import { orderLine, shopOrder } from './schema.ts'

/**
 * Orders made with one of these emails, checkouts or sessions, newest first; erased ones are left out.
 * @param emails in lower case @param checkouts and `sessions`: subqueries of ids
 */
export const listOrdersOfBuyer = (
  db: Reader,
  { emails, checkouts, sessions }: { emails: readonly string[]; checkouts: SQLWrapper; sessions: SQLWrapper },
  limit: number,
): Promise<Order[]> => {
  const idsWhere = (condition: SQLWrapper) =>
    db
      .select({ id: shopOrder.id })
      .from(shopOrder)
      .where(sql`${condition}`)
  const own = union(
    idsWhere(inArray(sql`lower(${shopOrder.customerEmail})`, emails.length ? [...emails] : [''])),
    idsWhere(sql`${shopOrder.checkoutId} in ${checkouts}`),
    idsWhere(sql`${shopOrder.sessionId} in ${sessions}`),
  )
  return db
    .select()
    .from(shopOrder)
    .where(and(inArray(shopOrder.id, own), isNull(shopOrder.erasedAt)))
    .orderBy(desc(shopOrder.id))
    .limit(limit)
}

/** In no order; erased ones are left out. */
export const listOrdersById = (db: Reader, ids: readonly OrderId[]): Promise<Order[]> =>
  db
    .select()
    .from(shopOrder)
    .where(and(inArray(shopOrder.id, [...ids]), isNull(shopOrder.erasedAt)))

/**
 * Whether somebody bought with this email, and, if asked for, something of a collection, to a country, or with a discount code.
 * @param email in lower case
 */
export const hasOrder = (
  email: SQLWrapper,
  {
    collection,
    country,
    withCode,
  }: { collection?: string | undefined; country?: string | undefined; withCode?: boolean | undefined },
): SQL => sql`exists (
  select 1 from ${shopOrder} o where lower(o.customer_email) = ${email} and o.kind = 'sale'
    ${country === undefined ? sql`` : sql`and o.shipping_address->>'country' = ${country}`}
    ${collection === undefined ? sql`` : sql`and exists (select 1 from ${orderLine} l where l.order_id = o.id and l.collection = ${collection})`}
    ${withCode ? sql`and exists (select 1 from jsonb_array_elements(o.discounts) d where not coalesce((d->>'isAutomatic')::boolean, false))` : sql``})`

/** How many orders these people have, by email. @param emails in lower case */
export const countOrdersOf = async (db: Reader, emails: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const email = sql<string>`lower(${shopOrder.customerEmail})`
  const rows = emails.length
    ? await db
        .select({ email, orders: count() })
        .from(shopOrder)
        .where(inArray(email, [...emails]))
        .groupBy(email)
    : []
  return new Map(rows.map((row) => [row.email, row.orders]))
}
