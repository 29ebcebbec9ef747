import { describe, expect, test } from 'vitest'
import { knownCollections } from '#site/collections/known.ts'
import '#words/all.ts'
import { correctTypos, createVocabulary, literalTerms, parseSearchTerms } from './search-terms.ts'
import { normalizeQuery } from './search.ts'
import { defaultSpellings } from './synonyms.ts'
import { plainProductType } from './product-types.ts'
import { nearestWord, editDistance } from './typos.ts'

const types = [
  { key: 'vented-hat', synonyms: ['hat', 'cap', 'trucker cap'] },
  { key: 'hat', synonyms: ['hat', 'cap'] },
  { key: 't-shirt', synonyms: ['t shirt', 'tshirt', 'tee', 'shirt'] },
  { key: 'polo', synonyms: ['shirt'] },
  { key: 'mug', synonyms: ['mug', 'cup'] },
  { key: 'pillow', synonyms: ['pillow', 'throw pillow'] },
  { key: 'blanket', synonyms: ['blanket', 'throw'] },
  { key: 'mouse-pad', synonyms: ['mouse pad'] },
  { key: 'water-bottle', synonyms: ['bottle'] },
].map((type) => ({ ...plainProductType(type.key), ...type }))

const named = {
  ...{ types, collections: knownCollections, spellings: defaultSpellings },
  ...{ sizes: ['S', 'XL', '2XL', '11 oz'], colors: ['Black', 'Navy', 'Charcoal'] },
}
const vocabulary = createVocabulary(named)
const parse = (query: string) => parseSearchTerms(query, vocabulary)

describe('a search query', () => {
  test.each([
    ['tee', ['t-shirt']],
    ['T-Shirt', ['t-shirt']],
    ['tshirts', ['t-shirt']],
    ['shirt', ['t-shirt', 'polo']],
    ['HATS', ['vented-hat', 'hat']],
    ['trucker cap', ['vented-hat']],
    ['throw', ['blanket']],
    ['throw pillow', ['pillow']],
    ['mouse-pad', ['mouse-pad']],
    ['“bottle”,', ['water-bottle']],
    ['ingots', []],
  ])('%j matches the product types %j', (query, types) => {
    expect(parse(query).flatMap((term) => term.types)).toEqual(types)
  })

  test.each([
    ['t-shirt 2xl', ['2XL']],
    ['xxl', ['2XL']],
    ['extra large tee', ['XL']],
    ['mug 11 oz', ['11 oz']],
    ['xxxl', []],
  ])('%j names the sizes %j', (query, sizes) => {
    expect(parse(query).flatMap((term) => term.sizes)).toEqual(sizes)
  })

  test.each([
    ['blanket for the sofa', ['blanket', 'sofa']],
    ['  Rudy’s   hat ', ['rudy', 'hat']],
    ['"after hours"', ['after', 'hours']],
    ['the', ['the']],
    ['100% cotton', ['100%', 'cotton']],
    ['%', ['%']],
    ['"', ['"']],
    ['a_b', ['a_b']],
    ['<script>alert(1)</script>', ['<script>alert(1)</script>']],
    ['🐶', ['🐶']],
    ['كلب قبعة', ['كلب', 'قبعة']],
    ['\0 \t', []],
    ['', []],
  ])('%j is read as %j', (query, texts) => {
    expect(parse(query).map(({ text }) => text)).toEqual(texts)
  })

  test('signs outside of words are matched literally', () => {
    expect(parse('50% a_b plain').map(({ literal }) => literal)).toEqual([true, true, false])
  })

  test('a channel’s handle and a pet’s keywords find its collection', () => {
    expect(parse('@thebullionhour')[0]?.collections).toEqual(['rudy'])
    expect(parse('guinea')[0]?.collections).toEqual(['example'])
    expect(parse('Sherlock')[0]?.collections).toEqual(['sherlock'])
  })

  test('only the start of a very long query is read', () => {
    expect(normalizeQuery('x'.repeat(10_000))).toHaveLength(200)
    expect(parse('mug '.repeat(2500))).toHaveLength(12)
    expect(parse('ﷺ'.repeat(10_000)).length).toBeLessThanOrEqual(12)
  })

  test('a character cut in half is dropped', () => {
    expect(normalizeQuery(`${'x'.repeat(199)}🐶`).isWellFormed()).toBe(true)
  })
})

describe('a typo', () => {
  test.each([
    ['hta', 'hat'],
    ['tshrit', 'tshirt'],
    ['t-shrit', 't shirt'],
    ['blankit', 'blanket'],
    ['pilow', 'pillow'],
    ['moug', 'mug'],
    ['burgandy hat', 'burgundy hat'],
    ['chracoal', 'charcoal'],
    ['sherlok', 'sherlock'],
  ])('%j is corrected to %j', (typed, meant) => {
    expect(correctTypos(typed, vocabulary, ['Charcoal', 'Burgundy'])).toBe(meant)
  })

  test.each(['cat', 'dog', 'xyzzy', '%', 'a', 'bats'])('%j is left as it is', (typed) => {
    expect(correctTypos(typed, vocabulary, [])).toBe(typed)
  })

  test('is an extra, missing or wrong letter, or two swapped', () => {
    expect(['hatt', 'ht', 'hut', 'hta', 'hat', 'that'].map((typed) => editDistance(typed, 'hat'))).toEqual([
      1, 1, 1, 1, 0, 1,
    ])
    expect(nearestWord('mugg', ['rug', 'mug', 'mud'])).toBe('mug')
  })
})

test('a filter’s words are taken as typed, in lower case', () => {
  expect(literalTerms(' CERAMIC\tmug 100 % s_w "after ').map(({ text, literal }) => [text, literal])).toEqual(
    ['ceramic', 'mug', '100', '%', 's_w', '"after'].map((text) => [text, true]),
  )
  expect(literalTerms(' ')).toEqual([])
})

describe('in another language', () => {
  test.each([
    ['de', 'Becher', ['mug'], []],
    ['de', 'Rudy-Tasse', ['mug'], ['rudy']],
    ['de', 'eine Mütze von Rudy', ['vented-hat', 'hat'], ['rudy']],
    ['de', 'mug', ['mug'], []],
    ['fr', 'casquette', ['vented-hat', 'hat'], []],
    ['fr', 'un t-shirt pour moi', ['t-shirt'], []],
    ['es', 'taza de rudy', ['mug'], ['rudy']],
    ['ja', 'マグカップ', ['mug'], []],
    ['ja', 'クッション', ['pillow'], []],
  ] as const)('%s: %s means %j of %j', (language, query, types, collections) => {
    const terms = parseSearchTerms(query, createVocabulary(named, language))
    expect(terms.flatMap((term) => term.types)).toEqual(types)
    for (const collection of collections) expect(terms.flatMap((term) => term.collections)).toContain(collection)
  })

  test.each([
    ['de', 'schwarz', 'black'],
    ['fr', 'noir', 'black'],
    ['de', 'schwarze', 'black'],
    ['fr', 'noires', 'black'],
    ['es', 'negras', 'black'],
    ['ja', 'ブラック', 'black'],
  ] as const)('%s: %s is %s', (language, query, color) => {
    expect(parseSearchTerms(query, createVocabulary(named, language))[0]?.alike).toContain(color)
  })

  test('words of one language mean nothing in another, and typos are corrected in each', () => {
    expect(parse('tasse')[0]?.types).toEqual([])
    expect(correctTypos('shwarze tase', createVocabulary(named, 'de'), [])).toBe('schwarze tasse')
  })
})
