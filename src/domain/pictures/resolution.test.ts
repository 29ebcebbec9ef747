import { expect, test } from 'vitest'
import { printedDpi, resolutionWarning } from './resolution.ts'

const shirt = { width: 12, height: 16 } // inches

test.each([
  // pixels of the drawing, share of the print area, dots per inch
  [{ width: 3600, height: 4800 }, { width: 1, height: 1 }, 300],
  [{ width: 1800, height: 2400 }, { width: 1, height: 1 }, 150],
  [{ width: 1800, height: 2400 }, { width: 0.5, height: 0.5 }, 300],
  // A wide drawing fills the width only, a tall one the height only.
  [{ width: 1800, height: 600 }, { width: 1, height: 1 }, 150],
  [{ width: 300, height: 2400 }, { width: 1, height: 1 }, 150],
  // A flat box holds a square drawing by its height.
  [{ width: 1000, height: 1000 }, { width: 1, height: 0.25 }, 250],
  [{ width: 800, height: 800 }, { width: 1, height: 1 }, 66],
])('a drawing of %o in %o of a 12 x 16 inch print area prints at %i dots per inch', (drawing, placement, dpi) => {
  expect(printedDpi(drawing, shirt, placement)).toBe(dpi)
})

test('the owner is warned below 150 dots per inch, and never about a vector drawing', () => {
  const whole = { width: 1, height: 1 }
  expect(resolutionWarning({ width: 1800, height: 2400, isVector: false }, shirt, whole)).toBeUndefined()
  expect(resolutionWarning({ width: 1700, height: 2270, isVector: false }, shirt, whole)).toContain('141 dots per inch')
  expect(resolutionWarning({ width: 40, height: 50, isVector: true }, shirt, whole)).toBeUndefined()
})
