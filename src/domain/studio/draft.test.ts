import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import {
  draftCanBecome,
  EMPTY_DRAFT,
  objectionsToDraft,
  slugFrom,
  variantExternalId,
  type DraftContent,
} from './draft.ts'
import { fitPlacement } from './placement.ts'
import { sizesMade } from './prices.ts'

const complete: DraftContent = {
  ...EMPTY_DRAFT,
  blankId: 71,
  placements: [
    { area: 'front', drawing: 'drawing.0123456789', x: 0.5, y: 0.4, width: 0.8, height: 0.6, threadColors: [] },
  ],
  colors: ['Black'],
  sizes: ['S', 'M'],
  prices: [
    { size: 'S', price: cents(2995) },
    { size: 'M', price: cents(2995) },
  ],
  name: 'Biscuit',
  slug: 'biscuit',
  description: 'A dog.',
  type: 't-shirt',
  collection: 'biscuit',
}

test('a draft says what it still needs, at the step where it is entered', () => {
  expect(objectionsToDraft(complete)).toEqual([])
  expect(objectionsToDraft({ ...complete, sizes: ['S', 'M', 'L'] })).toEqual([
    { step: 'price', sentence: 'Please enter a price for L.' },
  ])
  expect(objectionsToDraft(EMPTY_DRAFT).map(({ step }) => step)).toEqual([
    ...['blank', 'drawing', 'options', 'price'],
    ...['words', 'words', 'words', 'words', 'words'],
  ])
})

test('a product taken over from the printer needs only prices and words', () => {
  const taken = { ...complete, takenOver: 7, blankId: null, placements: [], colors: [] }
  expect(objectionsToDraft(taken)).toEqual([])
  expect(objectionsToDraft({ ...taken, prices: [] }).map(({ step }) => step)).toEqual(['price'])
})

test('a published draft stays as it is, and a draft that is being made cannot be opened', () => {
  expect(draftCanBecome('published', 'open')).toBe(false)
  expect(draftCanBecome('creating', 'open')).toBe(false)
  expect(draftCanBecome('refused', 'creating')).toBe(true)
})

test('a name becomes an address', () => {
  expect(slugFrom('Rudy’s “Lazy” Café Hoodie!')).toBe('rudys-lazy-cafe-hoodie')
})

test('variants of a long address differ within the printer’s length', () => {
  expect(variantExternalId('x'.repeat(100), 4012)).toHaveLength(64)
  expect(variantExternalId('x'.repeat(100), 4012)).toMatch(/-4012$/)
})

test('on another print area a drawing keeps its shape and stays inside', () => {
  const share = fc.double({ min: 0.05, max: 1, noNaN: true })
  const side = fc.integer({ min: 300, max: 6000 })
  const area = fc.record({ width: side, height: side })
  fc.assert(
    fc.property(share, share, share, share, area, area, (x, y, width, height, from, to) => {
      const placement = { ...EMPTY_PLACEMENT, x, y, width, height }
      const fitted = fitPlacement(placement, from, { placement: 'back', ...to })
      const shapeOf = (box: { width: number; height: number }, of: { width: number; height: number }) =>
        (box.height * of.height) / (box.width * of.width)
      expect(shapeOf(fitted, to)).toBeCloseTo(shapeOf(placement, from), 6)
      expect(fitted.width).toBeLessThanOrEqual(width)
      for (const [center, size] of [
        [fitted.x, fitted.width],
        [fitted.y, fitted.height],
      ] as const) {
        expect(center - size / 2).toBeGreaterThanOrEqual(-1e-9)
        expect(center + size / 2).toBeLessThanOrEqual(1 + 1e-9)
      }
    }),
  )
})

const EMPTY_PLACEMENT = { area: 'front', drawing: 'd', x: 0.5, y: 0.5, width: 1, height: 1, threadColors: [] }

test.each([
  ['no color yet', [], ['11 oz', '15 oz', 'One size']],
  ['a color of two sizes', ['Black'], ['11 oz', '15 oz']],
  ['a color of another size', ['Ivory'], ['One size']],
])('sizes to choose with %s are those that the printer makes', (_, colors, made) => {
  const of = (color: string, ...sizes: string[]) => sizes.map((size) => ({ color, size, cost: null }))
  const variants = [...of('Black', '11 oz', '15 oz'), ...of('Ivory', 'One size')]
  expect(sizesMade({ sizes: ['11 oz', '15 oz', 'One size'], variants }, colors)).toEqual(made)
})
