import { describe, expect, test } from 'vitest'
import { collectionCanBecome, collectionInPath, collectionOfPage } from './collections.ts'

const known = [
  { id: 'rudy', slug: 'rudy', name: 'Rudy' },
  { id: 'sherlock', slug: 'baker-street', name: 'Sherlock' },
  { id: 'biscuit', slug: 'biscuit', name: 'Biscuit & Co' },
]

test.each([
  ['/RudyCollection', 'rudy'],
  ['/collection/rudy', 'rudy'],
  ['/BiscuitCoCollection', 'biscuit'],
  ['/collections/baker-street', 'sherlock'],
  ['/baker-street', 'sherlock'],
  ['/baker-street/', 'sherlock'],
  ['/sherlock', undefined],
  ['/collections/popular-pets', undefined],
  ['/rudycollection', 'rudy'],
  ['/SHERLOCK', undefined],
  ['/products', undefined],
  ['/product/sherlock', undefined],
  ['/', undefined],
  ['/__proto__', undefined],
])('%s names the collection %s', (pathname, collection) => {
  expect(collectionInPath(pathname, known)?.id).toBe(collection)
})

describe('the collection of a page', () => {
  test.each([
    ['the address before the product', { pathname: '/baker-street', firstProductName: 'Rudy Mug' }, 'sherlock'],
    [
      'the first product’s name on other pages',
      { pathname: '/product/31', firstProductName: 'Sherlock Mug 11 oz' },
      'sherlock',
    ],
    ['only whole words of it', { pathname: '/product/31', firstProductName: 'Sherlockian Mug' }, undefined],
  ])('is chosen by %s', (_, page, collection) => {
    expect(collectionOfPage(page, known)?.id).toBe(collection)
  })

  test('is unknown on other pages, so the visitor’s current one stays', () => {
    expect(collectionOfPage({ pathname: '/about' }, known)).toBeUndefined()
  })
})

test('a published collection can be retired and come back, but is never a draft again', () => {
  expect(collectionCanBecome('published', 'retired')).toBe(true)
  expect(collectionCanBecome('retired', 'published')).toBe(true)
  expect(collectionCanBecome('published', 'draft')).toBe(false)
  expect(collectionCanBecome('retired', 'draft')).toBe(false)
})
