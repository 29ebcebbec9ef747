import { and, desc, eq, gte, ilike, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { fulfillmentStatuses, type FulfillmentStatus, type PaymentStatus } from '#domain/orders/status.ts'
import { paymentKey, readOrderNumber, type OrderId, type PaymentKey } from '#shared/ids.ts'
import { isOneOf } from '#shared/one-of.ts'
import type { Reader } from '#server/db/db.ts'
import type { Order } from './orders.ts'
import { shopOrder } from './schema.ts'

/** Filters of the order list, with exact times instead of days. */
export type OrderSearch = {
  q?: string | undefined
  status?: FulfillmentStatus | PaymentStatus | undefined
  provider?: 'stripe' | 'paypal' | undefined
  collection?: string | undefined
  since?: Date | undefined
  before?: Date | undefined
  /** The last order of the previous page. */
  olderThan?: OrderId | undefined
  limit: number
}

const isFulfillment = (status: FulfillmentStatus | PaymentStatus): status is FulfillmentStatus =>
  isOneOf(fulfillmentStatuses, status)

const ATTENTION_STATUSES: ReadonlySet<string> = new Set(['on_hold', 'needs_attention'])

/** A LIKE pattern in which the typed `%`, `_` and backslash match themselves. */
const containsPattern = (typed: string): string => `%${typed.replace(/[\\%_]/g, String.raw`\$&`)}%`

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

/** Newest first. */
export const selectOrders = (db: Reader, wanted: OrderSearch): Promise<Order[]> => {
  const { q, status, provider, collection, since, before, olderThan, limit } = wanted
  return db
    .select()
    .from(shopOrder)
    .where(
      and(
        q ? searchCondition(q) : undefined,
        status &&
          (isFulfillment(status) ? eq(shopOrder.fulfillmentStatus, status) : eq(shopOrder.paymentStatus, status)),
        // A fully refunded order needs no attention, wherever its production stopped.
        status && ATTENTION_STATUSES.has(status) ? ne(shopOrder.paymentStatus, 'refunded') : undefined,
        // Inlined, not a parameter: the partial index on PayPal orders matches only this exact text.
        provider && sql`${shopOrder.paymentKey} like ${sql.raw(`'${provider}:%'`)}`,
        collection ? eq(shopOrder.collection, collection) : undefined,
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
