import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { OrderId, OrderNumber, UserId } from '#kernel/ids.ts'
import { cents, type Cents } from '#kernel/money.ts'
import type { CalendarDay, TimeZone } from '#kernel/zone.ts'
import type { Reader } from '#server/db/db.ts'
import {
  affiliateClick,
  affiliateLink,
  attribution,
  commissionEntry,
  orderLine,
  payout,
  product,
  shopOrder,
} from '#server/db/schema.ts'

/** From a moment on, and before another. */
export type Span = { from: Date; until: Date }

const bookedIn = (partnerId: UserId, { from, until }: Span) =>
  and(
    eq(commissionEntry.partnerId, partnerId),
    gte(commissionEntry.bookedAt, from),
    lt(commissionEntry.bookedAt, until),
  )

const amountOf = (of: SQL) => sql<Cents>`coalesce(sum(${of}), 0)`.mapWith((value) => cents(Number(value)))
const isSale = sql`${commissionEntry.kind} = 'sale'`
const figures = {
  // The sale of an order's first line stands for the order: counting different orders would sort them all.
  orders: sql<number>`count(*) filter (where ${isSale} and ${commissionEntry.position} = 0)`.mapWith(Number),
  sales: amountOf(sql`case when ${isSale} then ${commissionEntry.baseCents} else 0 end`),
  returned: amountOf(sql`case when ${isSale} then 0 else ${commissionEntry.baseCents} end`),
  earned: amountOf(sql`${commissionEntry.amountCents}`),
}
const ordersWithIt = sql<number>`count(distinct ${commissionEntry.orderId}) filter (where ${isSale})`.mapWith(Number)
const clicked = {
  clicks: sql<number>`count(*)`.mapWith(Number),
  carts: sql<number>`count(${affiliateClick.cartedAt})`.mapWith(Number),
}
/** The calendar day of a moment in a zone that the configuration has checked; written out, because what is grouped by must be what is selected. */
const dayOf = (moment: SQL, zone: TimeZone) =>
  sql<CalendarDay>`((${moment} at time zone ${sql.raw(`'${zone.replaceAll("'", '')}'`)})::date - date '1970-01-01')`.mapWith(
    Number,
  )

export function sumsByDay(db: Reader, partnerId: UserId, span: Span, zone: TimeZone) {
  const day = dayOf(sql`${commissionEntry.bookedAt}`, zone)
  return db
    .select({ day, ...figures })
    .from(commissionEntry)
    .where(bookedIn(partnerId, span))
    .groupBy(day)
}

export const sumsByProduct = (db: Reader, partnerId: UserId, span: Span) =>
  db
    .select({ productId: commissionEntry.productId, productName: product.name, ...figures, orders: ordersWithIt })
    .from(commissionEntry)
    .innerJoin(product, eq(product.id, commissionEntry.productId))
    .where(bookedIn(partnerId, span))
    .groupBy(commissionEntry.productId, product.name)

export const sumsByLink = (db: Reader, partnerId: UserId, span: Span) =>
  db
    .select({ linkId: commissionEntry.linkId, ...figures })
    .from(commissionEntry)
    .where(bookedIn(partnerId, span))
    .groupBy(commissionEntry.linkId)

const clicksIn = (partnerId: UserId, { from, until }: Span) =>
  and(eq(affiliateLink.partnerId, partnerId), gte(affiliateClick.clickedAt, from), lt(affiliateClick.clickedAt, until))

export function clicksByDay(db: Reader, partnerId: UserId, span: Span, zone: TimeZone) {
  const day = dayOf(sql`${affiliateClick.clickedAt}`, zone)
  return db
    .select({ day, ...clicked })
    .from(affiliateClick)
    .innerJoin(affiliateLink, eq(affiliateLink.id, affiliateClick.linkId))
    .where(clicksIn(partnerId, span))
    .groupBy(day)
}

export const clicksByLink = (db: Reader, partnerId: UserId, span: Span) =>
  db
    .select({ linkId: affiliateClick.linkId, ...clicked })
    .from(affiliateClick)
    .innerJoin(affiliateLink, eq(affiliateLink.id, affiliateClick.linkId))
    .where(clicksIn(partnerId, span))
    .groupBy(affiliateClick.linkId)

export const listLinks = (db: Reader, partnerId: UserId) =>
  db.select().from(affiliateLink).where(eq(affiliateLink.partnerId, partnerId)).orderBy(asc(affiliateLink.id))

/** Everything that was ever booked for a partner, by where it stands now. */
export async function balanceOf(db: Reader, partnerId: UserId, now: Date) {
  const unpaid = sql`${commissionEntry.payoutId} is null`
  const at = sql`${now.toISOString()}::timestamptz`
  const amountWhere = (condition: SQL) =>
    amountOf(sql`case when ${condition} then ${commissionEntry.amountCents} else 0 end`)
  const [row] = await db
    .select({
      pending: amountWhere(sql`${unpaid} and ${commissionEntry.approvedFrom} > ${at}`),
      approved: amountWhere(sql`${unpaid} and ${commissionEntry.approvedFrom} <= ${at}`),
      paid: amountWhere(sql`${commissionEntry.payoutId} is not null`),
    })
    .from(commissionEntry)
    .where(eq(commissionEntry.partnerId, partnerId))
  return row ?? { pending: cents(0), approved: cents(0), paid: cents(0) }
}

/** What is pending, by the day on which it becomes approved; the next one first. */
export function listApprovals(db: Reader, partnerId: UserId, now: Date, zone: TimeZone) {
  const day = dayOf(sql`${commissionEntry.approvedFrom}`, zone)
  return db
    .select({ day, amount: figures.earned })
    .from(commissionEntry)
    .where(
      and(
        eq(commissionEntry.partnerId, partnerId),
        isNull(commissionEntry.payoutId),
        gt(commissionEntry.approvedFrom, now),
      ),
    )
    .groupBy(day)
    .orderBy(day)
}

/** Orders are listed by the entry of their first line's sale. */
const firstEntry = (partnerId: UserId) =>
  and(eq(commissionEntry.partnerId, partnerId), eq(commissionEntry.kind, 'sale'), eq(commissionEntry.position, 0))

const heads = (db: Reader) =>
  db
    .select({
      id: commissionEntry.id,
      orderId: commissionEntry.orderId,
      orderNumber: shopOrder.orderNumber,
      paidAt: commissionEntry.bookedAt,
      approvedFrom: commissionEntry.approvedFrom,
      link: affiliateLink.code,
      clickedAt: attribution.clickedAt,
    })
    .from(commissionEntry)
    .innerJoin(shopOrder, eq(shopOrder.id, commissionEntry.orderId))
    .innerJoin(affiliateLink, eq(affiliateLink.id, commissionEntry.linkId))
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

/** An order that came by a link of the partner and earns nothing. */
export const findObjected = async (db: Reader, partnerId: UserId, orderNumber: OrderNumber) =>
  (
    await db
      .select({ objection: attribution.objection, clickedAt: attribution.clickedAt, link: affiliateLink.code })
      .from(shopOrder)
      .innerJoin(attribution, eq(attribution.checkoutId, shopOrder.checkoutId))
      .innerJoin(affiliateLink, eq(affiliateLink.id, attribution.linkId))
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

/** Entries of a span in the order in which they were booked, a page at a time. @param after the last one that was read */
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

/** What was booked before a span and in it, apart by whether it gives or takes. */
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

/** Payouts that were made, or came back, before a moment. */
export const listPayoutsBefore = (db: Reader, partnerId: UserId, until: Date) =>
  db
    .select()
    .from(payout)
    .where(and(eq(payout.partnerId, partnerId), lt(payout.madeAt, until)))
    .orderBy(asc(payout.madeAt))

export const findProductNames = async (db: Reader, ids: readonly number[]): Promise<Map<number, string>> => {
  const rows = ids.length
    ? await db
        .select({ id: product.id, name: product.name })
        .from(product)
        .where(sql`${product.id} in ${[...ids]}`)
    : []
  return new Map(rows.map(({ id, name }) => [id, name]))
}
