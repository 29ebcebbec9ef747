import { EMAIL_PATTERN } from '#shared/email.ts'
import { type Cents, centsFromDecimal } from '#shared/money.ts'
import { cleanLine } from '#shared/text.ts'

/** What is wrong with one cell, in a sentence for the owner. */
export class CellProblem extends Error {
  readonly column: string | null
  constructor(column: string | null, reason: string) {
    super(reason)
    this.column = column
  }
}

/** A row of a file, read by fields that several titles can stand for. */
export type Row<Field extends string> = {
  number: number
  /** Trimmed; empty if the file has no such column. */
  text(field: Field): string
  /** The column's title in this file. */
  title(field: Field): string | null
}

/** For each field the titles that it may have, in any case; the first is the published one. */
export type Columns<Field extends string> = Readonly<Record<Field, readonly string[]>>

const normalizeTitle = (title: string): string => title.trim().toLowerCase()

/** @returns a function that reads the rows below this header */
export function rowReader<Field extends string>(columns: Columns<Field>, header: readonly string[]) {
  const titles = header.map(normalizeTitle)
  const places = new Map<string, number>()
  for (const [field, known] of Object.entries<readonly string[]>(columns)) {
    const place = known.map((title) => titles.indexOf(normalizeTitle(title))).find((index) => index >= 0)
    if (place !== undefined) places.set(field, place)
  }
  return (number: number, cells: readonly string[]): Row<Field> => ({
    number,
    text: (field) => cells[places.get(field) ?? -1]?.trim() ?? '',
    title: (field) => header[places.get(field) ?? -1]?.trim() ?? null,
  })
}

/** The fields of these that the header lacks. */
export function missingColumns<Field extends string>(
  columns: Columns<Field>,
  required: readonly Field[],
  header: readonly string[],
): Field[] {
  const titles = new Set(header.map(normalizeTitle))
  return required.filter((field) => !columns[field].some((title) => titles.has(normalizeTitle(title))))
}

const fail = <Field extends string>(row: Row<Field>, field: Field, reason: string): never => {
  throw new CellProblem(row.title(field), reason)
}

/** What a spreadsheet would compute instead of show. */
const FORMULA = /^(?:=|[+\-@][A-Za-z][A-Za-z0-9.]*\()/

/** Spreadsheets and shops put an apostrophe before what must stay text, such as `'+1 555 0100`. */
const withoutGuard = (text: string): string => text.replace(/^'(?=[=+\-@#\d])/, '')

/** One line; empty if the cell is. @throws CellProblem for a formula or a text that is too long */
export function lineIn<Field extends string>(row: Row<Field>, field: Field, max: number): string {
  const line = cleanLine(withoutGuard(row.text(field)))
  if (FORMULA.test(line)) fail(row, field, 'This cell is a spreadsheet formula. Please replace it with its value.')
  if (line.length > max) fail(row, field, `This text is longer than ${max} characters.`)
  return line
}

/** @throws CellProblem also when it is empty */
export const requiredLine = <Field extends string>(row: Row<Field>, field: Field, max: number): string =>
  lineIn(row, field, max) || fail(row, field, 'This cell is empty, but we need it.')

/** A sign or code beside an amount that is no US dollar's. */
const OTHER_CURRENCY = /(?!\$)\p{Sc}|\b(?!USD)[A-Z]{3}\b/u

/** US dollars such as `19.99`, `$1,234.50` or `19,99`. @returns undefined for an empty cell @throws CellProblem */
export function amountIn<Field extends string>(row: Row<Field>, field: Field): Cents | undefined {
  const text = withoutGuard(row.text(field)).replace(/^(?:USD\s*)?\$?\s*/i, '')
  if (text === '') return undefined
  const decimal = /^-?\d+,\d{2}$/.test(text) ? text.replace(',', '.') : text.replace(/,(?=\d{3}(?:\D|$))/g, '')
  const amount = centsFromDecimal(decimal)
  if (amount === undefined && OTHER_CURRENCY.test(text))
    return fail(row, field, `“${text.slice(0, 40)}” is in another currency. Prices here are in US dollars.`)
  if (amount === undefined)
    return fail(row, field, `“${text.slice(0, 40)}” is not an amount in dollars, such as 19.99.`)
  if (amount < 0) return fail(row, field, 'This amount is negative.')
  if (amount > 100_000_000) return fail(row, field, 'This amount is above $1,000,000.')
  return amount
}

/** @throws CellProblem unless it is a whole number from 1 to 10,000 */
export function quantityIn<Field extends string>(row: Row<Field>, field: Field): number {
  const text = row.text(field)
  const quantity = /^\d{1,5}(?:\.0+)?$/.test(text) ? Number(text) : 0
  return quantity >= 1 && quantity <= 10_000 ? quantity : fail(row, field, `“${text.slice(0, 40)}” is not a quantity.`)
}

/** In lower case. @throws CellProblem */
export function emailIn<Field extends string>(row: Row<Field>, field: Field): string {
  const email = requiredLine(row, field, 254).toLowerCase()
  return EMAIL_PATTERN.test(email) ? email : fail(row, field, 'This is not an email address.')
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/

/** A day or time with the year first, as all these shops write it; without a time zone it is UTC. @returns ISO 8601 @throws CellProblem */
export function momentIn<Field extends string>(row: Row<Field>, field: Field): string {
  const text = requiredLine(row, field, 60)
  const [, day, time = '00:00', seconds = ':00', zone = 'Z'] = MOMENT.exec(text) ?? []
  if (day !== undefined)
    try {
      return Temporal.Instant.from(`${day}T${time}${seconds}${zone === 'UTC' ? 'Z' : zone}`).toString()
    } catch {
      // Such as February 30.
    }
  return fail(row, field, `“${text}” is not a date such as 2026-03-31 or 2026-03-31 14:05:00 -0500.`)
}
