import { expect, test } from 'vitest'
import { returnPath, signInPath } from './return-to.ts'

const owner = { role: 'owner' } as const
const shopper = { role: null }

test.each(['/partnership', '/', '/product/rudy-vented-hat?variant=12', '/search?q=//hat', '/about#mission'])(
  'signing in leads back to the page that required it: %s',
  (page) => {
    expect(returnPath(signInPath(page).replace('/auth', ''), shopper)).toBe(page)
    expect(returnPath(signInPath(page).replace('/auth', ''), owner)).toBe(page)
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
])('the return address %j is ignored (%s)', (address) => {
  expect(returnPath(`?returnTo=${encodeURIComponent(address)}`, shopper)).toBe('/partnership')
})

test('without a return address, the owner lands in the admin and everyone else in the partner portal', () => {
  expect(returnPath('', owner)).toBe('/admin')
  expect(returnPath('', shopper)).toBe('/partnership')
})
