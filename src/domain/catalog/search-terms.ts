import { collections } from '#site/collections/collections.ts'
import type { ProductType } from './product-types.ts'
import { foldCase, QUERY_LENGTH_MAX, normalizeQuery } from './search.ts'
import { fillers, kindsOfGoods, spellings } from './synonyms.ts'
import { nearestWord } from './typos.ts'

const WORDS_MAX = 12
/** Of the phrases that name a kind of goods: `tee shirt`. */
const PHRASE_WORDS_MAX = 3

/** One thing that a found product must have. */
export type SearchTerm = {
  /** A word, or a few that belong together; lower case. */
  text: string
  /** The same in other spellings. */
  alike: readonly string[]
  /** Kinds of goods that it names. */
  types: readonly ProductType[]
  /** Collections that people look for by it. */
  collections: readonly string[]
  /** Has signs that are no part of a word, such as `%`: meant letter by letter. */
  literal: boolean
}

const isWord = (token: string): boolean => /^[\p{L}\p{N}\p{M}]+$/u.test(token)

/** Words and, left whole, what is not one. Quotes and stops around a word do not count; a hyphen joins two. */
function tokensOf(query: string): string[] {
  const raw = foldCase(normalizeQuery(query)).slice(0, QUERY_LENGTH_MAX).split(' ').filter(Boolean)
  const bare = raw
    .map((token) =>
      token.replaceAll(/^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!?"'…-]+|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;:!?"'…-]+$/gu, ''),
    )
    .filter(Boolean)
  // Signs alone are meant as they are.
  if (!bare.length) return raw.slice(0, WORDS_MAX)
  return bare
    .flatMap((token) => {
      const parts = token.replace(/['’]s$/, '').split(/[-–'’]/)
      return parts.every(isWord) ? parts : [token]
    })
    .slice(0, WORDS_MAX)
}

const kinds = new Map<string, ProductType[]>()
for (const { types, words } of kindsOfGoods)
  for (const word of words) kinds.set(word, [...(kinds.get(word) ?? []), ...types])

/** `hats` is `hat`. */
const typesNamed = (phrase: string): readonly ProductType[] =>
  kinds.get(phrase) ?? kinds.get(phrase.replace(/s$/, '')) ?? kinds.get(phrase.replace(/es$/, '')) ?? []

/** What each collection is looked for by: its names and keywords, whole and word by word. */
const namesOfCollections = Object.values(collections).map(({ id, name, petName, keywords }) => {
  const names = [id, name, petName, ...keywords].map(foldCase)
  return { id, names: new Set([...names, ...names.flatMap((one) => one.split(' '))]) }
})

const collectionsNamed = (word: string): string[] =>
  namesOfCollections.filter(({ names }) => names.has(word)).map(({ id }) => id)

const alikeTo = (word: string): string[] =>
  spellings.flatMap((group) => (group.includes(word) ? group.filter((one) => one !== word) : []))

/** What a query asks for; a product must have all of it. Empty for a query without anything in it. */
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
  const telling = terms.filter(({ text }) => !fillers.has(text))
  return telling.length ? telling : terms
}

/** The number of words from here on that name a kind of goods together; one for all others. */
function phraseAt(tokens: readonly string[], at: number): number {
  for (let words = Math.min(PHRASE_WORDS_MAX, tokens.length - at); words > 1; words -= 1)
    if (typesNamed(tokens.slice(at, at + words).join(' ')).length) return words
  return 1
}

const commonWords: readonly string[] = [
  ...[...kinds.keys()].flatMap((phrase) => phrase.split(' ')),
  ...namesOfCollections.flatMap(({ names }) => [...names].filter(isWord)),
]

/** The query with slips of the finger put right, as far as the words are known. @param more words beside those for goods and pets */
export function correctTypos(query: string, more: readonly string[]): string {
  const known = new Set([...commonWords, ...more.map(foldCase).filter(isWord)])
  return tokensOf(query)
    .map((token) => (!isWord(token) || known.has(token) ? token : (nearestWord(token, known) ?? token)))
    .join(' ')
}
