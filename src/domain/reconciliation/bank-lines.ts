// cspell:ignore bankreferenz betrag buchungsdatum buchungstag haben soll umsatz waehrung währung
import { dayFromIso, isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { cents, centsFromDecimal, minus, negate, type Cents } from '#shared/money.ts'
import { cleanLine } from '#shared/text.ts'

/** A booked line of a bank statement. */
export type BankLine = {
  day: CalendarDay
  /** In cents of `currency`; positive when it came to the account. */
  amount: Cents
  /** Lower case, `usd`. */
  currency: string
  /** Who and what for, as the bank has it. */
  text: string
  /** The bank's own id of the line, which other statements repeat; null without one. */
  reference: string | null
}

export type BankStatement = { account: string; lines: BankLine[] }

/** What is wrong with a statement's file, as a sentence that names the row. */
export class StatementMistake extends Error {}

const TEXT_MAX = 300
export const lineText = (parts: readonly (string | null | undefined)[]): string =>
  cleanLine([...new Set(parts.map((part) => part?.trim()).filter(Boolean))].join(' ')).slice(0, TEXT_MAX)

/** Words of a header, in lower case, by what the column holds. */
const headers: Readonly<Record<'day' | 'amount' | 'credit' | 'debit' | 'currency' | 'reference', readonly string[]>> = {
  day: [
    'date',
    'booking date',
    'posting date',
    'posted date',
    'transaction date',
    'buchungstag',
    'buchungsdatum',
    'datum',
  ],
  amount: ['amount', 'amount (usd)', 'betrag', 'umsatz', 'value'],
  credit: ['credit', 'credits', 'deposit', 'deposits', 'paid in', 'haben'],
  debit: ['debit', 'debits', 'withdrawal', 'withdrawals', 'paid out', 'soll'],
  currency: ['currency', 'währung', 'waehrung'],
  reference: ['transaction id', 'bank reference', 'fitid', 'bankreferenz'],
}

export type CsvColumns = Partial<Record<keyof typeof headers, number>> & { day: number; text: readonly number[] }

/** Finds the columns of a header; every other column is text. @throws StatementMistake */
export function columnsOf(header: readonly string[]): CsvColumns {
  const names = header.map((name) => name.trim().toLowerCase())
  const at = (column: keyof typeof headers): number | undefined => {
    const index = names.findIndex((name) => headers[column].includes(name))
    return index === -1 ? undefined : index
  }
  const [day, amount, credit, debit] = [at('day'), at('amount'), at('credit'), at('debit')]
  const hasAmount = amount !== undefined || credit !== undefined
  if (day === undefined || !hasAmount)
    throw new StatementMistake(
      'Row 1 needs a column for the date and one for the amount (or for credit and debit), such as “Date, Description, Amount”.',
    )
  const known = { amount, credit, debit, currency: at('currency'), reference: at('reference') }
  const used = new Set<number | undefined>([day, ...Object.values(known)])
  return {
    day,
    text: names.flatMap((_, index) => (used.has(index) ? [] : [index])),
    ...Object.fromEntries(Object.entries(known).filter(([, index]) => index !== undefined)),
  }
}

/** A row of a CSV statement. @throws StatementMistake that names the row and the cell */
export function lineOfRow(columns: CsvColumns, { row, cells }: { row: number; cells: readonly string[] }): BankLine {
  const cell = (index: number | undefined): string => (index === undefined ? '' : (cells[index]?.trim() ?? ''))
  const day = readDay(cell(columns.day))
  if (day === undefined)
    throw new StatementMistake(`Row ${row}: “${cell(columns.day).slice(0, 40)}” is not a date, such as 2026-11-21.`)
  const amountIn = (text: string): Cents => {
    const amount = readAmount(text)
    if (amount === undefined) throw new StatementMistake(`Row ${row}: “${text.slice(0, 40)}” is not an amount.`)
    return amount
  }
  const [credit, debit] = [cell(columns.credit), cell(columns.debit)]
  const amount =
    columns.amount === undefined
      ? minus(credit ? amountIn(credit) : cents(0), debit ? cents(Math.abs(amountIn(debit))) : cents(0))
      : amountIn(cell(columns.amount))
  return {
    day,
    amount,
    currency: (cell(columns.currency) || 'usd').toLowerCase(),
    text: lineText(columns.text.map(cell)),
    reference: cell(columns.reference) || null,
  }
}

/** ISO, American `11/21/2026`, or European `21.11.2026`. */
export function readDay(text: string): CalendarDay | undefined {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const eu = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const pad = (part = '') => part.padStart(2, '0')
  if (us) return dayFromIso(`${us[3]}-${pad(us[1])}-${pad(us[2])}`)
  if (eu) return dayFromIso(`${eu[3]}-${pad(eu[2])}-${pad(eu[1])}`)
  return dayFromIso(text.slice(0, 10))
}

/** `1,234.56`, `1.234,56`, `-12.00`, `(12.00)`, `$12.00`; with two decimals or none. */
export function readAmount(text: string): Cents | undefined {
  const plain = text.replaceAll(/[$€\s+\u00A0]|USD|EUR/g, '')
  const [, inner] = /^\((.+)\)$/.exec(plain) ?? []
  const unsigned = (inner ?? plain).replace(/^[-−]/, '')
  const isNegative = inner !== undefined || /^[-−]/.test(plain)
  const digits = /^\d{1,3}(?:,\d{3})*(?:\.\d{1,2})?$|^\d+(?:\.\d{1,2})?$/.test(unsigned)
    ? unsigned.replaceAll(',', '')
    : /^\d{1,3}(?:\.\d{3})*,\d{1,2}$|^\d+,\d{1,2}$/.test(unsigned)
      ? unsigned.replaceAll('.', '').replace(',', '.')
      : undefined
  const amount = digits === undefined ? undefined : centsFromDecimal(digits)
  return amount === undefined ? undefined : isNegative ? negate(amount) : amount
}

/**
 * The same line has the same key in every statement that has it. Lines alike on a day, without a reference of the bank, count from 1.
 */
export function keysOfLines({ account, lines }: BankStatement): string[] {
  const seen = new Map<string, number>()
  return lines.map(({ day, amount, text, reference }) => {
    const name = [account, reference ?? '', isoOfDay(day), amount, text].join('|')
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    return `${name}|${number}`
  })
}
