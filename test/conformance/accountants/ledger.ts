import { isFields, type Fields, type Json } from '../json.ts'

/** Arithmetic of the accountants: whole numbers only, and nothing shared with the shop or the simulators. */

/** The nearest whole number of `amount * numerator / denominator`, half rounded up. @param amount not negative */
export const nearest = (amount: number, numerator: bigint, denominator: bigint): number =>
  Number((2n * BigInt(amount) * numerator + denominator) / (2n * denominator))

/** Cents of a decimal with two places, as text or number; NaN for anything else. */
export function centsOf(json: Json | undefined): number {
  const text = typeof json === 'number' ? json.toFixed(2) : typeof json === 'string' ? json : ''
  const parts = /^(-?)(\d+)\.(\d{2})$/.exec(text)
  if (!parts) return Number.NaN
  const cents = Number(`${parts[2]}${parts[3]}`)
  return parts[1] === '-' ? -cents : cents
}

export const isText = (json: Json | undefined, pattern: RegExp): boolean =>
  typeof json === 'string' && pattern.test(json)

export const total = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

export const numberIn = (fields: Fields, name: string): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : Number.NaN
}

export const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}

/** A rule: what is, and what should be. @returns a sentence when they differ */
export const equal = (what: string, is: unknown, should: unknown): string[] =>
  Object.is(is, should) ? [] : [`${what} is ${JSON.stringify(is) ?? 'missing'}, should be ${JSON.stringify(should)}`]

/** The fields that are missing, of names separated by blanks. */
export const missing = (what: string, fields: Fields, names: string): string[] =>
  names.split(' ').flatMap((name) => (fields[name] === undefined ? [`${what} lacks ${name}`] : []))
