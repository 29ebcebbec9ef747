import { inLanguage, type Language } from '#shared/language.ts'
import { sayKnown } from '#words/say.ts'
import { adjectiveForms, otherNames, stopWords } from '#words/search-words.ts'
import type { ProductType } from './product-types.ts'
import { foldCase, QUERY_LENGTH_MAX, normalizeQuery } from './search.ts'
import { sizeKey } from './sizes.ts'
import { nearestWord } from './typos.ts'

const WORDS_MAX = 12
/** Longest phrase that names a product type, in words: `tee shirt`. */
export const PHRASE_WORDS_MAX = 3

/** One condition every result must meet. */
export type SearchTerm = {
  /** One or more words that belong together, in lower case. */
  text: string
  /** Alternative spellings. */
  alike: readonly string[]
  /** Product types it names. */
  types: readonly string[]
  /** Collections it names. */
  collections: readonly string[]
  /** Sizes it names, as variants spell them. */
  sizes: readonly string[]
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

/** As search splits text. */
export const wordCount = (text: string): number => tokensOf(text).length

/** What a query's words may name. */
export type Vocabulary = {
  types: ReadonlyMap<string, readonly string[]>
  collections: readonly { id: string; names: ReadonlySet<string> }[]
  /** Groups of words that are the same word. */
  spellings: readonly (readonly string[])[]
  /** Sizes of variants by `sizeKey`. */
  sizes: ReadonlyMap<string, readonly string[]>
  stopWords: ReadonlySet<string>
}

type NamedCollection = { id: string; name: string; petName: string; keywords: readonly string[] }

type Named = {
  types: readonly Pick<ProductType, 'key' | 'synonyms' | 'name' | 'plural'>[]
  collections: readonly NamedCollection[]
  spellings: Vocabulary['spellings']
  /** Of all variants that the printer has. */
  sizes: readonly string[]
  /** The names of all colors. */
  colors: readonly string[]
}

/** @param language English words are understood in each */
export function createVocabulary(
  { types, collections, spellings, sizes, colors }: Named,
  language: Language = 'en',
): Vocabulary {
  const words = types.flatMap((type) =>
    [...new Set([...type.synonyms, ...namesIn(language, type)])].map((word) => ({ key: type.key, word })),
  )
  return {
    types: new Map([...Map.groupBy(words, ({ word }) => word)].map(([word, all]) => [word, all.map(({ key }) => key)])),
    collections: collections.map(({ id, name, petName, keywords }) => {
      const names = [id, name, petName, ...keywords].map(foldCase)
      return { id, names: new Set([...names, ...names.flatMap((one) => one.split(' '))]) }
    }),
    spellings: [...spellings, ...colorsIn(language, colors)],
    sizes: Map.groupBy(sizes, sizeKey),
    stopWords: stopWords(language),
  }
}

const wordIn = (language: Language, text: string): string => foldCase(inLanguage(language, () => sayKnown(text)))

/** What speakers of a language call a type. */
function namesIn(language: Language, { synonyms, name, plural }: Named['types'][number]): string[] {
  if (language === 'en') return []
  const names = [name, plural].map((text) => wordIn(language, text).replaceAll('-', ' '))
  return [...names, ...synonyms.flatMap((word) => otherNames[language][word] ?? [])]
}

/** The words of colors, such as `Black` of `Vault Black`, with what they are in a language, in all its forms. */
const colorsIn = (language: Language, colors: readonly string[]): string[][] =>
  [...new Set(colors.flatMap((color) => color.split(' ')))].flatMap((color) => {
    const [english, own] = [foldCase(color), wordIn(language, color)]
    return english !== own && isWord(own) ? [[english, ...adjectiveForms(language, own)]] : []
  })

/** `hats` becomes `hat`. */
const typesNamed = (phrase: string, { types }: Vocabulary): readonly string[] =>
  types.get(phrase) ?? types.get(phrase.replace(/s$/, '')) ?? types.get(phrase.replace(/es$/, '')) ?? []

const collectionsNamed = (word: string, { collections }: Vocabulary): string[] =>
  collections.filter(({ names }) => names.has(word)).map(({ id }) => id)

const alikeTo = (word: string, { spellings }: Vocabulary): string[] =>
  spellings.flatMap((group) => (group.includes(word) ? group.filter((one) => one !== word) : []))

const sizesNamed = (words: readonly string[], { sizes }: Vocabulary): string[] => [
  ...new Set(words.flatMap((word) => sizes.get(sizeKey(word)) ?? [])),
]

/** A query's words, to be found as they are. */
export const literalTerms = (query: string): SearchTerm[] =>
  foldCase(normalizeQuery(query))
    .split(' ')
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .map((text) => ({ text, alike: [], types: [], collections: [], sizes: [], literal: true }))

/** A query's terms; a product must match all. Empty for an empty query. */
export function parseSearchTerms(query: string, vocabulary: Vocabulary): SearchTerm[] {
  const tokens = tokensOf(query)
  const terms: SearchTerm[] = []
  for (let at = 0; at < tokens.length;) {
    const words = phraseAt(tokens, at, vocabulary)
    const text = tokens.slice(at, at + words).join(' ')
    const alike = alikeTo(text, vocabulary)
    terms.push({
      text,
      alike,
      types: typesNamed(text, vocabulary),
      collections: collectionsNamed(text, vocabulary),
      sizes: sizesNamed([text, ...alike], vocabulary),
      literal: !text.split(' ').every(isWord),
    })
    at += words
  }
  const telling = terms.filter(({ text }) => !vocabulary.stopWords.has(text))
  return telling.length ? telling : terms
}

/** Products of some types and collections; unset means all. */
export type CatalogPart = { types?: readonly string[]; collections?: readonly string[] }

/** The part of the catalog that all terms name; undefined when a term is any other word, which only the products' texts can have. */
export function partNamedBy(terms: readonly SearchTerm[]): CatalogPart | undefined {
  const isName = ({ types, collections, sizes }: SearchTerm) => types.length + collections.length > 0 && !sizes.length
  if (terms.length === 0 || !terms.every(isName)) return undefined
  const commonOf = (lists: readonly (readonly string[])[]) =>
    lists.length > 0 ? lists.reduce((common, list) => common.filter((each) => list.includes(each))) : undefined
  const types = commonOf(terms.flatMap((term) => (term.types.length > 0 ? [term.types] : [])))
  const collections = commonOf(terms.flatMap((term) => (term.types.length > 0 ? [] : [term.collections])))
  return { ...(types && { types }), ...(collections && { collections }) }
}

/** How many words from here on name a product type or a size together; otherwise 1. */
function phraseAt(tokens: readonly string[], at: number, vocabulary: Vocabulary): number {
  for (let words = Math.min(PHRASE_WORDS_MAX, tokens.length - at); words > 1; words -= 1) {
    const phrase = tokens.slice(at, at + words).join(' ')
    if (typesNamed(phrase, vocabulary).length > 0 || sizesNamed([phrase], vocabulary).length > 0) return words
  }
  return 1
}

/** Corrects typos where the words are known. @param more known words besides those of the vocabulary */
export function correctTypos(query: string, vocabulary: Vocabulary, more: readonly string[]): string {
  const { types, collections, spellings } = vocabulary
  const known = new Set([
    ...[...types.keys()].flatMap((phrase) => phrase.split(' ')),
    ...collections.flatMap(({ names }) => [...names].filter(isWord)),
    ...[...spellings.flat(), ...more.map(foldCase)].filter(isWord),
  ])
  return tokensOf(query)
    .map((token) =>
      !isWord(token) || known.has(token) || sizesNamed([token], vocabulary).length > 0
        ? token
        : (nearestWord(token, known) ?? token),
    )
    .join(' ')
}
