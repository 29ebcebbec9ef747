import { sql, type SQL } from 'drizzle-orm'
import type { Origins, OriginsQuery } from '#contract/reports.ts'
import type { OriginColumn, OriginKind } from '#contract/report-figures.ts'
import { addResults, figureOf, resultOf, type BookedAmounts, type OrderResult } from '#domain/reports/margin.ts'
import type { ReportDays } from '#domain/reports/range.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { cents, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { namesOf, originOf, readsVersions } from './origin-kinds.ts'
import { endRangeNow, readRange, snapshot, type ReportNeeds } from './reports.ts'
import { isRefunded, isShared, keysOfLines, listShared, salesIn, shareOrders, type LineKey } from './shared-orders.ts'
import { inRange, sumSales } from './store.ts'

// Where orders came from, by what was stored with them: no visitor is followed. Visits are sums of a day.

/** A range of a report, with what its groups are told apart by. */
export type OriginRange = { by: OriginKind; range: TimeRange; days: ReportDays; zone: string }

export const lineKeyOf = (by: 'product' | 'collection'): LineKey => ({
  sql: originOf(by, 'UTC').key,
  of: ({ productId, collection }) => (by === 'product' ? String(productId) : collection),
})

/** Orders that belong to one group whole, as `key, id, total, is_refunded`. */
export function ordersBy({ by, range, zone }: OriginRange): SQL {
  const { key, joins, isOfLines } = originOf(by, zone)
  const columns = sql`o.id, o.total_cents as total, ${isRefunded} as is_refunded`
  if (isOfLines)
    return sql`select coalesce(keys.low, '') as key, ${columns} from shop_order o ${keysOfLines(key)}
      where ${salesIn(range)} and not ${isShared}`
  return sql`select ${key} as key, ${columns} from shop_order o ${joins?.(sql`o.checkout_id`) ?? sql``} where ${salesIn(range)}`
}

type Group = { orders: number; refundedOrders: number; revenue: Cents; result: OrderResult }
type StoredGroup = { key: string; orders: number; total: string; refunded: number }
type BookedGroup = { key: string; kind: BookedAmounts['kind']; account: BookedAmounts['account']; amount: string }
type Traffic = { key: string; visits: number; carts: number }

const nothing = resultOf([])

/** What each group of orders brought, by its key. @param only this group */
async function groupsBy(db: Reader, asked: OriginRange, only?: string): Promise<Map<string, Group>> {
  const { rows } = await db.execute<StoredGroup>(sql`
    select key, count(*)::int as orders, sum(total) as total, (count(*) filter (where is_refunded))::int as refunded
    from (${ordersBy(asked)}) ordered ${withKey(only)} group by key`)
  const results = await resultsBy(db, asked, only)
  const groups = new Map(
    rows.map(({ key, orders, total, refunded }): [string, Group] => [
      key,
      { orders, refundedOrders: refunded, revenue: cents(Number(total)), result: results.get(key) ?? nothing },
    ]),
  )
  const { by } = asked
  if (by === 'product' || by === 'collection') {
    const lineKey = lineKeyOf(by)
    for await (const shares of shareOrders(db, lineKey, await listShared(db, lineKey.sql, asked.range, only)))
      for (const ofOrder of Map.groupBy(shares, ({ orderId }) => orderId).values())
        for (const [key, [first, ...others]] of Map.groupBy(ofOrder, ({ key }) => key)) {
          if (!first) continue
          const group = groups.get(key) ?? { orders: 0, refundedOrders: 0, revenue: ZERO, result: nothing }
          groups.set(key, {
            orders: group.orders + 1,
            refundedOrders: group.refundedOrders + (first.isRefunded ? 1 : 0),
            revenue: sum([group.revenue, first.revenue, ...others.map(({ revenue }) => revenue)]),
            result: others.reduce(
              (total, { result }) => addResults(total, result),
              addResults(group.result, first.result),
            ),
          })
        }
  }
  return groups
}

const withKey = (only: string | undefined): SQL => (only === undefined ? sql`` : sql`where ordered.key = ${only}`)

/** What each group of orders of a range brought, largest first. Each order is in exactly one group, or shared to the cent. */
export async function summarizeOrigins(shop: ReportNeeds, { by, ...query }: OriginsQuery): Promise<Origins> {
  const { range, days, asOf, zone } = endRangeNow(readRange(shop, query))
  const asked = { by, range, days, zone }
  return snapshot(shop, async (db) => {
    const groups = await groupsBy(db, asked)
    const traffic = await trafficBy(db, asked)
    const checkouts = await checkoutsBy(db, asked)
    const keys = [...new Set([...groups.keys(), ...(traffic?.keys() ?? []), ...(checkouts?.keys() ?? [])])]
    const nameOf = await namesOf(db, by, keys)
    const rows = keys.map((key) => {
      const { orders = 0, refundedOrders = 0, revenue = ZERO, result = nothing } = groups.get(key) ?? {}
      const seen = traffic?.get(key)
      return {
        ...{ key, name: nameOf(key), orders, refundedOrders, revenue },
        // What has no key is what no link or page was counted for.
        visits: seen?.visits ?? (traffic && key !== '' ? 0 : null),
        carts: seen?.carts ?? (traffic && key !== '' ? 0 : null),
        checkouts: checkouts ? (checkouts.get(key) ?? 0) : null,
        ...shownOf(result),
      }
    })
    const { revenue } = await sumSales(db, range)
    const all = [...groups.values()].reduce((total, { result }) => addResults(total, result), nothing)
    return {
      rows: rows.sort((a, b) => b.revenue - a.revenue || (b.visits ?? 0) - (a.visits ?? 0) || (a.key < b.key ? -1 : 1)),
      total: { revenue: sum(rows.map((row) => row.revenue)), ...shownOf(all) },
      reported: revenue,
      timeZone: zone,
      asOf: asOf.toISOString(),
    }
  })
}

const shownOf = (result: OrderResult) => ({
  net: figureOf(result, 'net'),
  refunded: figureOf(result, 'refunded'),
  commission: figureOf(result, 'commission'),
  margin: figureOf(result, 'margin'),
})

async function resultsBy(db: Reader, asked: OriginRange, only?: string): Promise<Map<string, OrderResult>> {
  const { rows } = await db.execute<BookedGroup>(sql`
    select ordered.key, p.kind, e.account, sum(e.amount_cents) as amount
    from (${ordersBy(asked)}) ordered
    join ledger_posting p on p.order_id = ordered.id
    join ledger_entry e on e.posting_id = p.id
    ${withKey(only)}
    group by ordered.key, p.kind, e.account`)
  const booked = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...booked].map(([key, entries]) => [
      key,
      resultOf(entries.map(({ kind, account, amount }) => ({ kind, account, amount: cents(Number(amount)) }))),
    ]),
  )
}

/** Whether a day of `visit_count v` is in the range. */
export const inDays = ({ from, to }: ReportDays): SQL =>
  sql`${from === null ? sql`true` : sql`v.day >= ${isoOfDay(from)}::date`} and ${to === null ? sql`true` : sql`v.day <= ${isoOfDay(to)}::date`}`

/**
 * Clicks of links, but not the partner's own, and how many of them put something into a cart; pages of products and what was put into
 * carts; visits and carts. Undefined where nothing tells them apart.
 */
async function trafficBy(db: Reader, { by, range, days }: OriginRange): Promise<Map<string, Traffic> | undefined> {
  const clicks = (key: SQL) => sql`
    select ${key} as key, count(*)::int as visits, count(c.carted_at)::int as carts
    from affiliate_click c
    join affiliate_link li on li.id = c.link_id
    join partner pa on pa.id = li.partner_id
    where not c.is_own and ${inRange(sql`c.clicked_at`, range)} and ${key} <> ''
    group by 1`
  const counts = (key: SQL, [visit, cart]: readonly [string, string], joins = sql``) => sql`
    select ${key} as key, coalesce(sum(count) filter (where step = ${visit}), 0)::int as visits,
      coalesce(sum(count) filter (where step = ${cart}), 0)::int as carts
    from visit_count v ${joins} where step in (${visit}, ${cart}) and ${inDays(days)} group by 1`
  const ofProduct = sql`join product p on p.id = v.about`
  const queries: Partial<Record<OriginKind, SQL>> = {
    partner: clicks(sql`pa.code`),
    link: clicks(sql`li.code`),
    campaign: clicks(sql`li.campaign`),
    product: counts(sql`p.id::text`, ['view', 'carted'], ofProduct),
    collection: counts(sql`p.collection`, ['view', 'carted'], ofProduct),
    device: counts(sql`v.device`, ['visit', 'cart']),
    day: counts(sql`v.day::text`, ['visit', 'cart']),
  }
  const query = queries[by]
  if (!query) return undefined
  const { rows } = await db.execute<Traffic>(query)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Checkouts whose payment was started, by what is known of them; undefined where nothing tells them apart. */
async function checkoutsBy(db: Reader, { by, range, zone }: OriginRange): Promise<Map<string, number> | undefined> {
  const { checkoutKey, joins, isOfLines } = originOf(by, zone)
  if (!checkoutKey) return undefined
  const version = readsVersions(by)
    ? sql`join checkout_version v on v.checkout_id = c.id and v.quote_hash = c.quote_hash`
    : sql``
  const lines = isOfLines ? sql`cross join lateral jsonb_array_elements(v.frozen -> 'lines') line` : sql``
  const { rows } = await db.execute<{ key: string; checkouts: number }>(sql`
    select ${checkoutKey} as key, count(distinct c.id)::int as checkouts
    from checkout c ${version} ${lines} ${joins?.(sql`c.id`) ?? sql``}
    where ${inRange(sql`c.created_at`, range)} group by 1`)
  return new Map(rows.map(({ key, checkouts }) => [key, checkouts]))
}

/** A figure of a group of orders, as the report shows it, and by the ledger. */
export async function sumOfOrigin(
  db: Reader,
  { key, column, ...asked }: OriginRange & { key: string; column: OriginColumn },
): Promise<{ reported: Cents; booked: Cents }> {
  const { revenue = ZERO, result = nothing } = (await groupsBy(db, asked, key)).get(key) ?? {}
  if (column !== 'revenue') return { reported: figureOf(result, column), booked: figureOf(result, column) }
  return { reported: revenue, booked: result.paid }
}
