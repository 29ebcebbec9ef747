import * as z from 'zod/mini'
import { searchWord } from './admin-product-types.ts'
import { call } from './call.ts'
import { singleLineText } from './wire.ts'

const SPELLINGS_MAX = 500

const Spellings = z
  .array(z.array(searchWord).check(z.minLength(2, 'Please enter at least two words in each line'), z.maxLength(20)))
  .check(z.maxLength(SPELLINGS_MAX, `Please enter at most ${SPELLINGS_MAX} lines`))

const MissedWords = z.object({ words: singleLineText(60, 'Please name the search') })

/** What a word means: the name of a product type, or a word that finds something. */
export const NewSynonym = z.extend(MissedWords, { of: searchWord })

const SearchMiss = z.object({
  words: z.string(),
  count: z.int(),
  /** `2026-11-22`, by UTC. */
  lastDay: z.string(),
})
export type SearchMiss = z.output<typeof SearchMiss>

const done = z.object({ done: z.string() })

export const adminSearchCalls = {
  search: call({
    method: 'GET',
    path: '/api/admin/search',
    access: 'read_catalog',
    summary: 'Spellings of the same word, and searches of the last 30 days that found nothing, most frequent first.',
    answer: z.object({
      spellings: z.array(z.array(z.string())),
      misses: z.array(SearchMiss),
      types: z.array(z.object({ key: z.string(), name: z.string(), synonyms: z.array(z.string()) })),
    }),
    refusals: [],
  }),
  setSpellings: call({
    method: 'PUT',
    path: '/api/admin/search/spellings',
    access: 'owner',
    summary: 'Replaces the list of spellings of the same word; refused when it is no longer `before`.',
    body: z.object({ before: z.array(z.array(z.string())), spellings: Spellings }),
    answer: done,
    refusals: ['setting_changed'],
  }),
  addSynonym: call({
    method: 'POST',
    path: '/api/admin/search/synonyms',
    access: 'owner',
    summary: 'Makes words that found nothing a synonym of a product type, or of another word.',
    body: NewSynonym,
    answer: done,
    refusals: ['product_changed'],
  }),
  dismissMiss: call({
    method: 'POST',
    path: '/api/admin/search/dismissals',
    access: 'owner',
    summary:
      'Removes words from the searches that found nothing, for 30 days or until they are searched for ten more times.',
    body: MissedWords,
    answer: done,
    refusals: [],
  }),
}
