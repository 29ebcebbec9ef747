import { assert } from './assert.ts'
import type { Branded } from './branded.ts'
import { formatNumber, numberFormat, spokenLanguage } from './language.ts'

/** Whole US cents; may be negative in the ledger. The only form that money has inside the shop and on its wire. */
export type Cents = Branded<number, 'Cents'>

/** @throws Bug when `amount` is not a whole number that arithmetic keeps exact */
export function cents(amount: number): Cents {
  assert(Number.isSafeInteger(amount), `${amount} is not an amount in cents`)
  return amount as Cents
}

export const ZERO = cents(0)

export const sum = (amounts: readonly Cents[]): Cents => cents(amounts.reduce<number>((total, one) => total + one, 0))

export const plus = (a: Cents, b: Cents): Cents => cents(a + b)

export const minus = (a: Cents, b: Cents): Cents => cents(a - b)

export const negate = (amount: Cents): Cents => minus(ZERO, amount)

/** @param quantity a whole number of pieces */
export function times(amount: Cents, quantity: number): Cents {
  assert(Number.isSafeInteger(quantity), `${quantity} is not a whole quantity`)
  return cents(amount * quantity)
}

/** What each of several has on average, half a cent rounded away from zero. @param count a whole number above 0 */
export function average(total: Cents, count: number): Cents {
  assert(Number.isSafeInteger(count) && count > 0, `${count} is not a count`)
  const rounded = Number((BigInt(Math.abs(total)) * 2n + BigInt(count)) / (BigInt(count) * 2n))
  return cents(total < 0 && rounded !== 0 ? -rounded : rounded)
}

/** A share of an amount, half a cent rounded away from zero. @param basisPoints hundredths of a percent: 1200 is 12 % */
export function share(amount: Cents, basisPoints: number): Cents {
  assert(Number.isSafeInteger(basisPoints), `${basisPoints} is not a whole number of basis points`)
  const numerator = BigInt(Math.abs(amount)) * BigInt(Math.abs(basisPoints))
  const rounded = Number((numerator * 2n + 10_000n) / 20_000n)
  return cents(Math.sign(amount) * Math.sign(basisPoints) < 0 && rounded !== 0 ? -rounded : rounded)
}

/**
 * An amount in the proportions of some others, to the cent: whole shares first, then a cent each to the largest
 * remainders, earlier ones first. No share is larger than what it is in proportion to, as long as the amount is not.
 * @param proportions not negative; where they are all 0 nothing is spread
 */
export function spread(amount: Cents, proportions: readonly Cents[]): Cents[] {
  const whole = BigInt(sum(proportions))
  if (whole === 0n) return proportions.map(() => ZERO)
  const shares = proportions.map((proportion, at) => {
    const exact = BigInt(proportion) * BigInt(amount)
    return { at, floor: Number(exact / whole), remainder: exact % whole }
  })
  const missing = amount - shares.reduce((given, { floor }) => given + floor, 0)
  const raised = new Set(
    shares
      .toSorted((a, b) => Number(b.remainder - a.remainder))
      .slice(0, missing)
      .map(({ at }) => at),
  )
  return shares.map(({ at, floor }) => cents(raised.has(at) ? floor + 1 : floor))
}

/** `$1,234.50`, `-$0.05`, in German `1.234,50 $`: the form for people, everywhere. */
export function formatUsd(amount: Cents): string {
  if (spokenLanguage() !== 'en')
    return numberFormat({ style: 'currency', currency: 'USD' }).format(
      decimalFromCents(amount) as Intl.StringNumericLiteral,
    )
  const [whole, fraction] = decimalFromCents(cents(Math.abs(amount))).split('.') as [string, string]
  return `${amount < 0 ? '-' : ''}$${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction}`
}

/** An amount in another currency, in its whole units, half a unit rounded up: `5,235`. For people to compare; never money. @param perDollar units for a US dollar */
export const aboutIn = (amount: Cents, perDollar: number): string =>
  formatNumber(Math.round(Number(decimalFromCents(amount)) * perDollar))

/** How much a number is of another one, in percent, rounded down. */
export const percentOf = (part: number, whole: number): number => Math.floor((part * 100) / whole)

/** An amount in another currency with two decimals, half a cent rounded away from zero: `-12.34`. @param dollars US dollars for a unit of it, up to six decimals */
export function decimalIn(amount: Cents, dollars: number): string {
  const millionths = Math.round(dollars * 1_000_000)
  assert(Number.isSafeInteger(millionths) && millionths > 0, `${dollars} is not a rate`)
  const rounded = (BigInt(Math.abs(amount)) * 2_000_000n + BigInt(millionths)) / (BigInt(millionths) * 2n)
  return decimalFromCents(cents(amount < 0 ? -Number(rounded) : Number(rounded)))
}

/** `24.5` is 2450, `1.005` is 101: exact decimal arithmetic, half a cent rounded away from zero (specification, section 9). @returns undefined when the text is no decimal amount */
export function centsFromDecimal(text: string): Cents | undefined {
  const match = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole = '0', fraction = ''] = match
  const padded = fraction.padEnd(3, '0')
  const roundsUp = padded.charCodeAt(2) >= '5'.charCodeAt(0) ? 1 : 0
  const amount = Number(whole) * 100 + Number(padded.slice(0, 2)) + roundsUp
  return cents(sign && amount !== 0 ? -amount : amount)
}

/** `2450` is `24.50`: the form that PayPal, Printful and workbooks take. */
export function decimalFromCents(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
