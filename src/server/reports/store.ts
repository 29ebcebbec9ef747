import { and, eq, gte, inArray, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { CollectionSales, ProviderFigures, Sales } from '#domain/reports/summary.ts'
import type { ReportLine } from '#contract/reports.ts'
import type { Figure } from '#contract/report-figures.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { cents, minus, plus, ZERO, type Cents } from '#shared/money.ts'
import { dateOf } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'
import { orderLine, pastOrder, pastOrderLine, refund, shopOrder } from '#server/orders/schema.ts'
import { paymentException } from '#server/payments/outcome-schema.ts'
import { payment } from '#server/payments/schema.ts'
import { providerReading, providerTransaction } from '#server/reconciliation/schema.ts'

/** @returns no condition for a range that is open at both ends */
export const inTimeRange = (column: AnyPgColumn, { since, until }: TimeRange): SQL | undefined =>
  and(since === null ? undefined : gte(column, dateOf(since)), until === null ? undefined : lt(column, dateOf(until)))

const isOpen = ({ since, until }: TimeRange): boolean => since === null && until === null

/** The database returns sums of integers as text, or null without rows. */
const amountOf = (text: string | null | undefined): Cents => cents(Number(text ?? 0))

const sumColumn = (column: AnyPgColumn, condition?: SQL) =>
  condition ? sql<string | null>`sum(${column}) filter (where ${condition})` : sql<string | null>`sum(${column})`

export async function findFirstOrderAt(db: Reader): Promise<Date | undefined> {
  const [row] = await db.select({ at: shopOrder.createdAt }).from(shopOrder).orderBy(shopOrder.createdAt).limit(1)
  return row?.at
}

/** Orders without a payment have a total of zero; the index of sums has no kind. */
const countOfSales = sql<number>`count(*) filter (where ${shopOrder.totalCents} > 0)::int`

/** Sales by step index; steps without orders are missing. @param starts of the steps, ascending */
export async function sumSteps(db: Reader, range: TimeRange, starts: readonly number[]): Promise<Map<number, Sales>> {
  const bounds = sql.join(
    starts.map((start) => sql`${dateOf(start).toISOString()}`),
    sql`, `,
  )
  const step = sql<number>`width_bucket(${shopOrder.createdAt}, array[${bounds}]::timestamptz[])`
  const rows = await db
    .select({
      step,
      orders: countOfSales,
      revenue: sumColumn(shopOrder.totalCents),
      tax: sumColumn(shopOrder.taxCents),
    })
    .from(shopOrder)
    .where(inTimeRange(shopOrder.createdAt, range))
    .groupBy(sql`1`)
  return new Map(
    rows.map(({ step: place, orders, revenue, tax }) => [
      place - 1,
      { orders, revenue: amountOf(revenue), tax: amountOf(tax) },
    ]),
  )
}

/** Orders of former shops that were not canceled, newest month first. @param zone of the months */
export async function sumPastOrders(db: Reader, range: TimeRange, zone: string) {
  const goods = db
    .select({ id: pastOrderLine.pastOrderId, cents: sumColumn(pastOrderLine.totalCents).as('cents') })
    .from(pastOrderLine)
    .groupBy(pastOrderLine.pastOrderId)
    .as('goods')
  const month = sql<string>`to_char(${pastOrder.placedAt} at time zone ${zone}, 'YYYY-MM')`
  const rows = await db
    .select({
      month,
      shop: pastOrder.shop,
      orders: sql<number>`count(*)::int`,
      goods: sql<string | null>`sum(${goods.cents})`,
      refunded: sumColumn(pastOrder.refundedCents),
    })
    .from(pastOrder)
    .leftJoin(goods, eq(goods.id, pastOrder.id))
    .where(and(inTimeRange(pastOrder.placedAt, range), ne(pastOrder.status, 'canceled')))
    .groupBy(sql`1`, pastOrder.shop)
    .orderBy(sql`1 desc`, pastOrder.shop)
  return rows.map(({ goods, refunded, ...row }) => ({ ...row, goods: amountOf(goods), refunded: amountOf(refunded) }))
}

export async function sumSales(db: Reader, range: TimeRange): Promise<Sales> {
  const [row] = await db
    .select({
      orders: countOfSales,
      revenue: sumColumn(shopOrder.totalCents),
      tax: sumColumn(shopOrder.taxCents),
    })
    .from(shopOrder)
    .where(inTimeRange(shopOrder.createdAt, range))
  return { orders: row?.orders ?? 0, revenue: amountOf(row?.revenue), tax: amountOf(row?.tax) }
}

export async function sumCollections(db: Reader, range: TimeRange): Promise<CollectionSales[]> {
  const ofOrders = db.select({ id: shopOrder.id }).from(shopOrder).where(inTimeRange(shopOrder.createdAt, range))
  const rows = await db
    .select({
      collection: orderLine.collection,
      orders: sql<number>`count(distinct ${orderLine.orderId}) filter (where ${orderLine.unitPrice} > 0 and ${orderLine.quantity} > 0)::int`,
      revenue: sql<string>`sum(${orderLine.quantity} * ${orderLine.unitPrice})`,
    })
    .from(orderLine)
    // For all orders, no lookup is needed.
    .where(isOpen(range) ? undefined : inArray(orderLine.orderId, ofOrders))
    .groupBy(orderLine.collection)
    .orderBy(orderLine.collection)
  return rows.map(({ revenue, ...row }) => ({ ...row, revenue: amountOf(revenue) }))
}

export type ProviderReading = { since: Date; until: Date | null; readAt: Date | null; failingSince: Date | null }

/** How far a provider's list was read. */
async function findReading(db: Reader, provider: PaymentProvider): Promise<ProviderReading | undefined> {
  const { since, until, readAt, failingSince } = providerReading
  const [row] = await db
    .select({ since, until, readAt, failingSince })
    .from(providerReading)
    .where(eq(providerReading.provider, provider))
  return row
}

/** Charges in US dollars. Other currencies are in no sum, because the shop has no exchange rates. */
const isCharge = and(eq(providerTransaction.kind, 'charge'), eq(providerTransaction.currency, 'usd'))

/** A charge whose payment the shop does not know. */
const isUnknownHere = sql<boolean>`not exists (select 1 from ${payment} known where known.payment_key = ${providerTransaction.paymentKey})`

const isUsd = eq(payment.currency, 'usd')

export type ProviderReadings = Readonly<Record<PaymentProvider, ProviderReading | undefined>>

export const findProviderReadings = async (db: Reader): Promise<ProviderReadings> => ({
  stripe: await findReading(db, 'stripe'),
  paypal: await findReading(db, 'paypal'),
})

/** Whether a payment is outside the part of its provider's list that was read. */
const isUnread = (readings: ProviderReadings): SQL => {
  const ofProvider = (provider: PaymentProvider) => {
    const reading = readings[provider]
    return reading?.until
      ? sql`when ${provider} then (${payment.capturedAt} > ${reading.until.toISOString()} or ${payment.capturedAt} < ${reading.since.toISOString()})`
      : sql`when ${provider} then true`
  }
  return sql`case ${payment.provider} ${ofProvider('stripe')} ${ofProvider('paypal')} end`
}

/** Each provider's payments by our books and by its own, summed in one pass. */
export async function sumProviders(
  db: Reader,
  range: TimeRange,
  readings: ProviderReadings,
): Promise<Record<PaymentProvider, ProviderFigures>> {
  const listed = providerTransaction
  const isUnlisted = isNull(listed.id)
  const all = await db
    .select({
      provider: payment.provider,
      database: sumColumn(payment.amountCents),
      withoutOrder: sumColumn(payment.amountCents, isNotNull(paymentException.id)),
    })
    .from(payment)
    .leftJoin(paymentException, eq(paymentException.paymentKey, payment.paymentKey))
    .where(and(isUsd, inTimeRange(payment.capturedAt, range)))
    .groupBy(payment.provider)
  // A payment that the provider charged twice appears twice.
  const known = await db
    .select({
      provider: payment.provider,
      listed: sumColumn(listed.amountCents),
      notYetListed: sumColumn(payment.amountCents, sql`${isUnlisted} and ${isUnread(readings)}`),
      unknownToProvider: sumColumn(payment.amountCents, sql`${isUnlisted} and not ${isUnread(readings)}`),
      differing: sql<number>`count(*) filter (where ${listed.amountCents} <> ${payment.amountCents})::int`,
    })
    .from(payment)
    .leftJoin(listed, and(eq(listed.paymentKey, payment.paymentKey), eq(listed.provider, payment.provider), isCharge))
    .where(and(isUsd, inTimeRange(payment.capturedAt, range)))
    .groupBy(payment.provider)
  const unknown = await db
    .select({
      provider: providerTransaction.provider,
      missing: sumColumn(providerTransaction.amountCents, sql`${providerTransaction.checkoutId} is not null`),
      ofOthers: sumColumn(providerTransaction.amountCents, sql`${providerTransaction.checkoutId} is null`),
    })
    .from(providerTransaction)
    .where(and(isCharge, inTimeRange(providerTransaction.occurredAt, range), isUnknownHere))
    .groupBy(providerTransaction.provider)
  const refunded = await sumRefunds(db, range)
  const figuresOf = (provider: PaymentProvider): ProviderFigures => {
    const of = <Row extends { provider: PaymentProvider }>(rows: readonly Row[]) =>
      rows.find((row) => row.provider === provider)
    const missing = amountOf(of(unknown)?.missing)
    return {
      provider,
      database: amountOf(of(all)?.database),
      withoutOrder: amountOf(of(all)?.withoutOrder),
      listed: plus(amountOf(of(known)?.listed), missing),
      missing,
      notYetListed: amountOf(of(known)?.notYetListed),
      unknownToProvider: amountOf(of(known)?.unknownToProvider),
      differing: of(known)?.differing ?? 0,
      ofOthers: amountOf(of(unknown)?.ofOthers),
      refunded: of(refunded)?.amount ?? ZERO,
    }
  }
  return { stripe: figuresOf('stripe'), paypal: figuresOf('paypal') }
}

/** Refunds by providers booked in a range, less refunds that failed in it. */
async function sumRefunds(db: Reader, range: TimeRange): Promise<{ provider: PaymentProvider; amount: Cents }[]> {
  const rows = await db
    .select({
      provider: payment.provider,
      booked: sumColumn(refund.amountCents, inTimeRange(refund.bookedAt, range) ?? sql`${refund.bookedAt} is not null`),
      reversed: sumColumn(
        refund.amountCents,
        inTimeRange(refund.reversedAt, range) ?? sql`${refund.reversedAt} is not null`,
      ),
    })
    .from(refund)
    .innerJoin(payment, eq(payment.paymentKey, refund.paymentKey))
    .where(and(isUsd, isNull(refund.giftCardId)))
    .groupBy(payment.provider)
  return rows.map(({ provider, booked, reversed }) => ({
    provider,
    amount: minus(amountOf(booked), amountOf(reversed)),
  }))
}

type LedgerSelection = {
  kinds: readonly (typeof ledgerPosting.$inferSelect.kind)[]
  accounts: readonly (typeof ledgerEntry.$inferSelect.account)[]
}

/** The sum of ledger entries on these accounts from postings of these kinds, for payments in US dollars. */
export async function sumLedger(db: Reader, { kinds, accounts }: LedgerSelection, range: TimeRange): Promise<Cents> {
  const oneOf = (column: AnyPgColumn, values: readonly string[]) =>
    sql`${column} in (${sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    )})`
  const [row] = await db
    .select({ amount: sumColumn(ledgerEntry.amountCents) })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .innerJoin(payment, eq(payment.paymentKey, ledgerPosting.paymentKey))
    .where(
      and(
        isUsd,
        oneOf(ledgerPosting.kind, kinds),
        oneOf(ledgerEntry.account, accounts),
        inTimeRange(ledgerPosting.bookedAt, range),
      ),
    )
  return amountOf(row?.amount)
}

export type LinesRequest = {
  figure: Exclude<Figure, 'brought'>
  provider: PaymentProvider
  collection: string
  range: TimeRange
}

export const inRange = (column: SQL, { since, until }: TimeRange): SQL =>
  sql`${since === null ? sql`true` : sql`${column} >= ${dateOf(since).toISOString()}::timestamptz`}
    and ${until === null ? sql`true` : sql`${column} < ${dateOf(until).toISOString()}::timestamptz`}`

/** The order that payment `p` made. */
const orderMadeBy = sql`(select m.id from shop_order m where m.payment_key = p.payment_key)`

/** The lines of a figure: `at, id, what, order_number, payment_key, provider_id, amount`. */
export function linesOf({ figure, provider, collection, range }: LinesRequest): SQL {
  const orders = (amount: SQL) => sql`
    select o.created_at as at, o.id::text as id, o.customer_name as what, o.order_number, o.payment_key,
      null as provider_id, ${amount} as amount
    from shop_order o where o.total_cents > 0 and ${inRange(sql`o.created_at`, range)}`
  const charge = sql`t.provider = ${provider} and t.kind = 'charge' and t.currency = 'usd'`
  const unknown = (isOurs: boolean) => sql`
    select t.occurred_at as at, t.id, ${isOurs ? 'unknown to the shop' : 'from another program'} as what,
      null as order_number, t.payment_key, t.id as provider_id, t.amount_cents as amount
    from provider_transaction t
    where ${charge} and ${inRange(sql`t.occurred_at`, range)} and t.checkout_id is ${sql.raw(isOurs ? 'not null' : 'null')}
      and not exists (select 1 from payment p where p.payment_key = t.payment_key)`
  const refunds = (column: SQL, sign: SQL, what: string) => sql`
    select ${column} as at, r.id || ${`-${what}`} as id, ${what} || ': ' || r.reason as what, o.order_number, r.payment_key,
      r.provider_refund_id as provider_id, ${sign} * r.amount_cents as amount
    from refund r
    join payment p on p.payment_key = r.payment_key
    left join shop_order o on o.id = r.order_id
    where p.provider = ${provider} and p.currency = 'usd' and r.gift_card_id is null and ${column} is not null and ${inRange(column, range)}`
  switch (figure) {
    case 'revenue':
      return orders(sql`o.total_cents`)
    case 'tax':
      return orders(sql`o.tax_cents`)
    case 'collection':
      return sql`
        select o.created_at as at, l.order_id || '-' || l.position as id,
          l.quantity || ' × ' || l.product_name || coalesce(', ' || l.variant_name, '') as what,
          o.order_number, o.payment_key, null as provider_id, l.quantity * l.unit_price_cents as amount
        from order_line l join shop_order o on o.id = l.order_id
        where l.collection = ${collection} and l.unit_price_cents > 0 and l.quantity > 0 and ${inRange(sql`o.created_at`, range)}`
    case 'database':
      return sql`
        select p.captured_at as at, p.payment_key as id,
          coalesce(o.customer_name, 'gift card ' || g.gift_card_id, 'no order: ' || replace(x.kind, '_', ' '), 'no order') as what,
          o.order_number, p.payment_key, null as provider_id, p.amount_cents as amount
        from payment p
        left join order_change c on c.payment_key = p.payment_key
        left join shop_order o on o.id = coalesce(c.order_id, ${orderMadeBy})
        left join payment_exception x on x.payment_key = p.payment_key
        left join gift_card_purchase g on g.payment_key = p.payment_key
        where p.provider = ${provider} and p.currency = 'usd' and ${inRange(sql`p.captured_at`, range)}`
    case 'listed':
      return sql`
        select p.captured_at as at, t.id, coalesce(o.customer_name, 'gift card ' || g.gift_card_id, 'no order') as what, o.order_number, t.payment_key,
          t.id as provider_id, t.amount_cents as amount
        from provider_transaction t
        join payment p on p.payment_key = t.payment_key
        left join order_change c on c.payment_key = p.payment_key
        left join shop_order o on o.id = coalesce(c.order_id, ${orderMadeBy})
        left join gift_card_purchase g on g.payment_key = p.payment_key
        where ${charge} and p.currency = 'usd' and ${inRange(sql`p.captured_at`, range)}
        union all ${unknown(true)}`
    case 'missing':
      return unknown(true)
    case 'others':
      return unknown(false)
    case 'refunded':
      return sql`${refunds(sql`r.booked_at`, sql`1`, 'refunded')} union all ${refunds(sql`r.reversed_at`, sql`-1`, 'returned')}`
  }
}

type StoredLine = {
  at: string
  id: string
  what: string
  order_number: string | null
  payment_key: string | null
  provider_id: string | null
  amount: string
}

/** Latest first. @param lines as of `linesOf` @param mark the previous page's last line, with its time in milliseconds */
export async function selectLines(
  db: Reader,
  lines: SQL,
  mark: { at: number; id: string } | undefined,
  limit: number,
): Promise<ReportLine[]> {
  const at = mark && dateOf(mark.at).toISOString()
  const older = mark ? sql`where at <= ${at}::timestamptz and (at < ${at}::timestamptz or id < ${mark.id})` : sql``
  const { rows } = await db.execute<StoredLine>(sql`
    select floor(extract(epoch from at) * 1000)::bigint as at, id, what, order_number, payment_key, provider_id, amount
    from (${lines}) line ${older} order by line.at desc, id desc limit ${limit}`)
  return rows.map((row) => ({
    id: row.id,
    at: dateOf(Number(row.at)).toISOString(),
    what: row.what,
    orderNumber: row.order_number,
    paymentKey: row.payment_key,
    providerId: row.provider_id,
    amount: amountOf(row.amount),
  }))
}

export async function sumLines(db: Reader, lines: SQL): Promise<{ count: number; total: Cents }> {
  const { rows } = await db.execute<{ count: number; total: string | null }>(
    sql`select count(*)::int as count, sum(amount) as total from (${lines}) line`,
  )
  return { count: rows[0]?.count ?? 0, total: amountOf(rows[0]?.total) }
}
