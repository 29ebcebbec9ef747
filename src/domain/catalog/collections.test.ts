import { describe, expect, test } from 'vitest'
import { collectionInPath, collectionOfPage } from './collections.ts'

const known = [
  { id: 'rudy', name: 'Rudy' },
  { id: 'sherlock', name: 'Sherlock' },
]

test.each([
  ['/RudyCollection', 'rudy'],
  ['/collection/rudy', 'rudy'],
  ['/collections/sherlock', 'sherlock'],
  ['/sherlock', 'sherlock'],
  ['/sherlock/', 'sherlock'],
  ['/collections/popular-pets', undefined],
  ['/rudycollection', undefined],
  ['/SHERLOCK', undefined],
  ['/products', undefined],
  ['/product/sherlock', undefined],
  ['/', undefined],
  ['/__proto__', undefined],
])('%s names the collection %s', (pathname, collection) => {
  expect(collectionInPath(pathname, known)).toBe(collection)
})

describe('the collection of a page', () => {
  test.each([
    ['the address before the product', { pathname: '/sherlock', firstProductName: 'Rudy Mug' }, 'sherlock'],
    [
      'the first product’s name on other pages',
      { pathname: '/product/31', firstProductName: 'Sherlock Mug 11 oz' },
      'sherlock',
    ],
    ['only whole words of it', { pathname: '/product/31', firstProductName: 'Sherlockian Mug' }, undefined],
  ])('is chosen by %s', (_, page, collection) => {
    expect(collectionOfPage(page, known)).toBe(collection)
  })

  test('is unknown on other pages, so the visitor’s current one stays', () => {
    expect(collectionOfPage({ pathname: '/about' }, known)).toBeUndefined()
  })
})
