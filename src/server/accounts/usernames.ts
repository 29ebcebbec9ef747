import { maskCardNumbers } from '#domain/messages/card-numbers.ts'

/** Lengths of the canonical form: compatibility letters can shrink or grow when they are normalized. */
const USERNAME_MIN = 3
const USERNAME_MAX = 64

/** The form in which a name is unique: `Ada`, `ada` and full-width `ａｄａ` are one person. */
export const canonicalUsername = (typed: string): string => typed.normalize('NFKC').toLowerCase().normalize('NFKC')

/** Letters of these scripts are told apart; all others count as one more. */
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

/** A Cyrillic `а` in a Latin name looks like another person's name. */
function mixesScripts(name: string): boolean {
  const letters =
    name.match(/\p{L}/gu)?.filter((letter) => !/\p{Script=Common}|\p{Script=Inherited}/u.test(letter)) ?? []
  const used = [...new Set(letters.map(scriptOf))]
  return used.length > 1 && !writtenTogether.some((group) => used.every((name) => group.includes(name)))
}

/** Control, format, private and unassigned characters, and everything that a page shows as nothing. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** @returns a sentence for the person who chose a name that others could not tell apart or could not type */
export function objectionToUsername(typed: string): string | undefined {
  const name = canonicalUsername(typed)
  // Read as typed: normalizing may remove what must not be there.
  if (invisible.test(typed)) return 'Please use visible letters only'
  if (/^\p{Z}|\p{Z}$|\p{Z}{2}/u.test(typed) || name !== name.trim())
    return 'Please leave out blanks before, after and between'
  if (name.length < USERNAME_MIN) return `Username must be at least ${USERNAME_MIN} characters`
  if (name.length > USERNAME_MAX) return `Please use at most ${USERNAME_MAX} characters`
  if (/^\p{M}|\p{M}{3}/u.test(name)) return 'Please use letters that people can read'
  if (maskCardNumbers(name) !== name) return 'Please do not use a card number as a name'
  if (mixesScripts(name)) return 'Please use letters of one alphabet only'
  return undefined
}
