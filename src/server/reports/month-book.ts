import { buffer } from 'node:stream/consumers'
import { and, asc, eq, gt, gte, lt, or, sql, type SQL } from 'drizzle-orm'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import type { AccountFigure, MonthSpan } from '#domain/ledger/closing.ts'
import { formatOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { cents, negate, plus, type Cents } from '#shared/money.ts'
import { daysOfMonth, nameOfMonth } from '#shared/month.ts'
import { assert } from '#shared/assert.ts'
import type { Reader } from '#server/db/db.ts'
import { writeWorkbook, type Row, type Sheet } from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { listPartnersOfBooks, type NewFile } from '#server/ledger/month-closings.ts'
import { ledgerEntry, ledgerPosting } from '#server/ledger/schema.ts'
import { shopOrder } from '#server/orders/schema.ts'
import { findPartner } from '#server/partners/partner.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { StatementKind } from '#contract/earnings.ts'
import type { WorkbookType } from '#contract/report-figures.ts'
import { readRange, type ReportNeeds } from './reports.ts'
import { makeStatementFile } from './statement-files.ts'
import { money, moment, rowsOf, text } from './workbook-parts.ts'
import { taxFilesOfMonth } from './tax-files.ts'
import { readPages } from './workbook-store.ts'
import { workbookIn } from './workbooks.ts'

const STATEMENT_KINDS: readonly StatementKind[] = ['pdf', 'xlsx', 'html']

/** Reports that name no customer: what is frozen could not be erased. */
const FROZEN_REPORTS: readonly (readonly [name: string, type: WorkbookType])[] = [
  ['profit', 'profit'],
  ['payments', 'stripe-complete'],
]

/** The files that are frozen with a month: its books, two reports, the tax report, and the statements of partners. */
export async function* filesOfMonth(
  shop: ReportNeeds,
  span: MonthSpan,
  figures: readonly AccountFigure[],
): AsyncGenerator<NewFile> {
  const { month, until } = span
  const whole = async ({ bytes }: FileAnswer): Promise<Buffer> => buffer(bytes)
  yield { name: `books-${month}.xlsx`, partnerId: null, bytes: await whole(await monthWorkbook(shop, span, figures)) }
  for (const [name, type] of FROZEN_REPORTS)
    yield { name: `${name}-${month}.xlsx`, partnerId: null, bytes: await whole(await reportOf(shop, type, span)) }
  for await (const file of taxFilesOfMonth(shop, span)) yield { ...file, partnerId: null }
  for (const id of await listPartnersOfBooks(shop.db, until)) {
    const partner = await findPartner(shop.db, id)
    assert(partner, `partner ${id} has commission`)
    for (const kind of STATEMENT_KINDS) {
      const name = `statement-${month}-${partner.code}.${kind}`
      yield { name, partnerId: id, bytes: await whole(await makeStatementFile(shop, partner, { month, kind })) }
    }
  }
}

function reportOf(shop: ReportNeeds, type: WorkbookType, { month, from, until }: MonthSpan): Promise<FileAnswer> {
  const days = daysOfMonth(month)
  assert(days, `${month} is a month`)
  const requested = readRange(shop, { start_date: days.first, end_date: days.next - 1 })
  return workbookIn(shop, type, { ...requested, range: { since: from.getTime(), until: until.getTime() } })
}

/** A month's books: what each account had and got, every posting, and those for orders of earlier months. */
async function monthWorkbook(
  shop: ReportNeeds,
  span: MonthSpan,
  figures: readonly AccountFigure[],
): Promise<FileAnswer> {
  const { db, clock, config } = shop
  const { name: shopName } = await readSiteSettingsCached(db)
  const { month, from, until } = span
  const sheets: Sheet[] = [
    {
      name: 'Accounts',
      columns: [
        text('Account', 26),
        text('Name in the ledger', 26),
        money('Opening'),
        money('Change'),
        money('Closing'),
      ],
      rows: figures.map(({ account, opening, change }) => [
        ...[accountLabel(account), account, opening, change, plus(opening, change)],
      ]),
    },
    {
      name: 'Journal',
      columns: [
        moment('Booked'),
        text('Posting'),
        text('Order', 13),
        moment('Order placed'),
        text('Account', 26),
        money('Amount'),
      ],
      rows: rowsOf(postingPages(db, span), (page) =>
        page.flatMap(({ bookedAt, kind, orderNumber, placedAt, entries }) =>
          entries.map(([account, amount]): Row => [
            ...[bookedAt, postingLabel(kind), numberOf(orderNumber), placedAt, accountLabel(account), cents(amount)],
          ]),
        ),
      ),
    },
    {
      name: 'Corrections',
      columns: [
        moment('Booked'),
        text('Posting'),
        text('Order', 13),
        moment('Order placed'),
        money('Result'),
        money('Tax'),
      ],
      rows: rowsOf(postingPages(db, span, isOfEarlierMonth(from)), (page) =>
        page.map((posting): Row => {
          const { bookedAt, kind, orderNumber, placedAt } = posting
          return [bookedAt, postingLabel(kind), numberOf(orderNumber), placedAt, resultOf(posting), taxOf(posting)]
        }),
      ),
    },
  ]
  return {
    name: `books-${month}.xlsx`,
    type: '',
    bytes: writeWorkbook({
      title: `Books of ${nameOfMonth(month)}`,
      timeZone: config.reportTimeZone,
      sheets,
      cover: (totals) => [
        { label: 'Shop', value: shopName },
        { label: 'From', value: from.toISOString() },
        { label: 'Until, not included', value: until.toISOString() },
        { label: 'Time zone', value: config.reportTimeZone },
        { label: 'Currency', value: 'US dollars (USD)' },
        { label: 'Created', value: clock.now().toISOString() },
        { label: 'Rows' },
        ...totals.map(({ name, rows }) => ({ label: name, count: rows })),
        { label: 'Notes' },
        ...NOTES.map((value) => ({ label: '', value })),
      ],
    }),
  }
}

const NOTES = [
  'A booking is in the month in which it arrived, so a closed month never changes.',
  'Assets and expenses are positive; what the shop earned or owes is negative. All accounts together sum to zero.',
  'Corrections are the bookings of this month for orders of earlier months: refunds, disputes, fees, costs and their commission.',
  'Result is what a correction added to profit; negative if it took something. Tax is what it added to the tax owed.',
]

const numberOf = (number: OrderNumber | null): string | null => number && formatOrderNumber(number)

export type PostingOfMonth = {
  id: number
  kind: string
  bookedAt: Date
  orderNumber: OrderNumber | null
  placedAt: Date | null
  entries: readonly (readonly [account: string, amount: number])[]
}

/** What a posting added to profit. */
export const resultOf = ({ entries }: Pick<PostingOfMonth, 'entries'>): Cents =>
  negate(sumOn(entries, /^(?:revenue|expense):/))
/** What a posting added to the tax owed. */
export const taxOf = ({ entries }: Pick<PostingOfMonth, 'entries'>): Cents =>
  negate(sumOn(entries, /^liability:(?:tax|vat_protection)$/))

const sumOn = (entries: PostingOfMonth['entries'], accounts: RegExp): Cents =>
  cents(entries.reduce((sum, [account, amount]) => sum + (accounts.test(account) ? amount : 0), 0))

const isOfEarlierMonth = (from: Date): SQL => lt(shopOrder.createdAt, from)

const postingPages = (db: Reader, span: MonthSpan, which?: SQL): AsyncGenerator<PostingOfMonth[]> =>
  readPages((after, limit) => listPostings(db, span, { which, after, limit }))

/** Postings of a month, in the order of booking. */
function listPostings(
  db: Reader,
  { from, until }: MonthSpan,
  { which, after, limit }: { which: SQL | undefined; after: PostingOfMonth | undefined; limit: number },
): Promise<PostingOfMonth[]> {
  const { id, kind, bookedAt } = ledgerPosting
  return db
    .select({
      ...{ id, kind, bookedAt, orderNumber: shopOrder.orderNumber, placedAt: shopOrder.createdAt },
      entries: sql<[string, number][]>`(
        select json_agg(json_build_array(e.account, e.amount_cents) order by e.account collate "C")
        from ${ledgerEntry} e where e.posting_id = ${id})`,
    })
    .from(ledgerPosting)
    .leftJoin(shopOrder, eq(shopOrder.id, ledgerPosting.orderId))
    .where(
      and(
        ...[gte(bookedAt, from), lt(bookedAt, until), which],
        after && gte(bookedAt, after.bookedAt),
        after && or(gt(bookedAt, after.bookedAt), gt(id, after.id)),
      ),
    )
    .orderBy(asc(bookedAt), asc(id))
    .limit(limit)
}

/** The first of a month's postings for orders of earlier months, and how many there are. */
export async function listCorrections(
  db: Reader,
  span: MonthSpan,
  limit: number,
): Promise<{ count: number; postings: PostingOfMonth[] }> {
  const which = isOfEarlierMonth(span.from)
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(ledgerPosting)
    .innerJoin(shopOrder, eq(shopOrder.id, ledgerPosting.orderId))
    .where(and(gte(ledgerPosting.bookedAt, span.from), lt(ledgerPosting.bookedAt, span.until), which))
  return { count: row?.count ?? 0, postings: await listPostings(db, span, { which, after: undefined, limit }) }
}
