import { afterEach, expect, test, vi } from 'vitest'
import { navigateByLink } from './link-navigation.ts'
import type { LinkHandler } from './Link.tsx'

afterEach(() => vi.unstubAllGlobals())

type Press = { to?: string; from?: string; event?: object; download?: boolean; target?: string }

/** What comes of a press on a link: the page that opens in this document, or nothing but what the browser does. */
function press({ to = '/products', from = '/about', event = {}, download = false, target = '' }: Press) {
  const [here, there] = [new URL(from, 'https://paw.test'), new URL(to, 'https://paw.test')]
  vi.stubGlobal('location', here)
  const { origin, pathname, search, hash } = there
  const link = { origin, pathname, search, hash, target, hasAttribute: () => download }
  const navigate = vi.fn(() => Promise.resolve())
  const preventDefault = vi.fn()
  const pressed = { button: 0, currentTarget: link, preventDefault, ...event }
  navigateByLink({ navigate })(pressed as unknown as Parameters<LinkHandler>[0])
  expect(preventDefault).toHaveBeenCalledTimes(navigate.mock.calls.length)
  return navigate.mock.calls[0]
}

test('a press opens the page in this document', () => {
  expect(press({ to: '/products?type=hat#list' })).toEqual(['/products?type=hat#list', { replace: false }])
})

test('where one already is makes no step in the history', () => {
  expect(press({ from: '/about', to: '/about' })).toEqual(['/about', { replace: true }])
  expect(press({ from: '/about', to: '/about#team' })).toEqual(['/about#team', { replace: false }])
})

test.each<[string, Press]>([
  ['a middle button', { event: { button: 1 } }],
  ...['metaKey', 'ctrlKey', 'shiftKey', 'altKey'].map((key): [string, Press] => [key, { event: { [key]: true } }]),
  ['another site', { to: 'https://elsewhere.test/products' }],
  ['mail', { to: 'mailto:help@paw.test' }],
  ['a file', { download: true }],
  ['another tab', { target: '_blank' }],
  ['the way to the checkout', { to: '/checkout' }],
  ['the way out of it', { from: '/checkout?step=2' }],
])('%s is the browser’s own', (_, pressed) => {
  expect(press(pressed)).toBeUndefined()
})
