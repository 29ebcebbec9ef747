import type * as z from 'zod/mini'

/** What is wrong in a file, by row and column. */
export type FileMistake = { row: number; column: string; problem: string }

/** Mistakes shown at most; more do not help. */
const MISTAKES_SHOWN = 200

/** Such as `row 4, price`; row 0 is the file itself. */
export const placeOf = ({ row, column }: FileMistake): string => `${row ? `row ${row}, ` : ''}${column}`

/** A file that is not imported; nothing was changed. */
export class CatalogFileError extends Error {
  override name = 'CatalogFileError'
  readonly mistakes: readonly FileMistake[]

  constructor(mistakes: readonly FileMistake[]) {
    const shown = mistakes.slice(0, MISTAKES_SHOWN).map((mistake) => `${placeOf(mistake)}: ${mistake.problem}`)
    const more = mistakes.length - shown.length
    super(['The catalog file has mistakes.', ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
    this.mistakes = mistakes
  }
}

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  url: 'a web address',
  datetime: 'a time such as 2026-05-01T10:00:00Z',
}

const shown = (input: unknown): string => {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`
}

/** What the schema library says where the schema has no sentence of its own. */
const DEFAULT_MESSAGE = /^(?:Invalid|Too small|Too big|Unrecognized)\b/

/** What is wrong, in a sentence. @param issue parsed with `reportInput` */
export function problemOf(issue: z.core.$ZodIssue): string {
  const { input } = issue
  if (!DEFAULT_MESSAGE.test(issue.message)) return issue.message
  if (input === undefined) return 'It is missing'
  if (issue.code === 'invalid_type')
    return typeof input === 'string' && /^\d[.,]\d+E\+\d+$/i.test(input)
      ? `${shown(input)} was shortened by the spreadsheet program: format the column as text`
      : `${shown(input)} is not ${kinds[issue.expected] ?? 'what is expected here'}`
  if (issue.code === 'invalid_value') return `${shown(input)} is not one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_format')
    return `${shown(input)} is not ${formats[issue.format] ?? 'written as it must be'}`
  const isNumber = typeof input === 'number'
  if (issue.code === 'too_small') return isNumber ? `${input} is less than ${issue.minimum}` : 'It is empty'
  if (issue.code === 'too_big')
    return isNumber
      ? `${input} is more than ${issue.maximum}`
      : `It is longer than ${issue.maximum} ${typeof input === 'string' ? 'characters' : 'entries'}`
  return `${shown(input)} can’t be used here`
}
