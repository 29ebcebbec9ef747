import { sql, type SQL } from 'drizzle-orm'
import type { OriginColumn } from '#contract/report-figures.ts'
import type { ReportLine, ReportLines } from '#contract/reports.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import { entriesOfFigure, figureOf, type BookedFigure } from '#domain/reports/margin.ts'
import { sum, type Cents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { namesOf, originOf } from './origin-kinds.ts'
import { lineKeyOf, ordersBy, sumOfOrigin, type OriginRange } from './origins.ts'
import { hasLine, listShared, salesIn, shareOrders, type LineKey, type Share } from './shared-orders.ts'
import { selectLines, sumLines } from './store.ts'

type Asked = OriginRange & { key: string; column: OriginColumn }
type Mark = Parameters<typeof selectLines>[2]
type Answer = Omit<ReportLines, 'next' | 'timeZone' | 'asOf'>

/** The lines of a group of orders: its orders, or the ledger's entries of a figure. Of a product, its share of each order. */
export async function listOriginLines(db: Reader, asked: Asked, mark: Mark, limit: number): Promise<Answer> {
  const { by, key, column } = asked
  const sums = await sumOfOrigin(db, asked)
  const name = (await namesOf(db, by, [key]))(key)
  if (by === 'product' || by === 'collection')
    return { name, ...(await listShares(db, asked, lineKeyOf(by), mark, limit)), ...sums }
  const lines = column === 'revenue' ? ordersOf(asked) : entriesOf(asked, column)
  const found = await selectLines(db, lines, mark, limit)
  const total = await sumLines(db, lines)
  if (column === 'revenue') return { name, lines: found, ...total, ...sums }
  return { name, lines: found.map(named), ...total, ...sums }
}

/** An entry says `refund|revenue:merchandise`. */
function named(line: ReportLine): ReportLine {
  const [kind = '', account = ''] = line.what.split('|')
  const words = `${postingLabel(kind)}: ${accountLabel(account)}`
  return { ...line, what: words.slice(0, 1).toUpperCase() + words.slice(1) }
}

const orderColumns = sql`o.created_at as at, o.id::text as id, o.customer_name as what, o.order_number, o.payment_key, null as provider_id`

function ordersOf({ by, key, range, zone }: Asked): SQL {
  const { key: keyOf, joins } = originOf(by, zone)
  return sql`select ${orderColumns}, o.total_cents as amount
    from shop_order o ${joins?.(sql`o.checkout_id`) ?? sql``} where ${salesIn(range)} and ${keyOf} = ${key}`
}

const among = (column: SQL, words: readonly string[]) => sql`${column} = any(${sql.param([...words])}::text[])`

function entriesOf({ key, ...asked }: Asked, figure: BookedFigure): SQL {
  const { sold, spent, sign } = entriesOfFigure[figure]
  return sql`
    select p.booked_at as at, p.id || ':' || e.account as id, p.kind || '|' || e.account as what, o.order_number, p.payment_key,
      null as provider_id, ${sql.raw(String(sign))} * e.amount_cents as amount
    from (${ordersBy(asked)}) ordered
    join shop_order o on o.id = ordered.id
    join ledger_posting p on p.order_id = ordered.id
    join ledger_entry e on e.posting_id = p.id
    where ordered.key = ${key} and (
      (${among(sql`e.account`, sold.accounts)} and ${among(sql`p.kind`, sold.kinds)}) or ${among(sql`e.account`, spent)})`
}

/** Orders that have the product, or something of the collection, each with its share. */
async function listShares(
  db: Reader,
  asked: Asked,
  lineKey: LineKey,
  mark: Mark,
  limit: number,
): Promise<{ lines: ReportLine[]; count: number; total: Cents }> {
  const { key, column, range } = asked
  const orders = sql`select ${orderColumns}, o.total_cents as amount
    from shop_order o where ${salesIn(range)} and ${hasLine(sql`${lineKey.sql} = ${key}`)}`
  const { count } = await sumLines(db, orders)
  const page = await selectLines(db, orders, mark, limit)
  const amounts = await amountsOf(
    db,
    asked,
    lineKey,
    page.map(({ id }) => Number(id)),
  )
  const whole =
    column === 'revenue' ? await sumLines(db, wholeOrdersOf(asked)) : await sumLines(db, entriesOf(asked, column))
  const shared = await amountsOf(db, asked, lineKey, await listShared(db, lineKey.sql, range, key))
  return {
    lines: page.map((line) => ({ ...line, amount: amounts.get(line.id) ?? line.amount })),
    count,
    total: sum([whole.total, ...shared.values()]),
  }
}

const wholeOrdersOf = ({ key, ...asked }: Asked): SQL =>
  sql`select total as amount from (${ordersBy(asked)}) ordered where key = ${key}`

/** The group's part of each of these orders, by the order's id. */
async function amountsOf(
  db: Reader,
  { key, column }: Asked,
  lineKey: LineKey,
  ids: readonly number[],
): Promise<Map<string, Cents>> {
  const amount = ({ revenue, result }: Share) => (column === 'revenue' ? revenue : figureOf(result, column))
  const amounts = new Map<string, Cents>()
  for await (const shares of shareOrders(db, lineKey, ids as Share['orderId'][]))
    for (const [order, own] of Map.groupBy(
      shares.filter((share) => share.key === key),
      ({ orderId }) => String(orderId),
    ))
      amounts.set(order, sum(own.map(amount)))
  return amounts
}
