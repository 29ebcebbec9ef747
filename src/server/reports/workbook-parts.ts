import type { ReportsSummary } from '#contract/reports.ts'
import type { Column, Row, Sheet, SheetTotals } from '#server/files/workbook.ts'
import { type PaymentKey, type PaymentProvider, readPaymentKey } from '#shared/ids.ts'
import { type Cents, cents } from '#shared/money.ts'

/** A sheet's total next to the same figure in the report. */
type Check = { what: string; here: Cents; reported: Cents }

/** One of the four workbooks, without its cover. */
export type Book = {
  title: string
  /** What it contains, in one sentence. */
  about: string
  sheets: readonly Sheet[]
  checks: (totals: readonly SheetTotals[], report: ReportsSummary) => readonly Check[]
  notes: readonly string[]
}

export const sumOf = (totals: readonly SheetTotals[], name: string, title: string): Cents =>
  cents(totals.find((sheet) => sheet.name === name)?.sums.get(title) ?? 0)

export const text = (title: string, width?: number): Column => ({ title, kind: 'text', ...(width && { width }) })
export const money = (title: string): Column => ({ title, kind: 'money', isSummed: true })
export const count = (title: string): Column => ({ title, kind: 'count', isSummed: true })
export const moment = (title: string): Column => ({ title, kind: 'moment' })

export async function* rowsOf<Item>(
  pages: AsyncGenerator<Item[]>,
  row: (items: Item[]) => Promise<readonly Row[]> | readonly Row[],
): AsyncGenerator<Row> {
  for await (const items of pages) yield* await row(items)
}

const paidWith: Record<PaymentProvider, string> = { stripe: 'card', paypal: 'PayPal' }
export const wayOf = (key: PaymentKey | null): string => {
  if (key === null) return 'No charge'
  const provider = readPaymentKey(key)?.provider
  return provider ? paidWith[provider] : ''
}
