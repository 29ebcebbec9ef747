import { sql, type SQL } from 'drizzle-orm'
import type { Origins, OriginsQuery } from '#contract/reports.ts'
import type { OriginKind } from '#contract/report-figures.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { addResults, resultOf, type BookedAmounts, type OrderResult } from '#domain/reports/margin.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import { cents, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { endRangeNow, readRange, snapshot, type ReportNeeds } from './reports.ts'
import { inRange, sumSales } from './store.ts'

// Where orders came from, by what was stored with them: no cookie and no visitor is counted beyond the clicks of partners' links.

type Origin = {
  /** What tells groups apart, of order `o`; empty for orders without it. */
  key: SQL
  joins: SQL
  /** Of a key that is not empty. */
  name: (key: string) => string
  without: string
}

const attributed = sql`left join attribution a on a.checkout_id = o.checkout_id`
const linked = sql`${attributed} left join affiliate_link li on li.id = a.link_id`
const providerNames: Readonly<Record<string, string>> = { stripe: 'Card (Stripe)', paypal: 'PayPal' }

export const originsOf: Readonly<Record<OriginKind, Origin>> = {
  partner: {
    key: sql`coalesce(pa.code, '')`,
    joins: sql`${attributed} left join partner pa on pa.id = a.partner_id`,
    name: (key) => key,
    without: 'Nobody’s link or code',
  },
  link: {
    key: sql`coalesce(li.code, '')`,
    joins: linked,
    name: (key) => `/r/${key}`,
    without: 'No link',
  },
  campaign: {
    key: sql`coalesce(li.campaign, '')`,
    joins: linked,
    name: (key) => key,
    without: 'No campaign',
  },
  code: {
    key: sql`coalesce((select string_agg(d ->> 'code', ' + ' order by place) from jsonb_array_elements(o.discounts) with ordinality as ds(d, place)), '')`,
    joins: sql``,
    name: (key) => key,
    without: 'No discount',
  },
  country: {
    key: sql`coalesce(o.shipping_address ->> 'country', '')`,
    joins: sql``,
    name: countryName,
    without: 'Erased',
  },
  payment: {
    key: sql`coalesce(split_part(o.payment_key, ':', 1), '')`,
    joins: sql``,
    name: (key) => providerNames[key] ?? key,
    without: 'Gift card alone',
  },
}

/** Orders with their key, as `key, id, total, is_refunded`. */
const ordersBy = (by: OriginKind, range: TimeRange): SQL => sql`
  select ${originsOf[by].key} as key, o.id, o.total_cents as total,
    exists (select 1 from refund r where r.order_id = o.id and r.booked_at is not null and r.reversed_at is null) as is_refunded
  from shop_order o ${originsOf[by].joins}
  where o.total_cents > 0 and ${inRange(sql`o.created_at`, range)}`

type Group = { key: string; orders: number; total: string; refunded: number }
type BookedGroup = { key: string; kind: BookedAmounts['kind']; account: BookedAmounts['account']; amount: string }
type Clicks = { key: string; clicks: number; carts: number }

/** What each group of orders of a range brought, largest first. Each order is in exactly one group. */
export async function summarizeOrigins(shop: ReportNeeds, { by, ...query }: OriginsQuery): Promise<Origins> {
  const { range, asOf, zone } = endRangeNow(readRange(shop, query))
  return snapshot(shop, async (db) => {
    const { rows: groups } = await db.execute<Group>(sql`
      select key, count(*)::int as orders, sum(total) as total, (count(*) filter (where is_refunded))::int as refunded
      from (${ordersBy(by, range)}) ordered group by key order by sum(total) desc, key collate "C"`)
    const results = await resultsBy(db, by, range)
    const clicks = await clicksBy(db, by, range)
    const rows = groups.map(({ key, orders, total, refunded }) => {
      const result = results.get(key) ?? resultOf([])
      const clicked = clicks.get(key)
      return {
        ...{ key, name: key ? originsOf[by].name(key) : originsOf[by].without, orders, refundedOrders: refunded },
        ...{ clicks: clicked?.clicks ?? null, carts: clicked?.carts ?? null },
        ...{ revenue: cents(Number(total)), ...shownOf(result) },
      }
    })
    const { revenue } = await sumSales(db, range)
    const all = [...results.values()].reduce<OrderResult | undefined>((total, one) => addResults(total, one), undefined)
    return {
      rows,
      total: { revenue: sum(rows.map((row) => row.revenue)), ...shownOf(all ?? resultOf([])) },
      reported: revenue,
      timeZone: zone,
      asOf: asOf.toISOString(),
    }
  })
}

const shownOf = ({ refunded, refundedTax, commission, margin }: OrderResult) => ({
  refunded: plus(refunded, refundedTax),
  commission,
  margin,
})

async function resultsBy(db: Reader, by: OriginKind, range: TimeRange): Promise<Map<string, OrderResult>> {
  const { rows } = await db.execute<BookedGroup>(sql`
    select ordered.key, p.kind, e.account, sum(e.amount_cents) as amount
    from (${ordersBy(by, range)}) ordered
    join ledger_posting p on p.order_id = ordered.id
    join ledger_entry e on e.posting_id = p.id
    group by ordered.key, p.kind, e.account`)
  const booked = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...booked].map(([key, entries]) => [
      key,
      resultOf(entries.map(({ kind, account, amount }) => ({ kind, account, amount: cents(Number(amount)) }))),
    ]),
  )
}

const clickKeys: Partial<Record<OriginKind, SQL>> = {
  partner: sql`pa.code`,
  link: sql`li.code`,
  campaign: sql`li.campaign`,
}

/** Clicks of links in the range, but not the partner's own, and how many of them put something into a cart. */
async function clicksBy(db: Reader, by: OriginKind, range: TimeRange): Promise<Map<string, Clicks>> {
  const key = clickKeys[by]
  if (!key) return new Map()
  const { rows } = await db.execute<Clicks>(sql`
    select ${key} as key, count(*)::int as clicks, count(c.carted_at)::int as carts
    from affiliate_click c
    join affiliate_link li on li.id = c.link_id
    join partner pa on pa.id = li.partner_id
    where not c.is_own and ${inRange(sql`c.clicked_at`, range)} and ${key} <> ''
    group by 1`)
  return new Map(rows.map((row) => [row.key, row]))
}

/** What a group of orders was paid, by the report and by the ledger. */
export async function sumOfOrigin(
  db: Reader,
  { by, key }: { by: OriginKind; key: string },
  range: TimeRange,
): Promise<{ reported: Cents; booked: Cents }> {
  const { rows } = await db.execute<{ total: string | null }>(
    sql`select sum(total) as total from (${ordersBy(by, range)}) ordered where key = ${key}`,
  )
  const booked = (await resultsBy(db, by, range)).get(key)
  return { reported: cents(Number(rows[0]?.total ?? 0)), booked: booked?.paid ?? ZERO }
}
