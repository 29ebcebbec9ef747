import { Readable } from 'node:stream'
import type { TaxLayout } from '#contract/tax-paths.ts'
import type { MonthSpan } from '#domain/ledger/closing.ts'
import { objectionToOss, ossTable, plainTable, statesTable, type TaxTable } from '#domain/tax/layouts.ts'
import type { TaxPeriod } from '#domain/tax/periods.ts'
import { csvCell } from '#server/files/csv.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { snapshot, type ReportNeeds } from './reports.ts'
import { refusalOf, spanOfPeriod } from './tax.ts'
import { sumByQuarter, sumTax, type Span } from './tax-store.ts'

/** Amounts and counts are written as numbers: a quoted one that begins with a minus would be taken for a formula. */
const AMOUNT = /^-?\d+(?:\.\d+)?$/

const asCsv = (table: TaxTable): string =>
  table.map((row) => `${row.map((cell) => (AMOUNT.test(cell) ? cell : csvCell(cell))).join(',')}\r\n`).join('')

/** The tax report as CSV. @throws Refusal why there is no One Stop Shop file */
export async function taxFile(
  shop: ReportNeeds,
  { period, layout }: { period: TaxPeriod; layout: TaxLayout },
): Promise<FileAnswer> {
  const table = await tableOf(shop, period, layout)
  const name = `tax-${period}${layout === 'all' ? '' : `-${layout}`}.csv`
  return { name, type: 'text/csv; charset=utf-8', bytes: Readable.from([asCsv(table)]) }
}

async function tableOf(shop: ReportNeeds, period: TaxPeriod, layout: TaxLayout): Promise<TaxTable> {
  const span = await spanOfPeriod(shop, period)
  if (layout !== 'oss') return (layout === 'us' ? statesTable : plainTable)(await rowsOf(shop, span))
  const { ossDispatch: from, ecbRates: rates } = await readSiteSettings(shop.db)
  const sums = await snapshot(shop, (db) => sumByQuarter(db, span, shop.config.reportTimeZone))
  const objection = objectionToOss(period, { from, rates, sums })
  if (objection) throw refusalOf(objection)
  return ossTable(period, { from, rates, sums })
}

const rowsOf = (shop: ReportNeeds, span: Span) => snapshot(shop, (db) => sumTax(db, span))

/** The tax report as it is frozen with a month: everything, and what US states ask for. */
export async function* taxFilesOfMonth(
  shop: ReportNeeds,
  { month, from, until }: MonthSpan,
): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const rows = await rowsOf(shop, { from, until })
  yield { name: `tax-${month}.csv`, bytes: Buffer.from(asCsv(plainTable(rows))) }
  yield { name: `tax-${month}-us.csv`, bytes: Buffer.from(asCsv(statesTable(rows))) }
}
