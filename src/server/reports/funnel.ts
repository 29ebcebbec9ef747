import { sql } from 'drizzle-orm'
import type { Funnel, ReportQuery } from '#contract/reports.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import type { ReportDays } from '#domain/reports/range.ts'
import { funnelSteps, type CheckoutStop, type Device, type FunnelStep, type Source } from '#domain/visits/visits.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { cents } from '#shared/money.ts'
import { startOfDay } from '#shared/time-zone.ts'
import type { Reader } from '#server/db/db.ts'
import { inDays } from './origins.ts'
import { endRangeNow, readRange, snapshot, type ReportNeeds } from './reports.ts'
import { inRange } from './store.ts'

/** From visits to paid orders. Steps are counted apart; nobody is followed from one to the next. */
export async function summarizeFunnel(shop: ReportNeeds, query: ReportQuery): Promise<Funnel> {
  const asked = endRangeNow(readRange(shop, query))
  const { zone, asOf } = asked
  return snapshot(shop, async (db) => {
    const countedFrom = await findFirstDay(db, asked.days)
    // Payments of days without counted visits would make it look as if nobody left.
    const days = { from: countedFrom ?? asked.days.from, to: asked.days.to }
    const since = countedFrom === null ? asked.range.since : startOfDay(zone, countedFrom)
    const range = { since, until: asked.range.until }
    return {
      steps: await sumSteps(db, days, range),
      sources: await sumSources(db, days),
      stops: await sumStops(db, range),
      soldOut: await listSoldOut(db, days, range),
      misses: await countMisses(db, days),
      countedFrom: countedFrom === null ? null : isoOfDay(countedFrom),
      today: isoOfDay(asked.today),
      timeZone: zone,
      asOf: asOf.toISOString(),
    }
  })
}

async function findFirstDay(db: Reader, days: ReportDays): Promise<number | null> {
  const { rows } = await db.execute<{ day: string | null }>(
    sql`select min(day)::text as day from visit_count v where ${inDays(days)}`,
  )
  return dayFromIso(rows[0]?.day ?? '') ?? null
}

type StepCount = { step: FunnelStep; device: Device | null; count: number }

async function sumSteps(db: Reader, days: ReportDays, range: TimeRange): Promise<Funnel['steps']> {
  const { rows } = await db.execute<StepCount>(sql`
    select step, device, sum(count)::int as count from visit_count v
    where step in ('visit', 'product', 'cart', 'checkout', 'priced') and ${inDays(days)} group by step, device
    union all
    select reached, device, count(*)::int
    from checkout c cross join lateral (values ('payment'), ('paid')) s(reached)
    where ${inRange(sql`c.created_at`, range)} and (reached = 'payment' or c.state = 'paid') group by reached, device`)
  return funnelSteps.map((step) => {
    const ofStep = rows.filter((row) => row.step === step)
    const of = (device?: Device) =>
      ofStep.reduce((total, row) => total + (device === undefined || row.device === device ? row.count : 0), 0)
    return { step, all: of(), phone: of('phone'), tablet: of('tablet'), computer: of('computer') }
  })
}

async function sumSources(db: Reader, days: ReportDays): Promise<Funnel['sources']> {
  const { rows } = await db.execute<{ source: Source; visits: number }>(sql`
    select source, sum(count)::int as visits from visit_count v
    where step = 'visit' and source <> '' and ${inDays(days)} group by source order by visits desc, source`)
  return rows
}

/** Declines are kept for a week; what was declined before that counts as left at the form. */
async function sumStops(db: Reader, range: TimeRange): Promise<Funnel['stops']> {
  const { rows } = await db.execute<{ stop: CheckoutStop; checkouts: number; amount: string }>(sql`
    select case
        when c.state = 'held' then 'held'
        when c.state = 'exception' then 'exception'
        when exists (select from wallet_order w where w.checkout_id = c.id and w.refusals > 0) then 'refused'
        when exists (select from card_decline d where d.checkout_id = c.id) then 'declined'
        when exists (select from wallet_order w where w.checkout_id = c.id) then 'wallet'
        when c.provider_payment_id is not null then 'form'
        else 'not_started' end as stop,
      count(*)::int as checkouts, sum(c.total_cents) as amount
    from checkout c where c.state <> 'paid' and ${inRange(sql`c.created_at`, range)} group by 1 order by 2 desc, 1`)
  return rows.map(({ amount, ...row }) => ({ ...row, amount: cents(Number(amount)) }))
}

type StoredSoldOut = {
  variant_id: string
  product_id: number
  product_name: string
  color: string | null
  size: string | null
  is_back: boolean
  views: number
  presses: number
  price: string
  pressed_value: string
  usual_value: string
}

const LISTED_MAX = 100

async function listSoldOut(db: Reader, days: ReportDays, range: TimeRange): Promise<Funnel['soldOut']> {
  const { rows } = await db.execute<StoredSoldOut>(sql`
    with usual as (
      select (select coalesce(sum(l.quantity), 0) from order_line l join shop_order o on o.id = l.order_id
          where o.total_cents > 0 and ${inRange(sql`o.created_at`, range)})::numeric as pieces,
        (select coalesce(sum(count), 0) from visit_count v where step = 'view' and ${inDays(days)})::numeric as views),
    missed as (
      select about, coalesce(sum(count) filter (where step = 'sold_out_view'), 0)::int as views,
        coalesce(sum(count) filter (where step = 'sold_out_press'), 0)::int as presses
      from visit_count v where step in ('sold_out_view', 'sold_out_press') and ${inDays(days)} group by about)
    select s.id as variant_id, s.product_id, s.product_name, s.color, s.size, s.available as is_back, m.views, m.presses,
      s.unit_price_cents as price, m.presses * s.unit_price_cents as pressed_value,
      round(coalesce(m.views * least(u.pieces / nullif(u.views, 0), 1), 0) * s.unit_price_cents) as usual_value
    from missed m join variant_as_sold s on s.id = m.about cross join usual u
    order by greatest(m.presses * s.unit_price_cents, m.views) desc, s.id limit ${LISTED_MAX}`)
  return rows.map((row) => ({
    variantId: Number(row.variant_id),
    productId: row.product_id,
    name: [row.product_name, variantNameOf(row.color, row.size)].filter(Boolean).join(', '),
    isBack: row.is_back,
    views: row.views,
    presses: row.presses,
    price: cents(Number(row.price)),
    pressedValue: cents(Number(row.pressed_value)),
    usualValue: cents(Number(row.usual_value)),
  }))
}

async function countMisses(db: Reader, days: ReportDays): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select coalesce(sum(count), 0)::int as count from search_miss v where ${inDays(days)}`,
  )
  return rows[0]?.count ?? 0
}
