import { afterEach, expect, test, vi } from 'vitest'
import { navigateByLink } from './link-navigation.ts'
import type { LinkHandler } from './Link.tsx'

afterEach(() => vi.unstubAllGlobals())

type Picture = { style: { viewTransitionName?: string } }
type Press = {
  to?: string
  from?: string
  event?: object
  download?: boolean
  target?: string
  /** Of the card that the link is in. */
  picture?: Picture
}

/** @returns the arguments of `navigate`; undefined when the browser handles the click */
function press({ to = '/products', from = '/about', event = {}, download = false, target = '', picture }: Press) {
  const [here, there] = [new URL(from, 'https://paw.test'), new URL(to, 'https://paw.test')]
  vi.stubGlobal('location', here)
  const { origin, pathname, search, hash } = there
  const closest = () => picture && { querySelector: () => picture }
  const link = { origin, pathname, search, hash, target, hasAttribute: () => download, closest }
  const navigate = vi.fn(() => Promise.resolve())
  const preventDefault = vi.fn()
  const pressed = { button: 0, currentTarget: link, preventDefault, ...event }
  navigateByLink({ navigate })(pressed as unknown as Parameters<LinkHandler>[0])
  expect(preventDefault).toHaveBeenCalledTimes(navigate.mock.calls.length)
  return navigate.mock.calls[0]
}

test('a click on a link opens the page in this document', () => {
  expect(press({ to: '/products?type=hat#list' })).toEqual(['/products?type=hat#list', { replace: false }])
})

test('a link to the current page adds no history entry', () => {
  expect(press({ from: '/about', to: '/about' })).toEqual(['/about', { replace: true }])
  expect(press({ from: '/about', to: '/about#team' })).toEqual(['/about#team', { replace: false }])
})

test.each([
  ['moves to the product’s page', false, 'product', { replace: false, viewTransition: true }],
  ['stays where people want less motion', true, undefined, { replace: false }],
])('a card’s picture %s', (_, matches, name, options) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: matches && query.includes('reduced-motion: reduce') }))
  const picture: Picture = { style: {} }
  expect(press({ to: '/product/a-hat', picture })).toEqual(['/product/a-hat', options])
  expect(picture.style.viewTransitionName).toBe(name)
})

test.each<[string, Press]>([
  ['a middle click', { event: { button: 1 } }],
  ...['metaKey', 'ctrlKey', 'shiftKey', 'altKey'].map((key): [string, Press] => [
    `a click with ${key}`,
    { event: { [key]: true } },
  ]),
  ['a link to another site', { to: 'https://elsewhere.test/products' }],
  ['an email link', { to: 'mailto:help@paw.test' }],
  ['a download', { download: true }],
  ['a link to a new tab', { target: '_blank' }],
  ['a link to the checkout', { to: '/checkout' }],
  ['a link out of the checkout', { from: '/checkout?step=2' }],
])('the browser itself handles %s', (_, pressed) => {
  expect(press(pressed)).toBeUndefined()
})
