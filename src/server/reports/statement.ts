import type { Statement } from '#contract/earnings.ts'
import { closingBalanceOf, type StatementSums } from '#domain/partners/statement.ts'
import { readOrderNumber, type UserId } from '#shared/ids.ts'
import { minus, plus, sum } from '#shared/money.ts'
import type { Month } from '#shared/month.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findMonthSpan } from '#server/ledger/month-closings.ts'
import type { Needs } from '#server/shop.ts'
import {
  entrySums,
  findEntry,
  listEntriesOf,
  listPayoutsBefore,
  listStatementLines,
  type Span,
} from './earnings-store.ts'
import type { Partner } from '#server/partners/partner.ts'

const LINES_A_PAGE = 200
const LINES_A_BATCH = 1000

/** @throws Refusal `unknown_statement` for an invalid or future month */
export async function spanOfMonth(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  month: Month,
): Promise<Span> {
  const span = await findMonthSpan(db, config.reportTimeZone, month)
  if (!span || span.from > clock.now()) throw new Refusal('unknown_statement')
  return span
}

type Payouts = Awaited<ReturnType<typeof listPayoutsBefore>>

/** A month's sums. Entries never change, so neither do the sums of a past month. */
async function sumsOf(
  db: Reader,
  partnerId: UserId,
  { from, until }: Span,
): Promise<{ sums: StatementSums; payouts: Payouts }> {
  const { before, earned, takenBack } = await entrySums(db, partnerId, { from, until })
  const payouts = await listPayoutsBefore(db, partnerId, until)
  const isIn = (at: Date | null) => at !== null && at >= from && at < until
  const isBefore = (at: Date | null) => at !== null && at < from
  const amountOf = (selected: Payouts) => sum(selected.map(({ amountCents }) => amountCents))
  const madeBefore = amountOf(payouts.filter(({ madeAt }) => isBefore(madeAt)))
  const backBefore = amountOf(payouts.filter(({ returnedAt }) => isBefore(returnedAt)))
  const sums = {
    opening: plus(minus(before, madeBefore), backBefore),
    earned,
    takenBack,
    paidOut: amountOf(payouts.filter(({ madeAt }) => isIn(madeAt))),
    paidBack: amountOf(payouts.filter(({ returnedAt }) => isIn(returnedAt))),
  }
  const ofMonth = payouts.filter(({ madeAt, returnedAt }) => isIn(madeAt) || isIn(returnedAt))
  return { sums: { ...sums, closing: closingBalanceOf(sums) }, payouts: ofMonth }
}

/** A month's statement with a page of lines. @param after the mark of the previous page's last line; somebody else's mark gives no lines */
export async function readStatement(
  shop: Needs<'db' | 'clock' | 'config'>,
  { id, displayName }: Partner,
  month: Month,
  after: string | undefined,
  limit: number = LINES_A_PAGE,
): Promise<Statement> {
  const { db, clock, config } = shop
  const span = await spanOfMonth(shop, month)
  const { sums, payouts } = await sumsOf(db, id, span)
  const last = after === undefined ? undefined : await entryOfMark(db, id, after)
  const lines = after !== undefined && !last ? [] : await listStatementLines(db, id, span, last?.id, limit + 1)
  const marks = await marksOf(db, id, lines)
  return {
    ...{
      month,
      timeZone: config.reportTimeZone,
      displayName,
      madeAt: clock.now().toISOString(),
      isOver: span.until <= clock.now(),
    },
    ...sums,
    payouts: payouts.map(({ reference, amountCents: amount, madeAt, returnedAt }) => ({
      ...{ reference, amount },
      madeAt: madeAt.toISOString(),
      returnedAt: returnedAt?.toISOString() ?? null,
    })),
    lines: lines.slice(0, limit).map(({ id: entry, ...line }) => ({
      ...line,
      at: line.at.toISOString(),
      mark: marks.get(entry) ?? '',
    })),
    hasMore: lines.length > limit,
  }
}

async function entryOfMark(db: Reader, partnerId: UserId, mark: string): Promise<{ id: number } | undefined> {
  const [order = '', nth = ''] = mark.split('.')
  const orderNumber = readOrderNumber(order)
  return orderNumber && /^[1-9]\d{0,5}$/.test(nth) ? findEntry(db, partnerId, orderNumber, Number(nth)) : undefined
}

/** Lines' names on the wire, by entry id: `K7QM-4T2X.3` is the third entry of that order. */
async function marksOf(
  db: Reader,
  partnerId: UserId,
  lines: Awaited<ReturnType<typeof listStatementLines>>,
): Promise<ReadonlyMap<number, string>> {
  const numbers = new Map(lines.map(({ orderId, orderNumber }) => [orderId, orderNumber]))
  const entries = await listEntriesOf(db, partnerId, [...numbers.keys()])
  return new Map(
    [...Map.groupBy(entries, ({ orderId }) => orderId)].flatMap(([orderId, own]) =>
      own.map(({ id }, at) => [id, `${numbers.get(orderId)}.${at + 1}`] as const),
    ),
  )
}

/** Streams all lines of a month. */
export async function* walkStatement(
  shop: Needs<'db' | 'clock' | 'config'>,
  { id }: Partner,
  month: Month,
): AsyncGenerator<Awaited<ReturnType<typeof listStatementLines>>[number]> {
  const span = await spanOfMonth(shop, month)
  let after: number | undefined
  for (;;) {
    const lines = await listStatementLines(shop.db, id, span, after, LINES_A_BATCH)
    yield* lines
    after = lines.at(-1)?.id
    if (lines.length < LINES_A_BATCH) return
  }
}
