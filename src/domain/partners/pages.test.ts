import { expect, test } from 'vitest'
import { linkCodeFrom, nameCodeOf, parseShopPath, productOfPage } from './pages.ts'

const origin = 'https://shop.example'

test.each([
  ['/', '/'],
  ['https://shop.example', '/'],
  ['https://shop.example/products/', '/products'],
  ['/product/12?variant=4294967301', '/product/12?variant=4294967301'],
  [' /collections/rudy#grid ', '/collections/rudy'],
  ['/search?q=nap%20time&type=hat', '/search?q=nap%20time&type=hat'],
  ['/RudyCollection', '/RudyCollection'],
])('a link may lead to %s', (typed, path) => expect(parseShopPath(typed, origin)).toBe(path))

test.each([
  ['https://evil.example/products'],
  ['https://shop.example.evil.example/products'],
  ['https://shop.example@evil.example/'],
  ['//evil.example'],
  ['/\\evil.example'],
  ['javascript:alert(1)'],
  ['products'],
  ['/products\\..\\desk'],
  ['/product/../admin'],
  ['/admin/orders'],
  ['/api/products'],
  ['/r/abc'],
  ['/checkout'],
  ['/partnership'],
  ['/products\r\nLocation: https://evil.example'],
  ['/product/1 2'],
  [''],
])('a link never leads to %j', (typed) => expect(parseShopPath(typed, origin)).toBeUndefined())

test('a product page’s link names it by number or slug', () => {
  expect(productOfPage('/product/12?variant=3')).toBe('12')
  expect(productOfPage('/product/rudy-hat')).toBe('rudy-hat')
  expect(productOfPage('/products')).toBeUndefined()
})

test.each([
  ['The Bullion Hour', 'the-bullion-hour'],
  ['  Ünïcode & Söhne!! ', 'unicode-sohne'],
  ['愛', ''],
  ['x'.repeat(40), 'x'.repeat(24)],
])('the code of %j is %j', (name, code) => expect(nameCodeOf(name)).toBe(code))

test('a code has one letter per byte, without ambiguous letters', () => {
  expect(linkCodeFrom(Uint8Array.from({ length: 256 }, (_, byte) => byte))).toMatch(/^[2-9a-hjkmnp-z]{256}$/)
})
