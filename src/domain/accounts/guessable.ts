import { commonPasswords } from './common-passwords.ts'

/** Signs used for letters, as in `P@ssw0rd`. */
const lettersFor: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

/** What password crackers try first, longest first: `password` is removed before `pass`. */
const PART_MIN = 4
const commonParts = [...commonPasswords].filter(({ length }) => length >= PART_MIN).toSorted(longestFirst)

/** Minimum characters left after removing everything crackers try first. */
const REST_MIN = 6

/**
 * Whether a long password is made only of common passwords, words about its user, years, repetitions and sequences,
 * with a few signs between them. The caller checks the length.
 * @param words about the user or the shop, such as their names
 */
export function isGuessable(password: string, words: readonly string[]): boolean {
  const typed = password
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?:19|20)\d\d/g, ' ')
  const parts = [...words.map((word) => word.toLowerCase()).filter(({ length }) => length >= PART_MIN), ...commonParts]
  const unmasked = typed.replaceAll(/[@4310$5]/g, (sign) => lettersFor[sign] ?? sign)
  return [typed, unmasked].some((text) => restOf(text, parts).length < REST_MIN)
}

function restOf(text: string, parts: readonly string[]): string {
  let rest = text.replaceAll(/(.{3,}?)\1+|(.)\2{2,}/g, '$1')
  for (const part of [...parts].sort(longestFirst)) rest = rest.replaceAll(part, ' ')
  return withoutRows(rest).replaceAll(/[\s\p{P}\p{S}]/gu, '')
}

const ROW_MIN = 3

/** Removes `abcd`, `4321` and other sequences of neighboring letters or digits. */
function withoutRows(text: string): string {
  const letters = Array.from(text)
  const stepAt = (at: number) => (letters[at]?.codePointAt(0) ?? 0) - (letters[at - 1]?.codePointAt(0) ?? 0)
  let kept = ''
  for (let from = 0; from < letters.length;) {
    let to = from + 1
    const step = stepAt(to)
    if (Math.abs(step) === 1) while (to < letters.length && stepAt(to) === step) to += 1
    if (to - from < ROW_MIN) to = from + 1
    kept += to - from === 1 ? letters[from] : ' '
    from = to
  }
  return kept
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length
}
