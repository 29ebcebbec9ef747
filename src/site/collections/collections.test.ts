import { describe, expect, test } from 'vitest'
import { collections, defaultCollection, findCollection } from './collections.ts'

/** WCAG 2.2, relative luminance of an sRGB color: 0 is black, 1 is white. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const AA_TEXT = 4.5
const AA_SHAPE = 3
const IVORY = '#f8f4ea'

describe.each(Object.values(collections))(
  '$displayName',
  ({ id, displayName, colors, emailSubject, keywords, ...texts }) => {
    test('both texts are readable on page, card and quiet button', () => {
      for (const text of [colors.textPrimary, colors.textSecondary])
        for (const ground of [colors.background, colors.surface, colors.buttonSecondary])
          expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(AA_TEXT)
    })

    test('ivory is readable on the strong colors', () => {
      for (const ground of [colors.primary, colors.buttonPrimary, colors.buttonHover])
        expect(contrast(IVORY, ground), ground).toBeGreaterThanOrEqual(AA_TEXT)
    })

    test('the primary button stands out from page and card', () => {
      for (const ground of [colors.background, colors.surface])
        expect(contrast(colors.buttonPrimary, ground), ground).toBeGreaterThanOrEqual(AA_SHAPE)
    })

    test('colors are six-digit hex', () => {
      expect(Object.values(colors).filter((color) => !/^#[0-9a-f]{6}$/.test(color))).toEqual([])
    })

    test('the mail subject follows the pattern', () => {
      expect(emailSubject).toBe(`Order Confirmation PF{orderId} - ${displayName}`)
    })

    test('every text says something, without shouting', () => {
      expect(Object.values(texts).filter((text) => text.trim() === '' || text.includes('!'))).toEqual([])
      expect(keywords).toContain(texts.petName.toLowerCase())
    })

    test('it is found by its id', () => {
      expect(findCollection(id)?.displayName).toBe(displayName)
    })
  },
)

test('there are three collections, and rudy is the default', () => {
  expect(Object.keys(collections)).toEqual(['rudy', 'sherlock', 'example'])
  expect(defaultCollection.id).toBe('rudy')
})

test.each(['', 'Rudy', 'toString', '__proto__', 'popular-pets'])('there is no collection %j', (id) => {
  expect(findCollection(id)).toBeUndefined()
})
