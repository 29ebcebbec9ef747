import { expect, test } from 'vitest'
import { colorIn, colorText } from './color-text.ts'

test.each([
  ['Navy #1f2a44', { name: 'Navy', hex: '#1f2a44' }],
  ['Ivory with Gold #f3eee2 #b98d3c', { name: 'Ivory with Gold', hex: '#f3eee2', accent: '#b98d3c' }],
])('%s is read and written as a color', (text, color) => {
  expect(colorIn(text)).toEqual(color)
  expect(colorText(color)).toBe(text)
})

test.each([
  ['Vault Black', { name: 'Vault Black', hex: '' }],
  ['  Navy   #1f2a44 ', { name: 'Navy', hex: '#1f2a44' }],
  ['Navy #blue', { name: 'Navy', hex: '#blue' }],
])('“%s” keeps what it says, for the server to judge', (text, color) => {
  expect(colorIn(text)).toEqual(color)
})
