import { expect, test } from 'vitest'
import { returnPath, signInPath } from './return-to.ts'

test.each(['/partnership', '/', '/product/rudy-vented-hat?variant=12', '/search?q=//hat', '/about#mission'])(
  'whoever was sent to sign in by %s goes back there',
  (page) => {
    expect(returnPath(signInPath(page).replace('/auth', ''))).toBe(page)
  },
)

test.each([
  ['', 'nothing'],
  ['https://evil.example/', 'another site'],
  ['//evil.example', 'another host'],
  ['///evil.example', 'another host with three slashes'],
  ['/\\evil.example', 'a backslash'],
  ['/.//evil.example', 'a dot before another host'],
  ['/a/..//evil.example', 'two dots before another host'],
  ['/\t/evil.example', 'a tab that browsers drop'],
  ['\n/partnership', 'a line break'],
  ['javascript:alert(1)', 'a script'],
  ['partnership', 'no path'],
  ['/auth', 'the sign-in page'],
  ['/auth?returnTo=%2Fauth', 'the sign-in page with a query'],
])('%j leads to the partner portal: %s', (address) => {
  expect(returnPath(`?returnTo=${encodeURIComponent(address)}`)).toBe('/partnership')
})

test('without a page that asked one goes to the partner portal', () => {
  expect(returnPath('')).toBe('/partnership')
})
