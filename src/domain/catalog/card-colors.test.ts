import { expect, test } from 'vitest'
import { chooseCardColors } from './card-colors.ts'

const hexes = { Charcoal: '#2b2a2d', Black: '#1b1a1c', Navy: '#1f2a44', Ivory: '#f1ece0', Sage: '#9aab8f' } as const
type Name = keyof typeof hexes

const piece = (names: readonly Name[], soldOut: readonly Name[] = [], first: string | null = names[0] ?? null) => ({
  colors: names.map((name) => ({ name, hex: hexes[name], available: !soldOut.includes(name) })),
  images: [{ color: first }, ...names.map((color) => ({ color }))],
})

test('neighbors in a row and in a column do not look alike', () => {
  const dark = piece(['Charcoal', 'Black', 'Ivory', 'Sage'])
  const [first, second, third] = chooseCardColors([dark, dark, dark])
  expect(first).toBe('Charcoal')
  expect(second).toBe('Ivory')
  expect(third).toBe('Sage')
})

test('a product of one color keeps it, and the others differ from it', () => {
  expect(chooseCardColors([piece(['Black']), piece(['Charcoal', 'Ivory'])])).toEqual(['Black', 'Ivory'])
})

test('a color is shown only if it is for sale and has a picture', () => {
  const hat = piece(['Charcoal', 'Ivory', 'Sage'], ['Ivory'])
  expect(chooseCardColors([piece(['Black']), hat])).toEqual(['Black', 'Sage'])
  const unpictured = { ...hat, images: [{ color: 'Charcoal' }] }
  expect(chooseCardColors([piece(['Black']), unpictured])).toEqual(['Black', 'Charcoal'])
})

test('a filter decides, then the owner, whose first picture may be of no color', () => {
  const hat = piece(['Charcoal', 'Navy', 'Ivory'])
  expect(chooseCardColors([hat, hat], ['Navy'])).toEqual(['Navy', 'Navy'])
  expect(chooseCardColors([piece(['Charcoal', 'Ivory'], [], null)])).toEqual([null])
})
