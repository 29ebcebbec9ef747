import { expect, test } from 'vitest'
import { house } from '#site/house.ts'
import { contrast, contrastProblems } from './contrast.ts'

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test.each([
  ['quiet text on a quiet button', { textSecondary: '#8a8478' }, 'textSecondary', /“Page”: 3\.\d:1, needed is 4\.5:1/],
  ['ivory text on a light button', { buttonHover: '#c0a060' }, 'buttonHover', /Too light for ivory text/],
  ['a button that is hard to see', { buttonPrimary: '#d0c8b8' }, 'buttonPrimary', /Too light for ivory text/],
  ['what is no color', { accent: 'gold' }, 'accent', /such as #1d1b19/],
] as const)('%s is refused at its color', (_, change, name, sentence) => {
  expect(contrastProblems({ ...house.colors, ...change } as typeof house.colors)[name]).toMatch(sentence)
})
