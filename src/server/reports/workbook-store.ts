import { and, asc, eq, gt, gte, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { BookedAmounts } from '#domain/reports/margin.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import type { OrderId, PaymentProvider } from '#shared/ids.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'
import { orderLine, refund, shopOrder } from '#server/orders/schema.ts'
import { paymentException } from '#server/payments/outcome-schema.ts'
import { payment } from '#server/payments/schema.ts'
import { providerTransaction } from '#server/reconciliation/schema.ts'
import { inRange, inTimeRange } from './store.ts'

/** Large enough to be fast, small enough that shoppers' queries wait only milliseconds. */
const ROWS_A_PAGE = 250

/** The keys as one array parameter: a thousand parameters take longer to parse than to look up. */
export const amongKeys = (column: AnyPgColumn, keys: readonly (string | number)[], type: 'int' | 'text'): SQL =>
  sql`${column} = any (${sql.param(keys)}::${sql.raw(type)}[])`

/** All rows in pages, each after the previous page's last row. */
export async function* readPages<Row>(
  list: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined
  for (;;) {
    const rows = await list(after, ROWS_A_PAGE)
    if (rows.length) yield rows
    if (rows.length < ROWS_A_PAGE) return
    after = rows.at(-1)
  }
}

export type ReportedOrder = Awaited<ReturnType<typeof listOrders>>[number]

/** Orders of a range, oldest first. @param kinds `all` has orders without a payment too, which cost something */
export const orderPages = (
  db: Reader,
  range: TimeRange,
  kinds: 'sales' | 'all' = 'sales',
): AsyncGenerator<ReportedOrder[]> => readPages((after, limit) => listOrders(db, range, kinds, after, limit))

const listOrders = (
  db: Reader,
  range: TimeRange,
  kinds: 'sales' | 'all',
  after: { createdAt: Date; id: OrderId } | undefined,
  limit: number,
) =>
  db
    .select({
      id: shopOrder.id,
      createdAt: shopOrder.createdAt,
      orderNumber: shopOrder.orderNumber,
      paymentKey: shopOrder.paymentKey,
      paymentStatus: shopOrder.paymentStatus,
      fulfillmentStatus: shopOrder.fulfillmentStatus,
      customerName: shopOrder.customerName,
      customerEmail: shopOrder.customerEmail,
      address: shopOrder.shippingAddress,
      discounts: shopOrder.discounts,
      subtotal: shopOrder.subtotalCents,
      shipping: shopOrder.shippingCents,
      surcharges: shopOrder.shippingSurcharges,
      tax: shopOrder.taxCents,
      vatProtection: shopOrder.vatProtectionCents,
      total: shopOrder.totalCents,
      giftCard: shopOrder.giftCardCents,
      printfulOrderId: shopOrder.printfulOrderId,
      estimatedProfit: shopOrder.estimatedProfitCents,
      isCostKnown: sql<boolean>`${shopOrder.partnerCostCents} is not null`,
      isFeeKnown: sql<boolean>`(${payment.feeCents} is not null or ${shopOrder.kind} <> 'sale')`,
    })
    .from(shopOrder)
    .leftJoin(payment, eq(payment.paymentKey, shopOrder.paymentKey))
    .where(
      and(
        inTimeRange(shopOrder.createdAt, range),
        kinds === 'sales' ? eq(shopOrder.kind, 'sale') : undefined,
        after && gte(shopOrder.createdAt, after.createdAt),
        after && or(gt(shopOrder.createdAt, after.createdAt), gt(shopOrder.id, after.id)),
      ),
    )
    .orderBy(asc(shopOrder.createdAt), asc(shopOrder.id))
    .limit(limit)

export type ReportedLine = Awaited<ReturnType<typeof listLinesOf>>[number]

/** The lines of these orders, in order, without those that a change removed. */
export const listLinesOf = (db: Reader, orders: readonly { id: OrderId }[]) =>
  db
    .select()
    .from(orderLine)
    .where(
      and(
        amongKeys(
          orderLine.orderId,
          orders.map(({ id }) => id),
          'int',
        ),
        gt(orderLine.quantity, 0),
      ),
    )
    .orderBy(asc(orderLine.orderId), asc(orderLine.position))

/** Refunded amounts by order, from all of its payments. Its total is already without what changes gave back. */
export async function refundedOf(db: Reader, orders: readonly { id: OrderId }[]): Promise<Map<OrderId | null, Cents>> {
  const rows = await db
    .select({ key: refund.orderId, amount: sql<string>`sum(${refund.amountCents})` })
    .from(refund)
    .where(
      and(
        amongKeys(
          refund.orderId,
          orders.map(({ id }) => id),
          'int',
        ),
        isNull(refund.changeId),
        isNotNull(refund.bookedAt),
        isNull(refund.reversedAt),
      ),
    )
    .groupBy(refund.orderId)
  return new Map(rows.map(({ key, amount }) => [key, cents(Number(amount))]))
}

/** Ledger sums by order. */
export async function bookedOf(db: Reader, orders: readonly { id: OrderId }[]): Promise<Map<OrderId, BookedAmounts[]>> {
  const rows = await db
    .select({
      orderId: ledgerPosting.orderId,
      kind: ledgerPosting.kind,
      account: ledgerEntry.account,
      amount: sql<string>`sum(${ledgerEntry.amountCents})`,
    })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(
      amongKeys(
        ledgerPosting.orderId,
        orders.map(({ id }) => id),
        'int',
      ),
    )
    .groupBy(ledgerPosting.orderId, ledgerPosting.kind, ledgerEntry.account)
  const byOrder = new Map<OrderId, BookedAmounts[]>()
  for (const { orderId, kind, account, amount } of rows) {
    if (orderId === null) continue
    const booked = byOrder.get(orderId) ?? []
    booked.push({ kind, account, amount: cents(Number(amount)) })
    byOrder.set(orderId, booked)
  }
  return byOrder
}

export type ReportedMovement = Awaited<ReturnType<typeof listMovements>>[number]

/**
 * A provider's lines, oldest first, with the shop's matching payment and order. As in the summary, a charge counts when the shop booked
 * it, everything else when it happened.
 */
export const movementPages = (
  db: Reader,
  provider: PaymentProvider,
  range: TimeRange,
): AsyncGenerator<ReportedMovement[]> => readPages((after, limit) => listMovements(db, provider, range, after, limit))

function listMovements(
  db: Reader,
  provider: PaymentProvider,
  range: TimeRange,
  after: { occurredAt: Date; id: string } | undefined,
  limit: number,
) {
  const { id, occurredAt, kind } = providerTransaction
  const isKnownCharge = sql`${kind} = 'charge' and ${payment.paymentKey} is not null`
  return db
    .select({
      id,
      occurredAt,
      countedAt: sql<Date>`case when ${isKnownCharge} then ${payment.capturedAt} else ${occurredAt} end`.mapWith(
        payment.capturedAt,
      ),
      kind,
      amount: providerTransaction.amountCents,
      fee: providerTransaction.feeCents,
      currency: providerTransaction.currency,
      paymentKey: providerTransaction.paymentKey,
      sourceId: providerTransaction.sourceId,
      checkoutId: providerTransaction.checkoutId,
      known: payment.amountCents,
      orderNumber: shopOrder.orderNumber,
      orderTotal: shopOrder.totalCents,
      exception: paymentException.kind,
    })
    .from(providerTransaction)
    .leftJoin(payment, eq(payment.paymentKey, providerTransaction.paymentKey))
    .leftJoin(shopOrder, eq(shopOrder.paymentKey, providerTransaction.paymentKey))
    .leftJoin(paymentException, eq(paymentException.paymentKey, providerTransaction.paymentKey))
    .where(
      and(
        eq(providerTransaction.provider, provider),
        or(
          and(isKnownCharge, inTimeRange(payment.capturedAt, range)),
          and(sql`not (${isKnownCharge})`, inTimeRange(occurredAt, range)),
        ),
        after && gte(occurredAt, after.occurredAt),
        after && or(gt(occurredAt, after.occurredAt), gt(id, after.id)),
      ),
    )
    .orderBy(asc(occurredAt), asc(id))
    .limit(limit)
}

/** A payment or order that needs the owner. */
export type RecoveryCase = {
  at: Date
  id: string
  provider: string
  paymentKey: string | null
  orderNumber: string | null
  customer: string | null
  kind: string
  here: Cents | null
  there: Cents | null
  currency: string
  isClosed: boolean
}

type StoredRecoveryCase = {
  at: string
  id: string
  provider: string
  payment_key: string | null
  order_number: string | null
  customer: string | null
  kind: string
  here: string | null
  there: string | null
  currency: string
  is_closed: boolean
}

const recoveryCasePages = (db: Reader, source: SQL): AsyncGenerator<RecoveryCase[]> =>
  readPages(async (after, limit) => {
    const at = after?.at.toISOString()
    const later = after ? sql`where at >= ${at}::timestamptz and (at > ${at}::timestamptz or id > ${after.id})` : sql``
    const { rows } = await db.execute<StoredRecoveryCase>(sql`
      select floor(extract(epoch from at) * 1000)::bigint as at, id, provider, payment_key, order_number, customer, kind, here,
        there, currency, is_closed
      from (${source}) trouble ${later} order by trouble.at, id limit ${limit}`)
    return rows.map(({ payment_key, order_number, is_closed, ...row }) => ({
      ...row,
      at: new Date(Number(row.at)),
      paymentKey: payment_key,
      orderNumber: order_number,
      here: row.here === null ? null : cents(Number(row.here)),
      there: row.there === null ? null : cents(Number(row.there)),
      isClosed: is_closed,
    }))
  })

/** Payments without an order, and charges that the shop does not know. */
export const paidWithoutOrder = (db: Reader, range: TimeRange): AsyncGenerator<RecoveryCase[]> =>
  recoveryCasePages(
    db,
    sql`
    select p.captured_at as at, p.payment_key as id, p.provider, p.payment_key, null as order_number, null as customer, x.kind,
      p.amount_cents as here, null::bigint as there, p.currency, x.resolved_at is not null as is_closed
    from payment_exception x join payment p on p.payment_key = x.payment_key
    where ${inRange(sql`p.captured_at`, range)}
    union all
    select t.occurred_at, t.provider || ':' || t.id, t.provider, t.payment_key, null, null,
      case when t.checkout_id is null then 'of_another_program' else 'unknown_here' end, null, t.amount_cents, t.currency, false
    from provider_transaction t
    where t.kind = 'charge' and ${inRange(sql`t.occurred_at`, range)}
      and not exists (select 1 from payment p where p.payment_key = t.payment_key)`,
  )

const listedPerPayment = sql`
  select payment_key, sum(amount_cents) filter (where kind = 'charge') as charged,
    -sum(amount_cents) filter (where kind = 'refund') as refunded
  from provider_transaction where payment_key is not null and currency = 'usd' group by payment_key`

/** Orders whose payment is missing from the provider's list, as far as it was read. */
export const orderWithoutPayment = (db: Reader, range: TimeRange): AsyncGenerator<RecoveryCase[]> =>
  recoveryCasePages(
    db,
    sql`
    select o.created_at as at, o.order_number as id, p.provider, p.payment_key, o.order_number, o.customer_name as customer,
      'not_listed' as kind, o.total_cents as here, null::bigint as there, p.currency, false as is_closed
    from shop_order o
    join payment p on p.payment_key = o.payment_key
    join provider_reading r on r.provider = p.provider and p.captured_at between r.since and r.until
    where ${inRange(sql`o.created_at`, range)} and not exists (
      select 1 from provider_transaction t where t.payment_key = p.payment_key and t.kind = 'charge')`,
  )

/** Payments and refunds that the provider lists with another amount, as far as its list was read. */
export const amountsThatDiffer = (db: Reader, range: TimeRange): AsyncGenerator<RecoveryCase[]> =>
  recoveryCasePages(
    db,
    sql`
    select p.captured_at as at, p.payment_key || ':charge' as id, p.provider, p.payment_key, o.order_number,
      o.customer_name as customer, 'charge' as kind, p.amount_cents as here, t.charged as there, p.currency, false as is_closed
    from payment p
    join (${listedPerPayment}) t on t.payment_key = p.payment_key
    left join shop_order o on o.payment_key = p.payment_key
    where p.currency = 'usd' and ${inRange(sql`p.captured_at`, range)} and t.charged <> p.amount_cents
    union all
    select p.captured_at, p.payment_key || ':refund', p.provider, p.payment_key, o.order_number, o.customer_name, 'refund',
      b.amount, coalesce(t.refunded, 0), p.currency, false
    from payment p
    join (
      select payment_key, sum(amount_cents) filter (where reversed_at is null) as amount,
        max(coalesce(reversed_at, booked_at)) as last_at
      from refund where booked_at is not null and pays_refund_id is null group by payment_key
    ) b on b.payment_key = p.payment_key
    join provider_reading r on r.provider = p.provider and b.last_at between r.since and r.until
    left join (${listedPerPayment}) t on t.payment_key = p.payment_key
    left join shop_order o on o.payment_key = p.payment_key
    where p.currency = 'usd' and ${inRange(sql`p.captured_at`, range)} and coalesce(b.amount, 0) <> coalesce(t.refunded, 0)`,
  )
