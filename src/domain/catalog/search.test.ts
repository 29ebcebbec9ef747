import { describe, expect, test } from 'vitest'
import { correctTypos, literalTerms, parseSearchTerms } from './search-terms.ts'
import { normalizeQuery } from './search.ts'
import { nearestWord, editDistance } from './typos.ts'

describe('a search query', () => {
  test.each([
    ['tee', ['t-shirt']],
    ['T-Shirt', ['t-shirt']],
    ['tshirts', ['t-shirt']],
    ['shirt', ['t-shirt', 'polo']],
    ['cap', ['vented-hat', 'hat']],
    ['HATS', ['vented-hat', 'hat']],
    ['trucker cap', ['vented-hat']],
    ['cups', ['mug']],
    ['tote bag', ['tote']],
    ['bag', ['tote']],
    ['cushion', ['pillow']],
    ['throw', ['blanket']],
    ['throw pillow', ['pillow']],
    ['koozie', ['can-cooler']],
    ['can cooler', ['can-cooler']],
    ['mousepad', ['mouse-pad']],
    ['mouse-pad', ['mouse-pad']],
    ['“bottle”,', ['water-bottle']],
    ['ingots', []],
  ])('%j matches the product types %j', (query, types) => {
    expect(parseSearchTerms(query).flatMap((term) => term.types)).toEqual(types)
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
    expect(parseSearchTerms(query).map(({ text }) => text)).toEqual(texts)
  })

  test('signs outside of words are matched literally', () => {
    expect(parseSearchTerms('50% a_b plain').map(({ literal }) => literal)).toEqual([true, true, false])
  })

  test('a channel’s handle and a pet’s keywords find its collection', () => {
    expect(parseSearchTerms('@thebullionhour')[0]?.collections).toEqual(['rudy'])
    expect(parseSearchTerms('guinea')[0]?.collections).toEqual(['example'])
    expect(parseSearchTerms('Sherlock')[0]?.collections).toEqual(['sherlock'])
  })

  test('only the start of a very long query is read', () => {
    expect(normalizeQuery('x'.repeat(10_000))).toHaveLength(200)
    expect(parseSearchTerms('mug '.repeat(2500))).toHaveLength(12)
    expect(parseSearchTerms('ﷺ'.repeat(10_000)).length).toBeLessThanOrEqual(12)
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
    expect(correctTypos(typed, ['Charcoal', 'Burgundy'])).toBe(meant)
  })

  test.each(['cat', 'dog', 'xyzzy', '%', 'a', 'bats'])('%j is left as it is', (typed) => {
    expect(correctTypos(typed, [])).toBe(typed)
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
