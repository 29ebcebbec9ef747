import type { WorkbookType } from '#contract/report-figures.ts'
import type { ReportQuery, ReportsSummary } from '#contract/reports.ts'
import type { Db } from '#server/db/db.ts'
import { type CoverLine, type SheetTotals, WORKBOOK_TYPE, writeWorkbook } from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { formatUsd, minus } from '#shared/money.ts'
import { wallClockMs } from '#shared/time-zone.ts'
import { orderBook } from './order-workbook.ts'
import { profitBook } from './profit-workbook.ts'
import { providerBook } from './provider-workbook.ts'
import { recoveryBook } from './recovery-workbook.ts'
import {
  type ReportNeeds,
  type ReportRange,
  collectionNames,
  endRangeNow,
  readRange,
  summarizeRange,
} from './reports.ts'
import type { Book } from './workbook-parts.ts'

/**
 * Streams one of the four workbooks, reading orders page by page. The cover is written last, because it compares the other sheets' sums
 * with the report.
 */
export const workbookOf = (shop: ReportNeeds, type: WorkbookType, query: ReportQuery): Promise<FileAnswer> =>
  workbookIn(shop, type, endRangeNow(readRange(shop, query)))

/** The same for a range that ends before now. */
export async function workbookIn(shop: ReportNeeds, type: WorkbookType, requested: ReportRange): Promise<FileAnswer> {
  const book = books[type](shop.db, requested, await collectionNames(shop.db))
  const cover = async (totals: readonly SheetTotals[]) => {
    // As of the same time as the sheets.
    const report = await summarizeRange(shop, requested)
    const { name } = await readSiteSettingsCached(shop.db)
    return coverOf(book, requested, totals, report, name)
  }
  return {
    name: `${type}-report-${isoOfDay(requested.today)}.xlsx`,
    type: WORKBOOK_TYPE,
    bytes: writeWorkbook({ title: book.title, timeZone: requested.zone, cover, sheets: book.sheets }),
  }
}

function coverOf(
  book: Book,
  requested: ReportRange,
  totals: readonly SheetTotals[],
  report: ReportsSummary,
  shopName: string,
): CoverLine[] {
  const { from, to, timeZone } = report.range
  const checks = book.checks(totals, report)
  return [
    { label: 'Contents', value: book.about },
    { label: 'Shop', value: shopName },
    { label: 'From', value: from ?? 'the first order' },
    { label: 'To', value: to ?? `now (${report.range.today})` },
    { label: 'Filter', value: from || to ? 'These days, both included' : 'None: all orders so far' },
    { label: 'Time zone', value: `${timeZone}; days start at midnight` },
    { label: 'Currency', value: 'US dollars (USD)' },
    { label: 'Created', value: `${clockOf(requested)}, same time zone` },
    { label: 'Rows' },
    ...totals.map(({ name, rows }) => ({ label: name, count: rows })),
    { label: 'Checks' },
    ...checks.flatMap(({ what, here, reported }) => [
      { label: `${what}, sum of this workbook`, money: here },
      { label: `${what}, in the report`, money: reported },
      { label: '', value: here === reported ? 'They match.' : `They differ by ${formatUsd(minus(here, reported))}.` },
    ]),
    { label: 'Notes' },
    ...book.notes.map((value) => ({ label: '', value })),
  ]
}

/** `2026-11-21 14:05`. */
const clockOf = ({ asOf, zone }: ReportRange): string =>
  new Date(wallClockMs(asOf.getTime(), zone)).toISOString().slice(0, 16).replace('T', ' ')

const books: Record<WorkbookType, (db: Db, requested: ReportRange, collectionName: (id: string) => string) => Book> = {
  orders: orderBook,
  'stripe-complete': providerBook,
  profit: profitBook,
  recovery: recoveryBook,
}
