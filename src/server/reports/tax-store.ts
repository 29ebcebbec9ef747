import { sql, type SQL } from 'drizzle-orm'
import { addTax, NO_TAX, type TaxPart } from '#domain/tax/bookings.ts'
import type { EuropeanSum, TaxRow, TaxSums } from '#domain/tax/layouts.ts'
import { quarterOf } from '#domain/tax/periods.ts'
import type { SalesOfPlace } from '#domain/tax/thresholds.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { cents, minus, negate, type Cents } from '#shared/money.ts'
import { dateOf } from '#shared/time.ts'
import type { TimeZone } from '#shared/time-zone.ts'
import type { Reader } from '#server/db/db.ts'
import type { TaxFigure } from '#contract/tax-paths.ts'

/** From `from` (included) to `until` (excluded). */
export type Span = { from: Date; until: Date }

const inSpan = (column: SQL, { from, until }: Span): SQL =>
  sql`${column} >= ${from.toISOString()}::timestamptz and ${column} < ${until.toISOString()}::timestamptz`

const bookedIn = (span: Span): SQL => inSpan(sql`b.booked_at`, span)

/** The database returns sums of integers as text. */
const amountOf = (text: string | null | undefined): Cents => cents(Number(text ?? 0))

/** What names the rates of a booking: `vat 19`, `sales_tax 0.375+sales_tax 4+sales_tax 4.5`. */
const RATES = sql`(
  select coalesce(string_agg(part->>'type' || ' ' || (part->>'percentage'), '+' order by part->>'type' collate "C", part->>'percentage' collate "C"), '')
  from jsonb_array_elements(b.parts) part)`

const IS_REFUND = sql`(b.kind = 'refund')`

const partOfKey = (key: string): Pick<TaxPart, 'type' | 'percentage'> => {
  const space = key.indexOf(' ')
  return { type: key.slice(0, space), percentage: key.slice(space + 1) }
}

/** The rates that a key of `RATES` names, highest first. */
const partsOfKey = (rates: string): Pick<TaxPart, 'type' | 'percentage'>[] =>
  rates === ''
    ? []
    : rates
        .split('+')
        .map(partOfKey)
        .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : Number(b.percentage) - Number(a.percentage)))

export type KeyedTaxRow = TaxRow & { rates: string }

type SumRow = {
  country: string
  state: string
  rates: string
  is_refund: boolean
  orders: number
  net: string
  tax: string
  vat_protection: string
}
type PartRow = {
  country: string
  state: string
  rates: string
  is_refund: boolean
  part: string
  taxable: string
  tax: string
}

const keyOf = ({ country, state, rates }: Pick<SumRow, 'country' | 'state' | 'rates'>): string =>
  `${country} ${state} ${rates}`

/** A period's bookings by place and rates. What changes of orders did counts as sold; refunds are positive. */
export async function sumTax(db: Reader, span: Span): Promise<KeyedTaxRow[]> {
  const booked = sql`with booked as (
    select b.country, b.state, ${RATES} as rates, ${IS_REFUND} as is_refund, b.kind, b.net_cents, b.tax_cents, b.vat_protection_cents, b.parts
    from tax_booking b where ${bookedIn(span)})`
  const { rows: sums } = await db.execute<SumRow>(sql`${booked}
    select country, state, rates, is_refund, count(*) filter (where kind = 'sale')::int as orders, sum(net_cents) as net,
      sum(tax_cents) as tax, sum(vat_protection_cents) as vat_protection
    from booked group by country, state, rates, is_refund order by country, state, rates`)
  const { rows: parts } = await db.execute<PartRow>(sql`${booked}
    select country, state, rates, is_refund, part->>'type' || ' ' || (part->>'percentage') as part,
      sum((part->>'taxable')::bigint) as taxable, sum((part->>'tax')::bigint) as tax
    from booked cross join jsonb_array_elements(parts) part group by country, state, rates, is_refund, part->>'type' || ' ' || (part->>'percentage')`)
  const sumsOf = (row: SumRow | undefined, rates: string, isRefund: boolean): TaxSums => {
    const signed = isRefund ? negate : (amount: Cents) => amount
    const ofRow = row ? parts.filter((part) => part.is_refund === isRefund && keyOf(part) === keyOf(row)) : []
    return {
      orders: row?.orders ?? 0,
      net: signed(amountOf(row?.net)),
      tax: signed(amountOf(row?.tax)),
      vatProtection: signed(amountOf(row?.vat_protection)),
      parts: partsOfKey(rates).map((part) => {
        const found = ofRow.find(({ part: key }) => key === `${part.type} ${part.percentage}`)
        return { ...part, taxable: signed(amountOf(found?.taxable)), tax: signed(amountOf(found?.tax)) }
      }),
    }
  }
  return [...Map.groupBy(sums, keyOf).values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const { country, state, rates } = first
    const sold = alike.find((row) => !row.is_refund)
    const refunded = alike.find((row) => row.is_refund)
    return [{ country, state, rates, sold: sumsOf(sold, rates, false), refunded: sumsOf(refunded, rates, true) }]
  })
}

export const totalOf = (sums: readonly TaxSums[]): TaxSums => ({
  ...sums.reduce(addTax, NO_TAX),
  orders: sums.reduce((all, { orders }) => all + orders, 0),
})

/** When the first booking was made. */
export async function findFirstTaxAt(db: Reader): Promise<Date | undefined> {
  const { rows } = await db.execute<{ at: string | null }>(
    sql`select floor(extract(epoch from min(booked_at)) * 1000)::bigint as at from tax_booking`,
  )
  const at = rows[0]?.at ?? null
  return at === null ? undefined : dateOf(Number(at))
}

export type TaxDifference = {
  orderNumber: OrderNumber | null
  theirs: Cents
  report: Cents
  /** Over all time. */
  theirsEver: Cents
  reportEver: Cents
  taxReport: 'waiting' | 'reported' | 'not_reported' | null
}
export type TaxComparison = { total: Cents; report: Cents; count: number; differences: TaxDifference[] }

/** The ledger's entries on the tax account, as the report signs them. */
const LEDGER = sql`
  select p.order_id, -e.amount_cents as cents, p.booked_at as at
  from ledger_entry e join ledger_posting p on p.id = e.posting_id where e.account = 'liability:tax'`

/** The tax source's transactions. */
const SOURCE = sql`select t.order_id, t.tax_cents as cents, t.posted_at as at from tax_transaction t`

/** A period's tax in another book and in the report, by order. */
export async function compareTax(
  db: Reader,
  span: Span,
  book: 'ledger' | 'source',
  limit: number,
): Promise<TaxComparison> {
  const theirs = book === 'ledger' ? LEDGER : SOURCE
  const byOrder = sql`
    select order_id, sum(theirs)::bigint as theirs, sum(report)::bigint as report from (
      select order_id, cents as theirs, 0 as report from (${theirs}) them where ${inSpan(sql`at`, span)}
      union all
      select b.order_id, 0, b.tax_cents from tax_booking b where ${bookedIn(span)}) both_books
    group by order_id`
  const { rows } = await db.execute<{ total: string | null; report: string | null; count: number }>(sql`
    select sum(theirs) as total, sum(report) as report, count(*) filter (where theirs <> report)::int as count from (${byOrder}) o`)
  const { rows: differing } = await db.execute<{
    order_number: OrderNumber | null
    theirs: string
    report: string
    theirs_ever: string | null
    report_ever: string | null
    tax_report: TaxDifference['taxReport']
  }>(sql`
    select s.order_number, d.theirs, d.report, s.tax_report,
      (select sum(cents) from (${theirs}) them where them.order_id = d.order_id) as theirs_ever,
      (select sum(b.tax_cents) from tax_booking b where b.order_id = d.order_id) as report_ever
    from (${byOrder}) d left join shop_order s on s.id = d.order_id
    where d.theirs <> d.report order by abs(d.theirs - d.report) desc, d.order_id limit ${limit}`)
  return {
    total: amountOf(rows[0]?.total),
    report: amountOf(rows[0]?.report),
    count: rows[0]?.count ?? 0,
    differences: differing.map((row) => ({
      orderNumber: row.order_number,
      theirs: amountOf(row.theirs),
      report: amountOf(row.report),
      theirsEver: amountOf(row.theirs_ever),
      reportEver: amountOf(row.report_ever),
      taxReport: row.tax_report,
    })),
  }
}

type StoredTaxLine = {
  id: string
  at: string
  kind: string
  country: string
  state: string
  rates: string
  order_number: OrderNumber
  net: string
  tax: string
}

const isFigure = ({
  kind,
  country,
  state,
  rates,
}: { [Name in keyof TaxFigure]: TaxFigure[Name] | undefined }): SQL => sql`
  ${kind === undefined ? sql`true` : sql`${IS_REFUND} = ${kind === 'refunded'}`}
  and ${country === undefined ? sql`true` : sql`b.country = ${country}`}
  and ${state === undefined ? sql`true` : sql`b.state = ${state}`}
  and ${rates === undefined ? sql`true` : sql`${RATES} = ${rates}`}`

export type TaxLineRequest = Span & { [Name in keyof TaxFigure]: TaxFigure[Name] | undefined }

/** Bookings, latest first. @param before the last one's id of the page before */
export async function selectTaxLines(db: Reader, request: TaxLineRequest, before: number | undefined, limit: number) {
  const { rows } = await db.execute<StoredTaxLine>(sql`
    select b.id, floor(extract(epoch from b.booked_at) * 1000)::bigint as at, b.kind, b.country, b.state, ${RATES} as rates,
      o.order_number, b.net_cents as net, b.tax_cents as tax
    from tax_booking b join shop_order o on o.id = b.order_id
    where ${bookedIn(request)} and ${isFigure(request)} and ${before === undefined ? sql`true` : sql`b.id < ${before}`}
    order by b.id desc limit ${limit}`)
  return rows.map(({ id, at, order_number: orderNumber, net, tax, kind, country, state, rates }) => ({
    ...{ id: Number(id), at: dateOf(Number(at)), orderNumber, kind, country, state },
    ...{ parts: partsOfKey(rates), net: amountOf(net), tax: amountOf(tax) },
  }))
}

export async function sumTaxLines(
  db: Reader,
  request: TaxLineRequest,
): Promise<{ count: number; net: Cents; tax: Cents }> {
  const { rows } = await db.execute<{ count: number; net: string | null; tax: string | null }>(sql`
    select count(*)::int as count, sum(b.net_cents) as net, sum(b.tax_cents) as tax from tax_booking b
    where ${bookedIn(request)} and ${isFigure(request)}`)
  return { count: rows[0]?.count ?? 0, net: amountOf(rows[0]?.net), tax: amountOf(rows[0]?.tax) }
}

/** Sales by place in three spans, before refunds. */
export async function sumForThresholds(
  db: Reader,
  { thisYear, previousYear, twelveMonths }: Record<'thisYear' | 'previousYear' | 'twelveMonths', Span>,
): Promise<SalesOfPlace[]> {
  const spans = [thisYear, previousYear, twelveMonths]
  const columns = spans.map((span, index) => {
    const name = ['this', 'previous', 'twelve'][index] ?? ''
    return sql`sum(b.net_cents) filter (where ${bookedIn(span)}) as ${sql.identifier(`${name}_net`)},
      count(*) filter (where b.kind = 'sale' and ${bookedIn(span)})::int as ${sql.identifier(`${name}_orders`)}`
  })
  const from = dateOf(Math.min(...spans.map((span) => span.from.getTime())))
  const { rows } = await db.execute<Record<string, string | number | null> & { country: string; state: string }>(sql`
    select b.country, b.state, ${sql.join(columns, sql`, `)} from tax_booking b
    where b.kind <> 'refund' and b.booked_at >= ${from.toISOString()}::timestamptz group by b.country, b.state`)
  const counted = (row: Record<string, string | number | null>, name: string) => ({
    net: cents(Number(row[`${name}_net`] ?? 0)),
    orders: Number(row[`${name}_orders`] ?? 0),
  })
  return rows.map((row) => ({
    country: row.country,
    state: row.state,
    thisYear: counted(row, 'this'),
    previousYear: counted(row, 'previous'),
    twelveMonths: counted(row, 'twelve'),
  }))
}

/** A period's tax by country and rate, by the quarter in which the order was placed. @param zone of the quarters */
export async function sumByQuarter(db: Reader, span: Span, zone: TimeZone): Promise<EuropeanSum[]> {
  const { rows } = await db.execute<{
    country: string
    type: string
    percentage: string
    month: string
    taxable: string
    tax: string
  }>(sql`
    select b.country, part->>'type' as type, part->>'percentage' as percentage,
      to_char(date_trunc('quarter', o.created_at at time zone ${zone}), 'YYYY-MM') as month,
      sum((part->>'taxable')::bigint) as taxable, sum((part->>'tax')::bigint) as tax
    from tax_booking b join shop_order o on o.id = b.order_id cross join jsonb_array_elements(b.parts) part
    where ${bookedIn(span)} group by 1, 2, 3, 4 order by 1, 3, 2, 4`)
  return rows.map(({ country, type, percentage, month, taxable, tax }) => ({
    ...{ country, type, percentage, placedIn: quarterOf(month) },
    ...{ taxable: amountOf(taxable), tax: amountOf(tax) },
  }))
}

export const differenceOf = ({ total, report }: Pick<TaxComparison, 'total' | 'report'>): Cents => minus(total, report)
