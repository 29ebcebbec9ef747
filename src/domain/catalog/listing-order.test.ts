import { expect, test } from 'vitest'
import { sortForListing, productsOfCollection } from './listing-order.ts'
import { productTypes, type ProductType } from './product-types.ts'

const product = (type: ProductType, name: string) => ({ type, name })

test('product types are listed in the specified order, regardless of their names', () => {
  const shuffled = productTypes.toReversed().map((type, index) => product(type, `${index}`))
  expect(sortForListing(shuffled).map(({ type }) => type)).toEqual([
    'vented-hat',
    'hat',
    'visor',
    'polo',
    't-shirt',
    'mug',
    'water-bottle',
    'pillow',
    'tote',
    'mouse-pad',
    'can-cooler',
    'blanket',
  ])
})

test.each([
  [
    'hats of one kind',
    [product('hat', 'Rudy'), product('hat', 'alpha'), product('hat', 'Beta')],
    ['alpha', 'Beta', 'Rudy'],
  ],
  [
    'shirts, with collar or without',
    [product('t-shirt', 'B'), product('polo', 'A'), product('polo', 'C')],
    ['A', 'B', 'C'],
  ],
  [
    'all that has no place of its own',
    [product('mouse-pad', 'B'), product('blanket', 'C'), product('can-cooler', 'A')],
    ['A', 'B', 'C'],
  ],
])('%s are sorted by name', (_, products, names) => {
  expect(sortForListing(products).map(({ name }) => name)).toEqual(names)
})

test('sorting leaves the original list unchanged', () => {
  const given = [product('mug', 'B'), product('hat', 'A')]
  sortForListing(given)
  expect(given.map(({ name }) => name)).toEqual(['B', 'A'])
})

test('a collection lists only its own products, in the same order', () => {
  const of = (collection: string, type: ProductType) => ({ ...product(type, collection), collection })
  const all = [of('rudy', 'mug'), of('sherlock', 'hat'), of('rudy', 'hat')]
  expect(productsOfCollection(all, 'rudy').map(({ type }) => type)).toEqual(['hat', 'mug'])
})
