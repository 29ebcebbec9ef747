import { foldCase, normalizeQuery } from './search.ts'

/** Dismissed words are listed again after as many more searches within the days that are listed. */
export const DISMISSED_UNTIL_SEARCHES = 10

/** Longer queries are cut. */
const LENGTH_MAX = 60
/** Phone, card and order numbers have at least as many. */
const DIGITS_MAX = 5

/** Letters and digits mixed, as in an order number or a key: `k7qm-4t2x`. */
const isCode = (word: string): boolean =>
  /^[\p{L}\p{N}-]{8,}$/u.test(word) && /\p{N}/u.test(word) && /\p{L}/u.test(word) && /\p{N}.*\p{N}/u.test(word)

/** What is kept of a search that found nothing; undefined when it may hold an email, an address on the web or a number of somebody's. */
export function missedWords(query: string): string | undefined {
  const words = foldCase(normalizeQuery(query))
  if (/[@/\\]|\bwww\./.test(words)) return undefined
  if ((words.match(/\p{N}/gu)?.length ?? 0) > DIGITS_MAX) return undefined
  if (words.split(' ').some(isCode)) return undefined
  const text = words.slice(0, LENGTH_MAX).toWellFormed().trim()
  return /\p{L}/u.test(text) ? text : undefined
}
