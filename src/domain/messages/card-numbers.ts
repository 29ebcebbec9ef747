/** Lengths of card numbers (ISO/IEC 7812-1). */
const DIGITS_MIN = 13
const DIGITS_MAX = 19
/** Spaces, dots and dashes between groups of digits. */
const run = /\d+(?:[\s.\p{Pd}]{1,3}\d+)*/gu
const DIGITS_SHOWN = 4

/**
 * Masks card numbers in messages, to store and email none: 13 to 19 digits with a valid check digit become `••••
 * 4242`. Matches whole groups; part of a longer run of digits is not a card number.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(run, (numbers) => {
    const groups = [...numbers.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }))
    let masked = ''
    let written = 0
    for (let first = 0; first < groups.length; first += 1) {
      const last = lastOfCard(groups, first)
      const [from, to] = [groups[first], groups[last]]
      if (!from || !to) continue
      masked += `${numbers.slice(written, from.index)}•••• ${digitsOf(groups.slice(first, last + 1)).slice(-DIGITS_SHOWN)}`
      written = to.index + to.digits.length
      first = last
    }
    return masked + numbers.slice(written)
  })

type Group = { digits: string; index: number }

const digitsOf = (groups: readonly Group[]): string => groups.map(({ digits }) => digits).join('')

/** @returns the index of the last group of a card number starting at `first`; -1 if no number starts there */
function lastOfCard(groups: readonly Group[], first: number): number {
  let found = -1
  let digits = ''
  for (let last = first; last < groups.length; last += 1) {
    digits += groups[last]?.digits ?? ''
    if (digits.length > DIGITS_MAX) break
    if (digits.length >= DIGITS_MIN && hasRightCheckDigit(digits)) found = last
  }
  return found
}

/** Luhn check. */
function hasRightCheckDigit(digits: string): boolean {
  let total = 0
  for (let place = 0; place < digits.length; place += 1) {
    const value = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2)
    total += value > 9 ? value - 9 : value
  }
  return total % 10 === 0
}
