import type { Earnings, EarnedOrder, Explanation } from '#contract/earnings.ts'
import { rateAt } from '#domain/partners/rates.ts'
import { fillMissingDays } from '#domain/partners/statement.ts'
import { readOrderNumber, type UserId } from '#shared/ids.ts'
import { sum, ZERO } from '#shared/money.ts'
import { dayFromIso, isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { monthsBetween } from '#shared/month.ts'
import { dayIn, startOfDay, type TimeZone } from '#shared/time-zone.ts'
import { findProductNames } from '#server/catalog/catalog.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import * as store from './earnings-store.ts'
import { findPartner, type Partner } from '#server/partners/partner.ts'
import { listRates } from '#server/partners/rates.ts'

const DAYS_SHOWN = 30
const DAYS_MAX = 366
const ORDERS_A_PAGE = 25

const NO_EARNED = { orders: 0, sales: ZERO, returned: ZERO, earned: ZERO }
const NO_FIGURES = { clicks: 0, carts: 0, ...NO_EARNED }

/** @throws Refusal `not_allowed` for a user who is not a partner */
export async function requirePartner({ db }: Needs<'db'>, userId: UserId): Promise<Partner> {
  const partner = await findPartner(db, userId)
  if (!partner) throw new Refusal('not_allowed')
  return partner
}

/** The requested days, both included. @throws Refusal `not_a_range` */
function parseDays(today: CalendarDay, { from, to }: { from?: string | undefined; to?: string | undefined }) {
  const last = to === undefined ? today : dayFromIso(to)
  const first = from === undefined ? last && last - DAYS_SHOWN + 1 : dayFromIso(from)
  if (first === undefined || last === undefined || first > last || last - first >= DAYS_MAX)
    throw new Refusal('not_a_range', { days: String(DAYS_MAX) })
  return { first, last }
}

const daysFrom = (zone: TimeZone, first: CalendarDay, last: CalendarDay): store.DayStart[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    day: first + index,
    at: startOfDay(zone, first + index),
  }))

/** A partner's earnings page without its orders: figures only, no personal data. */
export async function readEarnings(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  { id, displayName, code, joinedAt }: Partner,
  range: { from?: string | undefined; to?: string | undefined },
): Promise<Earnings> {
  const now = clock.now()
  const zone = config.reportTimeZone
  const today = dayIn(zone, now.getTime())
  const { first, last } = parseDays(today, range)
  const span = {
    from: new Date(startOfDay(zone, first)),
    until: new Date(startOfDay(zone, last + 1)),
  }

  const dayStarts = daysFrom(zone, first, last)
  const earned = await store.sumsOfSpan(db, id, span, dayStarts)
  const clicked = await store.clicksOfSpan(db, id, span, dayStarts)
  const byDay = new Map<CalendarDay, typeof NO_FIGURES>()
  for (const { day, ...figures } of earned.byDay) byDay.set(day, { ...NO_FIGURES, ...figures })
  for (const { day, ...clicks } of clicked.byDay) byDay.set(day, { ...NO_FIGURES, ...byDay.get(day), ...clicks })
  const days = fillMissingDays(first, last, byDay, NO_FIGURES)

  const earnedOf = earned.byLink.map(({ linkId, codeId, ...figures }) => ({ linkId, codeId, figures }))
  const earnedBy = new Map(earnedOf.map(({ linkId, figures }) => [linkId, figures]))
  const clicksBy = new Map(clicked.byLink.map(({ linkId, ...rest }) => [linkId, rest]))
  const links = (await store.listLinks(db, id)).map(({ id: linkId, code, path, campaign }) => ({
    ...{ code, path, campaign },
    ...{ ...NO_FIGURES, ...earnedBy.get(linkId), ...clicksBy.get(linkId) },
  }))
  const earnedByCode = new Map(earnedOf.map(({ codeId, figures }) => [codeId, figures]))
  const codes = (await store.listPartnerCodes(db, id)).map(({ id: codeId, code: name }) => ({
    ...{ code: name, ...NO_EARNED, ...earnedByCode.get(codeId) },
  }))
  const products = await store.sumsByProduct(db, id, span)

  const rates = await listRates(db, id)
  const ownRates = [...new Set(rates.flatMap(({ productId }) => (productId === null ? [] : [productId])))]
  const names = await findProductNames(db, ownRates)
  const lastApproval = await store.findLastApproval(db, id, now)
  const approvals = lastApproval
    ? await store.listApprovals(db, id, now, daysFrom(zone, today, dayIn(zone, lastApproval.getTime())))
    : []
  return {
    asOf: now.toISOString(),
    timeZone: zone,
    from: isoOfDay(first),
    to: isoOfDay(last),
    displayName,
    code,
    // No product has id 0, so this is the general rate.
    rate: rateAt(rates, 0, now),
    productRates: ownRates.map((productId) => ({
      productName: names.get(productId) ?? '',
      rate: rateAt(rates, productId, now),
    })),
    holdingDays: config.commissionHoldingDays,
    balance: {
      ...(await store.balanceOf(db, id, now)),
      approvals: approvals.map(({ day, amount }) => ({ day: isoOfDay(day), amount })),
    },
    totals: {
      clicks: days.reduce((total, { clicks }) => total + clicks, 0),
      carts: days.reduce((total, { carts }) => total + carts, 0),
      orders: days.reduce((total, { orders }) => total + orders, 0),
      sales: sum(days.map(({ sales }) => sales)),
      returned: sum(days.map(({ returned }) => returned)),
      earned: sum(days.map(({ earned }) => earned)),
    },
    days: days.map(({ day, ...figures }) => ({ day: isoOfDay(day), ...figures })),
    products: products.toSorted((a, b) => b.earned - a.earned),
    links: links.toSorted((a, b) => b.earned - a.earned || b.clicks - a.clicks),
    codes: codes.toSorted((a, b) => b.earned - a.earned),
    commissionOn: (await readSiteSettings(db)).commissionOn,
    months: monthsBetween(dayIn(zone, joinedAt.getTime()), today),
  }
}

type Head = Awaited<ReturnType<typeof store.listOrderHeads>>[number]

/** Orders with all their commission entries: everything a partner may see. */
async function ordersOf(
  { db, clock }: Needs<'db' | 'clock'>,
  partnerId: UserId,
  heads: readonly Head[],
): Promise<EarnedOrder[]> {
  if (!heads.length) return []
  const now = clock.now()
  const entries = await store.listEntriesOf(
    db,
    partnerId,
    heads.map(({ orderId }) => orderId),
  )
  return heads.map(({ orderId, orderNumber, link, code, paidAt, approvedFrom, clickedAt, objection }) => {
    const own = entries.filter((entry) => entry.orderId === orderId)
    const sales = own.filter(({ kind }) => kind === 'sale')
    const isPaid = sales.some(({ payoutId }) => payoutId !== null)
    return {
      ...{ orderNumber, link, code, objection },
      paidAt: paidAt.toISOString(),
      clickedAt: clickedAt?.toISOString() ?? null,
      goods: sum(sales.map(({ base }) => base)),
      returned: sum(own.map(({ kind, base }) => (kind === 'sale' ? ZERO : base))),
      earned: sum(own.map(({ amount }) => amount)),
      state: isPaid ? 'paid' : approvedFrom <= now ? 'approved' : 'pending',
      approvedFrom: approvedFrom.toISOString(),
      changes: own.map(({ kind, at, productName, base, rate, amount }) => ({
        ...{ kind, productName, base, rate, amount },
        at: at.toISOString(),
      })),
    }
  })
}

/** @param older number of the previous page's last order; somebody else's order number gives an empty page */
export async function listEarnedOrders(
  shop: Needs<'db' | 'clock'>,
  { id }: Partner,
  older: string | undefined,
): Promise<{ orders: EarnedOrder[]; hasMore: boolean }> {
  const number = older === undefined ? undefined : readOrderNumber(older)
  const last = number && (await store.findOrderHead(shop.db, id, number))
  if (older !== undefined && !last) return { orders: [], hasMore: false }
  const heads = await store.listOrderHeads(shop.db, id, last?.id, ORDERS_A_PAGE + 1)
  const orders = await ordersOf(shop, id, heads.slice(0, ORDERS_A_PAGE))
  return { orders, hasMore: heads.length > ORDERS_A_PAGE }
}

/** Why an order counts for this partner or not. Orders that came another way look the same as unknown ones. */
export async function explainOrder(shop: Needs<'db' | 'clock'>, { id }: Partner, typed: string): Promise<Explanation> {
  const orderNumber = readOrderNumber(typed)
  const unknown = { orderNumber: orderNumber ?? typed, clickedAt: null, link: null, code: null, order: null }
  if (!orderNumber) return { ...unknown, why: 'not_by_your_links' }
  const head = await store.findOrderHead(shop.db, id, orderNumber)
  if (head) {
    const [order] = await ordersOf(shop, id, [head])
    const clickedAt = head.clickedAt?.toISOString() ?? null
    const { link, code } = head
    const why = head.objection ?? (code === null ? 'last_click' : 'code')
    return { orderNumber, why, clickedAt, link, code, order: order ?? null }
  }
  const objected = await store.findObjected(shop.db, id, orderNumber)
  if (!objected?.objection) return { ...unknown, why: 'not_by_your_links' }
  const { objection, clickedAt, link, code } = objected
  return { orderNumber, why: objection, clickedAt: clickedAt.toISOString(), link, code, order: null }
}
