import { collections } from '#site/collections/collections.ts'
import type { ProductType } from './product-types.ts'
import { foldCase, QUERY_LENGTH_MAX, normalizeQuery } from './search.ts'
import { stopWords, productSynonyms, spellings } from './synonyms.ts'
import { nearestWord } from './typos.ts'

const WORDS_MAX = 12
/** Longest phrase that names a product type, in words: `tee shirt`. */
const PHRASE_WORDS_MAX = 3

/** One condition every result must meet. */
export type SearchTerm = {
  /** One or more words that belong together, in lower case. */
  text: string
  /** Alternative spellings. */
  alike: readonly string[]
  /** Product types it names. */
  types: readonly ProductType[]
  /** Collections it names. */
  collections: readonly string[]
  /** Contains signs that are not part of a word, such as `%`: matched literally. */
  literal: boolean
}

const isWord = (token: string): boolean => /^[\p{L}\p{N}\p{M}]+$/u.test(token)

/** Splits text into words and other tokens. Ignores quotes and punctuation around a word; a hyphen joins two. */
function tokensOf(query: string): string[] {
  const raw = foldCase(normalizeQuery(query)).slice(0, QUERY_LENGTH_MAX).split(' ').filter(Boolean)
  const bare = raw
    .map((token) =>
      token.replaceAll(/^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!?"'…-]+|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!?"'…-]+$/gu, ''),
    )
    .filter(Boolean)
  // Signs alone are matched literally.
  if (!bare.length) return raw.slice(0, WORDS_MAX)
  return bare
    .flatMap((token) => {
      const parts = token.replace(/['’]s$/, '').split(/[-–'’]/)
      return parts.every(isWord) ? parts : [token]
    })
    .slice(0, WORDS_MAX)
}

const kinds = new Map<string, ProductType[]>()
for (const { types, words } of productSynonyms)
  for (const word of words) kinds.set(word, [...(kinds.get(word) ?? []), ...types])

/** `hats` becomes `hat`. */
const typesNamed = (phrase: string): readonly ProductType[] =>
  kinds.get(phrase) ?? kinds.get(phrase.replace(/s$/, '')) ?? kinds.get(phrase.replace(/es$/, '')) ?? []

/** Names and keywords of each collection, as phrases and as words. */
const namesOfCollections = Object.values(collections).map(({ id, name, petName, keywords }) => {
  const names = [id, name, petName, ...keywords].map(foldCase)
  return { id, names: new Set([...names, ...names.flatMap((one) => one.split(' '))]) }
})

const collectionsNamed = (word: string): string[] =>
  namesOfCollections.filter(({ names }) => names.has(word)).map(({ id }) => id)

const alikeTo = (word: string): string[] =>
  spellings.flatMap((group) => (group.includes(word) ? group.filter((one) => one !== word) : []))

/** A query's words, to be found as they are. */
export const literalTerms = (query: string): SearchTerm[] =>
  foldCase(normalizeQuery(query))
    .split(' ')
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .map((text) => ({ text, alike: [], types: [], collections: [], literal: true }))

/** A query's terms; a product must match all. Empty for an empty query. */
export function parseSearchTerms(query: string): SearchTerm[] {
  const tokens = tokensOf(query)
  const terms: SearchTerm[] = []
  for (let at = 0; at < tokens.length;) {
    const words = phraseAt(tokens, at)
    const text = tokens.slice(at, at + words).join(' ')
    terms.push({
      text,
      alike: alikeTo(text),
      types: typesNamed(text),
      collections: collectionsNamed(text),
      literal: !text.split(' ').every(isWord),
    })
    at += words
  }
  const telling = terms.filter(({ text }) => !stopWords.has(text))
  return telling.length ? telling : terms
}

/** How many words from here on name a product type together; otherwise 1. */
function phraseAt(tokens: readonly string[], at: number): number {
  for (let words = Math.min(PHRASE_WORDS_MAX, tokens.length - at); words > 1; words -= 1)
    if (typesNamed(tokens.slice(at, at + words).join(' ')).length) return words
  return 1
}

const commonWords: readonly string[] = [
  ...[...kinds.keys()].flatMap((phrase) => phrase.split(' ')),
  ...namesOfCollections.flatMap(({ names }) => [...names].filter(isWord)),
]

/** Corrects typos where the words are known. @param more known words besides those for products and pets */
export function correctTypos(query: string, more: readonly string[]): string {
  const known = new Set([...commonWords, ...more.map(foldCase).filter(isWord)])
  return tokensOf(query)
    .map((token) => (!isWord(token) || known.has(token) ? token : (nearestWord(token, known) ?? token)))
    .join(' ')
}
