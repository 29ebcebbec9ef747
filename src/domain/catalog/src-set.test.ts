import { expect, test } from 'vitest'
import { cardSrcSet, fullSrcSet } from './src-set.ts'

test.each([
  [
    'our own pictures list only their widths',
    '/pictures/hat.ivory.0a1.960.webp',
    '/pictures/hat.ivory.0a1.960.webp 960w, /pictures/hat.ivory.0a1.320.webp 320w',
    '960 320',
  ],
  ['one size is a list of one', '/pictures/hat.640.webp', '/pictures/hat.640.webp 640w', '640'],
  ['so it is with a copy', '/pictures/copied/ab12.png', '/pictures/copied/ab12.png 1000w', '1000'],
  [
    'other pictures keep their full list',
    '/pictures/a.640.webp',
    '/pictures/a.640.webp 640w, /pictures/b.320.webp 320w',
    undefined,
  ],
  ['no size at all stays none', '/pictures/a.640.webp', '', undefined],
])('%s', (_, src, srcSet, short = srcSet) => {
  expect(cardSrcSet({ src, srcSet })).toBe(short)
  expect(fullSrcSet({ src, srcSet: short })).toBe(srcSet)
  expect(fullSrcSet({ src, srcSet })).toBe(srcSet)
})
