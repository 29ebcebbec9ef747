import { and, count, desc, eq, gte, ilike, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { underWayStatuses } from '#domain/orders/progress.ts'
import { fulfillmentStatuses, type FulfillmentStatus, type PaymentStatus } from '#domain/orders/status.ts'
import { paymentKey, readOrderNumber, type OrderId, type PaymentKey } from '#shared/ids.ts'
import { isOneOf } from '#shared/one-of.ts'
import type { Reader } from '#server/db/db.ts'
import { containsPattern } from '#server/db/like.ts'
import type { Order } from './orders.ts'
import { shopOrder } from './schema.ts'

export { listLinesOf } from './store.ts'

/** Filters of the order list, with exact times instead of days. */
export type OrderSearch = {
  q?: string | undefined
  status?: FulfillmentStatus | PaymentStatus | undefined
  provider?: 'stripe' | 'paypal' | undefined
  collection?: string | undefined
  /** A query of the orders to choose from. */
  among?: SQL | undefined
  since?: Date | undefined
  before?: Date | undefined
  /** The last order of the previous page. */
  olderThan?: OrderId | undefined
  limit: number
}

const isFulfillment = (status: FulfillmentStatus | PaymentStatus): status is FulfillmentStatus =>
  isOneOf(fulfillmentStatuses, status)

/** Waiting for the owner. */
const haltedStatuses = ['on_hold', 'needs_attention'] as const satisfies readonly FulfillmentStatus[]

/** Matches a whole order number or payment id, or part of a name or email. */
function searchCondition(q: string): SQL | undefined {
  const number = readOrderNumber(q)
  return or(
    number && eq(shopOrder.orderNumber, number),
    inArray(shopOrder.paymentKey, [paymentKey('stripe', q), paymentKey('paypal', q), q as PaymentKey]),
    ilike(shopOrder.customerEmail, containsPattern(q)),
    ilike(shopOrder.customerName, containsPattern(q)),
  )
}

/** A fully refunded order needs no attention, wherever its production stopped. */
export const countHeldOrders = (db: Reader): Promise<number> =>
  db.$count(shopOrder, and(eq(shopOrder.fulfillmentStatus, 'on_hold'), ne(shopOrder.paymentStatus, 'refunded')))

/** Orders that are not done, by state. @param late a query of the late ones */
export async function countOpen(
  db: Reader,
  late: SQL,
): Promise<{ status: FulfillmentStatus; orders: number; late: number }[]> {
  const { fulfillmentStatus: status, id, paymentStatus } = shopOrder
  const isOpen = or(
    inArray(status, [...underWayStatuses]),
    and(inArray(status, [...haltedStatuses]), ne(paymentStatus, 'refunded')),
  )
  const all = await db.select({ status, orders: count() }).from(shopOrder).where(isOpen).groupBy(status)
  const slow = await db
    .select({ status, orders: count() })
    .from(shopOrder)
    .where(and(sql`${id} in (${late})`, isOpen))
    .groupBy(status)
  return fulfillmentStatuses.flatMap((wanted) => {
    const orders = all.find((row) => row.status === wanted)?.orders ?? 0
    return orders > 0 ? [{ status: wanted, orders, late: slow.find((row) => row.status === wanted)?.orders ?? 0 }] : []
  })
}

/** Those of these orders that are late. @param late a query of the late ones */
export const selectLate = async (db: Reader, ids: readonly OrderId[], late: SQL): Promise<Set<OrderId>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await db
            .select({ id: shopOrder.id })
            .from(shopOrder)
            .where(and(inArray(shopOrder.id, [...ids]), sql`${shopOrder.id} in (${late})`))
        ).map(({ id }) => id),
  )

/** Newest first. */
export const selectOrders = (db: Reader, wanted: OrderSearch): Promise<Order[]> => {
  const { q, status, provider, collection, among, since, before, olderThan, limit } = wanted
  return db
    .select()
    .from(shopOrder)
    .where(
      and(
        q ? searchCondition(q) : undefined,
        status &&
          (isFulfillment(status) ? eq(shopOrder.fulfillmentStatus, status) : eq(shopOrder.paymentStatus, status)),
        // A fully refunded order needs no attention, wherever its production stopped.
        status && isOneOf(haltedStatuses, status) ? ne(shopOrder.paymentStatus, 'refunded') : undefined,
        // Inlined, not a parameter: the partial index on PayPal orders matches only this exact text.
        provider && sql`${shopOrder.paymentKey} like ${sql.raw(`'${provider}:%'`)}`,
        collection ? eq(shopOrder.collection, collection) : undefined,
        among && sql`${shopOrder.id} in (${among})`,
        since && gte(shopOrder.createdAt, since),
        before && lt(shopOrder.createdAt, before),
        olderThan === undefined
          ? undefined
          : sql`(${shopOrder.createdAt}, ${shopOrder.id}) < (select created_at, id from shop_order where id = ${olderThan})`,
      ),
    )
    .orderBy(desc(shopOrder.createdAt), desc(shopOrder.id))
    .limit(limit)
}
