import { sql, type SQL } from 'drizzle-orm'
import { resultOf, resultOfLines, type OrderResult } from '#domain/reports/margin.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import type { OrderId } from '#shared/ids.ts'
import { cents, minus, negate, times, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { inRange } from './store.ts'
import { bookedOf } from './workbook-store.ts'

// An order with lines of several products is shared among them, as in the workbook Profit Analysis: by the domain's rule, to the cent.

/** The part of an order that belongs to one product or collection. */
export type Share = {
  orderId: OrderId
  key: string
  /** By the order's own amounts. */
  revenue: Cents
  /** By the ledger. */
  result: OrderResult
  isRefunded: boolean
}

type StoredOrder = {
  id: OrderId
  subtotal: string
  shipping: string
  surcharge: string
  tax: string
  vat: string
  is_refunded: boolean
}

const ORDERS_A_PAGE = 1000

/** Whether order `o` was refunded, at least in part. */
export const isRefunded = sql`exists (select 1 from refund r where r.order_id = o.id and r.booked_at is not null and r.reversed_at is null)`

/** How lines of orders are told apart. */
export type LineKey = { sql: SQL; of: (line: { productId: number; collection: string }) => string }

/** The shares of these orders, in pages. */
export async function* shareOrders(db: Reader, key: LineKey, ids: readonly OrderId[]): AsyncGenerator<Share[]> {
  for (let first = 0; first < ids.length; first += ORDERS_A_PAGE) {
    const page = ids.slice(first, first + ORDERS_A_PAGE)
    const { rows } = await db.execute<StoredOrder>(sql`
      select o.id, o.subtotal_cents as subtotal, o.shipping_cents as shipping, o.tax_cents as tax, o.vat_protection_cents as vat,
        (select coalesce(sum((s ->> 'amount')::bigint), 0) from jsonb_array_elements(o.shipping_surcharges) s) as surcharge,
        ${isRefunded} as is_refunded
      from shop_order o where o.id = any(${sql.param(page)}::int[])`)
    const booked = await bookedOf(db, rows)
    const lines = Map.groupBy(await listPricedLines(db, page), ({ orderId }) => orderId)
    yield rows.flatMap((order) => {
      const ofOrder = lines.get(order.id) ?? []
      const amounts = ofOrder.map(({ unitPrice, quantity }) => times(unitPrice, quantity))
      const paid = resultOfLines(paidBy(order), amounts)
      const results = resultOfLines(resultOf(booked.get(order.id) ?? []), amounts)
      return ofOrder.flatMap((line, index) => {
        const [result, revenue] = [results[index], paid[index]?.paid]
        const share = { orderId: order.id, key: key.of(line), isRefunded: order.is_refunded }
        return result && revenue !== undefined ? [{ ...share, revenue, result }] : []
      })
    })
  }
}

type PricedLine = { orderId: OrderId; productId: number; collection: string; unitPrice: Cents; quantity: number }

/** The lines of these orders, in order, without those that a change removed. */
async function listPricedLines(db: Reader, ids: readonly OrderId[]): Promise<PricedLine[]> {
  const { rows } = await db.execute<PricedLine>(sql`
    select order_id as "orderId", product_id as "productId", collection, unit_price_cents::float8 as "unitPrice", quantity
    from order_line where order_id = any(${sql.param(ids)}::int[]) and quantity > 0 order by order_id, position`)
  return rows
}

/** An order's own amounts, as if they were booked. */
function paidBy({ subtotal, shipping, surcharge, tax, vat }: StoredOrder): OrderResult {
  const amount = (text: string) => negate(cents(Number(text)))
  return resultOf([
    { kind: 'sale', account: 'revenue:merchandise', amount: amount(subtotal) },
    { kind: 'sale', account: 'revenue:shipping', amount: minus(amount(shipping), amount(surcharge)) },
    { kind: 'sale', account: 'revenue:surcharge', amount: amount(surcharge) },
    { kind: 'sale', account: 'liability:tax', amount: amount(tax) },
    { kind: 'sale', account: 'liability:vat_protection', amount: amount(vat) },
  ])
}

/** Sales of a range: order `o`. */
export const salesIn = (range: TimeRange): SQL => sql`o.total_cents > 0 and ${inRange(sql`o.created_at`, range)}`

/** Keys of the lines of order `o`, without those that a change removed: the lowest and the highest. */
export const keysOfLines = (key: SQL): SQL =>
  sql`left join lateral (
    select min(${key}) as low, max(${key}) as high from order_line l where l.order_id = o.id and l.quantity > 0) keys on true`

/** Whether a condition of line `l` is true for a line of order `o` that no change removed. */
export const hasLine = (condition: SQL): SQL =>
  sql`exists (select from order_line l where l.order_id = o.id and l.quantity > 0 and ${condition})`

/** Orders whose lines are of several groups. @param only of this group */
export async function listShared(db: Reader, key: SQL, range: TimeRange, only?: string): Promise<OrderId[]> {
  const { rows } = await db.execute<{ id: OrderId }>(sql`
    select o.id from shop_order o ${keysOfLines(key)}
    where ${salesIn(range)} and ${isShared} and ${only === undefined ? sql`true` : hasLine(sql`${key} = ${only}`)}`)
  return rows.map(({ id }) => id)
}

/** Orders whose lines are of several groups. */
export const isShared = sql`keys.low is distinct from keys.high`
