import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { assert } from '#shared/assert.ts'
import type { OrderId, OrderNumber, UserId } from '#shared/ids.ts'
import { cents, ZERO, type Cents } from '#shared/money.ts'
import type { CalendarDay } from '#shared/calendar-day.ts'
import type { Reader } from '#server/db/db.ts'
import { product } from '#server/catalog/schema.ts'
import { code } from '#server/checkout/schema.ts'
import { orderLine, shopOrder } from '#server/orders/schema.ts'
import { affiliateClick, affiliateLink, attribution, commissionEntry, payout } from '#server/partners/schema.ts'

/** From `from` (included) to `until` (excluded). */
export type Span = { from: Date; until: Date }

const bookedIn = (partnerId: UserId, { from, until }: Span) =>
  and(
    eq(commissionEntry.partnerId, partnerId),
    gte(commissionEntry.bookedAt, from),
    lt(commissionEntry.bookedAt, until),
  )

const amountOf = (of: SQL, where?: SQL) =>
  sql<Cents>`coalesce(sum(${of})${where ? sql` filter (where ${where})` : sql``}, 0)`.mapWith((value) =>
    cents(Number(value)),
  )
const isSale = sql`(${commissionEntry.kind} = 'sale')`
const figures = {
  // Counts sales of first lines: `count(distinct order_id)` would sort all rows.
  orders: sql<number>`count(*) filter (where ${isSale} and ${commissionEntry.position} = 0)`.mapWith(Number),
  sales: amountOf(sql`${commissionEntry.baseCents}`, isSale),
  returned: amountOf(sql`${commissionEntry.baseCents}`, sql`not ${isSale}`),
  earned: amountOf(sql`${commissionEntry.amountCents}`),
}
const clickCounts = {
  clicks: sql<number>`count(*)`.mapWith(Number),
  carts: sql<number>`count(${affiliateClick.cartedAt})`.mapWith(Number),
}
/** A day and when it begins in the shop's reporting time zone, in milliseconds. */
export type DayStart = { day: CalendarDay; at: number }

/** Position of a timestamp's day among consecutive days: faster than a time zone conversion per row. */
const placeAmong = (days: readonly DayStart[], moment: AnyPgColumn) =>
  sql<
    number | null
  >`width_bucket(${moment}, array[${sql.raw(days.map(({ at }) => `'${new Date(at).toISOString()}'`).join(', '))}]::timestamptz[])`.mapWith(
    Number,
  )

const dayAt = (days: readonly DayStart[], place: number): CalendarDay => {
  const found = days[place - 1]
  assert(found, 'a timestamp outside of the requested days')
  return found.day
}

/** Splits the rows of two grouping sets: by day, and by what brought the visitor. */
const splitGroupingSets = <Row extends { place: number | null }>(rows: readonly Row[], days: readonly DayStart[]) => ({
  byDay: rows.flatMap((row) => (row.place === null ? [] : [{ ...row, day: dayAt(days, row.place) }])),
  byLink: rows.filter(({ place }) => place === null),
})

export async function sumsOfSpan(db: Reader, partnerId: UserId, span: Span, days: readonly DayStart[]) {
  const { linkId, codeId } = commissionEntry
  const rows = await db
    .select({ place: placeAmong(days, commissionEntry.bookedAt), linkId, codeId, ...figures })
    .from(commissionEntry)
    .where(bookedIn(partnerId, span))
    .groupBy(sql`grouping sets ((1), (${linkId}, ${codeId}))`)
  return splitGroupingSets(rows, days)
}

export function sumsByProduct(db: Reader, partnerId: UserId, span: Span) {
  // An order counts once per product, even if several lines have it.
  const ofOrders = db
    .select({
      productId: commissionEntry.productId,
      isSold: sql<boolean>`bool_or(${isSale})`.as('is_sold'),
      sales: figures.sales.as('sales'),
      returned: figures.returned.as('returned'),
      earned: figures.earned.as('earned'),
    })
    .from(commissionEntry)
    .where(bookedIn(partnerId, span))
    .groupBy(commissionEntry.orderId, commissionEntry.productId)
    .as('of_orders')
  const added = (of: SQL.Aliased<Cents>) => amountOf(sql`${of}`)
  return db
    .select({
      productId: ofOrders.productId,
      productName: product.name,
      orders: sql<number>`count(*) filter (where ${ofOrders.isSold})`.mapWith(Number),
      sales: added(ofOrders.sales),
      returned: added(ofOrders.returned),
      earned: added(ofOrders.earned),
    })
    .from(ofOrders)
    .innerJoin(product, eq(product.id, ofOrders.productId))
    .groupBy(ofOrders.productId, product.name)
}

const clicksIn = (partnerId: UserId, { from, until }: Span) =>
  and(eq(affiliateLink.partnerId, partnerId), gte(affiliateClick.clickedAt, from), lt(affiliateClick.clickedAt, until))

export async function clicksOfSpan(db: Reader, partnerId: UserId, span: Span, days: readonly DayStart[]) {
  const { linkId } = affiliateClick
  const rows = await db
    .select({ place: placeAmong(days, affiliateClick.clickedAt), linkId, ...clickCounts })
    .from(affiliateClick)
    .innerJoin(affiliateLink, eq(affiliateLink.id, linkId))
    .where(clicksIn(partnerId, span))
    .groupBy(sql`grouping sets ((1), (${linkId}))`)
  return splitGroupingSets(rows, days)
}

export const listLinks = (db: Reader, partnerId: UserId) =>
  db.select().from(affiliateLink).where(eq(affiliateLink.partnerId, partnerId)).orderBy(asc(affiliateLink.id))

export const listPartnerCodes = (db: Reader, partnerId: UserId) =>
  db.select({ id: code.id, code: code.code }).from(code).where(eq(code.partnerId, partnerId)).orderBy(asc(code.id))

/** All commission of a partner by status; `paid` is the sum of the payouts. */
export async function balanceOf(db: Reader, partnerId: UserId, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const amountWhere = (condition: SQL) =>
    amountOf(sql`case when ${condition} then ${commissionEntry.amountCents} else 0 end`)
  const [unpaid] = await db
    .select({
      pending: amountWhere(sql`${commissionEntry.approvedFrom} > ${at}`),
      approved: amountWhere(sql`${commissionEntry.approvedFrom} <= ${at}`),
    })
    .from(commissionEntry)
    .where(and(eq(commissionEntry.partnerId, partnerId), isNull(commissionEntry.payoutId)))
  const [paidOut] = await db
    .select({ paid: amountOf(sql`${payout.amountCents}`) })
    .from(payout)
    .where(and(eq(payout.partnerId, partnerId), isNull(payout.returnedAt)))
  return { pending: unpaid?.pending ?? ZERO, approved: unpaid?.approved ?? ZERO, paid: paidOut?.paid ?? ZERO }
}

const isPending = (partnerId: UserId, now: Date) =>
  and(eq(commissionEntry.partnerId, partnerId), isNull(commissionEntry.payoutId), gt(commissionEntry.approvedFrom, now))

/** When the last pending entry becomes approved; undefined if none is pending. */
export async function findLastApproval(db: Reader, partnerId: UserId, now: Date): Promise<Date | undefined> {
  const [last] = await db
    .select({ at: commissionEntry.approvedFrom })
    .from(commissionEntry)
    .where(isPending(partnerId, now))
    .orderBy(desc(commissionEntry.approvedFrom))
    .limit(1)
  return last?.at
}

/** Pending amounts by the day they become approved, soonest first. @param days must reach the last approval */
export async function listApprovals(db: Reader, partnerId: UserId, now: Date, days: readonly DayStart[]) {
  const place = placeAmong(days, commissionEntry.approvedFrom)
  const rows = await db
    .select({ place, amount: figures.earned })
    .from(commissionEntry)
    .where(isPending(partnerId, now))
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  return rows.map((row) => ({ day: dayAt(days, row.place), amount: row.amount }))
}

/** Orders are listed by the entry of their first line's sale, which also marks the partner's own purchases. */
const firstEntry = (partnerId: UserId) =>
  and(
    eq(commissionEntry.partnerId, partnerId),
    eq(commissionEntry.position, 0),
    sql`${commissionEntry.cause} like 'sale:%'`,
  )

const heads = (db: Reader) =>
  db
    .select({
      id: commissionEntry.id,
      orderId: commissionEntry.orderId,
      orderNumber: shopOrder.orderNumber,
      paidAt: commissionEntry.bookedAt,
      approvedFrom: commissionEntry.approvedFrom,
      link: affiliateLink.code,
      code: code.code,
      clickedAt: attribution.clickedAt,
      objection: attribution.objection,
    })
    .from(commissionEntry)
    .innerJoin(shopOrder, eq(shopOrder.id, commissionEntry.orderId))
    .leftJoin(affiliateLink, eq(affiliateLink.id, commissionEntry.linkId))
    .leftJoin(code, eq(code.id, commissionEntry.codeId))
    .leftJoin(attribution, eq(attribution.checkoutId, shopOrder.checkoutId))

export async function listOrderHeads(db: Reader, partnerId: UserId, older: number | undefined, limit: number) {
  const before = older
    ? sql`(${commissionEntry.bookedAt}, ${commissionEntry.id}) < (select o.booked_at, o.id from commission_entry o where o.id = ${older} and o.partner_id = ${partnerId})`
    : undefined
  return heads(db)
    .where(and(firstEntry(partnerId), before))
    .orderBy(desc(commissionEntry.bookedAt), desc(commissionEntry.id))
    .limit(limit)
}

export const findOrderHead = async (db: Reader, partnerId: UserId, orderNumber: OrderNumber) =>
  (await heads(db).where(and(firstEntry(partnerId), eq(shopOrder.orderNumber, orderNumber))))[0]

/** An order by the partner's link or code that earns nothing. */
export const findObjected = async (db: Reader, partnerId: UserId, orderNumber: OrderNumber) =>
  (
    await db
      .select({
        objection: attribution.objection,
        clickedAt: attribution.clickedAt,
        link: affiliateLink.code,
        code: code.code,
      })
      .from(shopOrder)
      .innerJoin(attribution, eq(attribution.checkoutId, shopOrder.checkoutId))
      .leftJoin(affiliateLink, eq(affiliateLink.id, attribution.linkId))
      .leftJoin(code, eq(code.id, attribution.codeId))
      .where(and(eq(shopOrder.orderNumber, orderNumber), eq(attribution.partnerId, partnerId)))
  )[0]

const entryView = {
  id: commissionEntry.id,
  orderId: commissionEntry.orderId,
  kind: commissionEntry.kind,
  at: commissionEntry.bookedAt,
  productName: orderLine.productName,
  base: commissionEntry.baseCents,
  rate: commissionEntry.basisPoints,
  amount: commissionEntry.amountCents,
  payoutId: commissionEntry.payoutId,
}
const ofLine = and(eq(orderLine.orderId, commissionEntry.orderId), eq(orderLine.position, commissionEntry.position))

export const listEntriesOf = (db: Reader, partnerId: UserId, orderIds: readonly OrderId[]) =>
  db
    .select(entryView)
    .from(commissionEntry)
    .innerJoin(orderLine, ofLine)
    .where(and(eq(commissionEntry.partnerId, partnerId), inArray(commissionEntry.orderId, [...orderIds])))
    .orderBy(asc(commissionEntry.id))

/** @param nth of the order's entries, from 1 */
export const findEntry = async (
  db: Reader,
  partnerId: UserId,
  orderNumber: OrderNumber,
  nth: number,
): Promise<{ id: number } | undefined> =>
  (
    await db
      .select({ id: commissionEntry.id })
      .from(commissionEntry)
      .innerJoin(shopOrder, eq(shopOrder.id, commissionEntry.orderId))
      .where(and(eq(commissionEntry.partnerId, partnerId), eq(shopOrder.orderNumber, orderNumber)))
      .orderBy(asc(commissionEntry.id))
      .offset(nth - 1)
      .limit(1)
  )[0]

/** A page of a span's entries in booking order. @param after the last entry of the previous page */
export async function listStatementLines(
  db: Reader,
  partnerId: UserId,
  span: Span,
  after: number | undefined,
  limit: number,
) {
  const beyond = after
    ? sql`(${commissionEntry.bookedAt}, ${commissionEntry.id}) > (select o.booked_at, o.id from commission_entry o where o.id = ${after} and o.partner_id = ${partnerId})`
    : undefined
  return db
    .select({ ...entryView, orderNumber: shopOrder.orderNumber })
    .from(commissionEntry)
    .innerJoin(orderLine, ofLine)
    .innerJoin(shopOrder, eq(shopOrder.id, commissionEntry.orderId))
    .where(and(bookedIn(partnerId, span), beyond))
    .orderBy(asc(commissionEntry.bookedAt), asc(commissionEntry.id))
    .limit(limit)
}

/** The balance before a span, and what was earned and taken back in it. */
export async function entrySums(db: Reader, partnerId: UserId, { from, until }: Span) {
  const start = sql`${from.toISOString()}::timestamptz`
  const amountWhere = (condition: SQL) =>
    amountOf(sql`case when ${condition} then ${commissionEntry.amountCents} else 0 end`)
  const [row] = await db
    .select({
      before: amountWhere(sql`${commissionEntry.bookedAt} < ${start}`),
      earned: amountWhere(sql`${commissionEntry.bookedAt} >= ${start} and ${isSale}`),
      takenBack: amountWhere(sql`${commissionEntry.bookedAt} >= ${start} and not ${isSale}`),
    })
    .from(commissionEntry)
    .where(and(eq(commissionEntry.partnerId, partnerId), lt(commissionEntry.bookedAt, until)))
  return row ?? { before: cents(0), earned: cents(0), takenBack: cents(0) }
}

/** Payouts made before `until`, including returned ones. */
export const listPayoutsBefore = (db: Reader, partnerId: UserId, until: Date) =>
  db
    .select()
    .from(payout)
    .where(and(eq(payout.partnerId, partnerId), lt(payout.madeAt, until)))
    .orderBy(asc(payout.madeAt))
