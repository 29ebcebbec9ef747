import type { ProductType } from '#domain/catalog/product-types.ts'

/** What the owner decides for a file of products. @property types our product type for each word of the former shop */
export type ImportChoices = { collection: string | null; types: Readonly<Record<string, string>> }

const plain = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
const singular = (word: string): string => plain(word).replace(/(?<=[a-z]{2})s$/, '')

/** The type that a former shop's word names: `Hats`, `T-Shirt`, `mugs`. */
export function typeNamed(word: string, types: readonly ProductType[]): string | undefined {
  const wanted = singular(word)
  if (wanted === '') return undefined
  return types.find(({ key, name, plural, piece, synonyms }) =>
    [key, name, plural, piece, ...synonyms].some((known) => singular(known) === wanted),
  )?.key
}

/** A collection by its id, address or name, in any case. */
export function collectionNamed<Known extends { id: string; slug: string; name: string; displayName: string }>(
  word: string,
  collections: readonly Known[],
): Known | undefined {
  const wanted = plain(word)
  return collections.find(({ id, slug, name, displayName }) =>
    [id, slug, name, displayName].some((known) => plain(known) === wanted),
  )
}
