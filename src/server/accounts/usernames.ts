import { maskCardNumbers } from '#domain/messages/card-numbers.ts'

/** Lengths of the canonical form: compatibility letters can become fewer or more when normalized. */
const USERNAME_MIN = 3
const USERNAME_MAX = 64

/** The form in which a name is unique: `Ada`, `ada` and full-width `ａｄａ` are one person. */
export const canonicalUsername = (typed: string): string => typed.normalize('NFKC').toLowerCase().normalize('NFKC')

/** Scripts that are distinguished; all others count as a single script. */
const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Bengali', 'Tamil'],
  ...['Telugu', 'Thai', 'Lao', 'Khmer', 'Ethiopic', 'Cherokee', 'Coptic', 'Lisu', 'Tifinagh'],
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'],
].map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** Scripts that one language writes together. */
const writtenTogether = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
]

const scriptOf = (letter: string) => scripts.find((script) => script.letter.test(letter))?.name ?? 'other'

/** A Cyrillic `а` in a Latin name could imitate another person's name. */
function mixesScripts(name: string): boolean {
  const letters =
    name.match(/\p{L}/gu)?.filter((letter) => !/\p{Script=Common}|\p{Script=Inherited}/u.test(letter)) ?? []
  const used = [...new Set(letters.map(scriptOf))]
  return used.length > 1 && !writtenTogether.some((group) => used.every((name) => group.includes(name)))
}

/** Control, format, private-use and unassigned characters, and everything that renders as nothing. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** @returns the error message for a name that others could confuse with another or could not type */
export function objectionToUsername(typed: string): string | undefined {
  const name = canonicalUsername(typed)
  // Checked as typed: normalizing may remove the forbidden characters.
  if (invisible.test(typed)) return 'Please use visible letters only'
  if (/^\p{Z}|\p{Z}$|\p{Z}{2}/u.test(typed) || name !== name.trim())
    return 'Please remove spaces at the start and end, and double spaces'
  if (name.length < USERNAME_MIN) return `Username must be at least ${USERNAME_MIN} characters`
  if (name.length > USERNAME_MAX) return `Please use at most ${USERNAME_MAX} characters`
  if (/^\p{M}|\p{M}{3}/u.test(name)) return 'Please use readable letters'
  if (maskCardNumbers(name) !== name) return 'Please don’t use a card number as your username'
  if (mixesScripts(name)) return 'Please use letters from one alphabet only'
  return undefined
}
