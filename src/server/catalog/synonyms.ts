import { wordCount, PHRASE_WORDS_MAX } from '#domain/catalog/search-terms.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { listForOwner, saveProductType } from './product-type-editor.ts'
import { forgetMisses, readSpellings, saveSpellings } from './search-words.ts'

const toSearchWord = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[-\s]+/g, ' ')
    .trim()

/**
 * Makes words that found nothing a synonym. Of a product type when `of` is its key, its name or one of its synonyms; otherwise a
 * spelling of that word.
 * @param of in lower case, with a space for a hyphen
 * @returns the name of the type, or the word
 * @throws Refusal `invalid` for words that search would not take together, or that are no other word; `product_changed`
 */
export async function addSynonym(shop: Needs<'db' | 'clock'>, words: string, of: string, by: Actor): Promise<string> {
  const synonym = toSearchWord(words)
  if (synonym === of) throw new Refusal('invalid', {}, { of: 'Please choose another word' })
  if (wordCount(synonym) > PHRASE_WORDS_MAX)
    throw new Refusal('invalid', {}, { of: `A synonym has at most ${PHRASE_WORDS_MAX} words` })
  const types = await listForOwner(shop.db)
  const type = types.find(({ content: { key, name, plural, synonyms } }) =>
    [key, name, plural, ...synonyms].some((one) => toSearchWord(one) === of),
  )
  if (type) {
    const { content, version } = type
    const synonyms = [...new Set([...content.synonyms, synonym])]
    await saveProductType(shop, content.key, { version, content: { ...content, synonyms } }, by)
    return content.name
  }
  if (wordCount(synonym) > 1 || wordCount(of) > 1)
    throw new Refusal('invalid', {}, { of: 'Several words can only be a synonym of a product type' })
  const before = await readSpellings(shop.db)
  const group = before.find((one) => one.includes(of)) ?? [of]
  const others = before.filter((one) => one !== group)
  await saveSpellings(shop, [...others, [...new Set([...group, synonym])]], by, before)
  await shop.db.transaction((tx) => forgetMisses(tx, [synonym]))
  return of
}
