import { and, desc, inArray, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import type { Order } from './orders.ts'
import { shopOrder } from './schema.ts'

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
