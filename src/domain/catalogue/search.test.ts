import { describe, expect, test } from 'vitest'
import { matching, search } from './search.ts'

const products = [
  { name: 'Rudy Mug 11 oz', description: 'For coffee, 100 % ceramic.', collection: 'rudy' },
  { name: 'Sherlock Mug', description: 'A case for tea.', collection: 'sherlock' },
  { name: 'Rudy Hat "After Hours"', description: 'Sleeps_well on any head.', collection: 'rudy' },
]
const names = (query: string) =>
  search(products, query).groups.flatMap((group) => group.products.map(({ name }) => name))

describe('a search', () => {
  test.each([
    ['finds in names', 'hat', ['Rudy Hat "After Hours"']],
    ['finds in descriptions', 'ceramic', ['Rudy Mug 11 oz']],
    ['does not mind case or blanks around it', '  MUG\t', ['Rudy Mug 11 oz', 'Sherlock Mug']],
    ['wants every word, in any order', 'mug rudy', ['Rudy Mug 11 oz']],
    ['takes % literally', '100 %', ['Rudy Mug 11 oz']],
    ['takes _ literally', 'sleeps_', ['Rudy Hat "After Hours"']],
    ['takes quotes literally', '"after', ['Rudy Hat "After Hours"']],
    ['takes a pattern literally', '.*', []],
    ['finds nothing for nothing', '   ', []],
  ])('%s', (_, query, found) => expect(names(query)).toEqual(found))

  test('groups by collection and counts', () => {
    const { count, groups } = search(products, 'rudy')
    expect([count, groups.map(({ collection, products: members }) => [collection, members.length])]).toEqual([
      2,
      [['rudy', 2]],
    ])
  })

  test('of ten thousand characters is only a search that finds nothing', () => {
    expect(search(products, 'mug '.repeat(2500) + 'zzz').count).toBe(0)
  })
})

test('a filter without words lets everything through', () => {
  expect(matching(products, ' ')).toHaveLength(3)
})
