import { describe, expect, test } from 'vitest'
import { collections, defaultCollection, findCollection } from './collections.ts'

/** WCAG 2.2, relative luminance of an sRGB color: 0 is black, 1 is white. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const AA_TEXT = 4.5
const AA_SHAPE = 3
const IVORY = '#f8f4ea'

describe.each(Object.values(collections))(
  '$displayName',
  ({ id, displayName, colors, emailSubject, keywords, ...texts }) => {
    test('primary and secondary text are readable on pages, cards and quiet buttons', () => {
      for (const text of [colors.textPrimary, colors.textSecondary])
        for (const background of [colors.background, colors.surface, colors.buttonSecondary])
          expect(contrast(text, background), `${text} on ${background}`).toBeGreaterThanOrEqual(AA_TEXT)
    })

    test('ivory text is readable on the dark colors', () => {
      for (const background of [colors.primary, colors.buttonPrimary, colors.buttonHover])
        expect(contrast(IVORY, background), background).toBeGreaterThanOrEqual(AA_TEXT)
    })

    test('the primary button stands out on pages and cards', () => {
      for (const background of [colors.background, colors.surface])
        expect(contrast(colors.buttonPrimary, background), background).toBeGreaterThanOrEqual(AA_SHAPE)
    })

    test('every color is a six-digit hex code', () => {
      expect(Object.values(colors).filter((color) => !/^#[0-9a-f]{6}$/.test(color))).toEqual([])
    })

    test('the subject of the confirmation email follows the pattern', () => {
      expect(emailSubject).toBe(`Order Confirmation PF{orderId} - ${displayName}`)
    })

    test('no text is empty or shouts with an exclamation mark', () => {
      expect(Object.values(texts).filter((text) => text.trim() === '' || text.includes('!'))).toEqual([])
      expect(keywords).toContain(texts.petName.toLowerCase())
    })

    test('the collection is found by its id', () => {
      expect(findCollection(id)?.displayName).toBe(displayName)
    })
  },
)

test('the shop has three collections, and rudy is the default', () => {
  expect(Object.keys(collections)).toEqual(['rudy', 'sherlock', 'example'])
  expect(defaultCollection.id).toBe('rudy')
})

test.each(['', 'Rudy', 'toString', '__proto__', 'popular-pets'])('%j is not a collection', (id) => {
  expect(findCollection(id)).toBeUndefined()
})
