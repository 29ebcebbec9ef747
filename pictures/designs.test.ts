import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { contourOn } from './demo-prints.ts'

const REACH = 2 // a slanted contour meets the opposite edge a little higher or lower
const NEARLY_LEVEL = 6 // pixels in which one goes along its edge; a cut through a head or a bone has dozens

test('tiles have no seam: what one edge cuts goes on at the opposite one', async () => {
  const tiles = new Set(demoProducts.flatMap(({ print, design }) => (print === 'all-over' ? design : [])))
  expect(tiles.size).toBeGreaterThanOrEqual(4)
  for (const design of tiles) {
    const svg = readFileSync(join(import.meta.dirname, 'designs', `${design}.svg`))
    const { data, info } = await sharp(svg).resize(300).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const { width, height } = info
    const isDrawn = (x: number, y: number) => (data[(y * width + x) * 4 + 3] ?? 0) > 127
    const goesOn = (length: number, here: (i: number) => boolean, there: (i: number) => boolean) =>
      Array.from({ length: length - 2 * REACH }, (_, at) => at + REACH).filter(
        (i) => ![-2, -1, 0, 1, 2].some((step) => there(i + step) === here(i)),
      )
    const rows = goesOn(
      height,
      (y) => isDrawn(0, y),
      (y) => isDrawn(width - 1, y),
    )
    const columns = goesOn(
      width,
      (x) => isDrawn(x, 0),
      (x) => isDrawn(x, height - 1),
    )
    expect([...rows, ...columns].length, design).toBeLessThanOrEqual(NEARLY_LEVEL)
  }
})

test('contours are a deeper tone of dark dyes, and stay as drawn on all others', () => {
  expect(['#2b2b2e', '#1f2a44', '#223d2f'].map(contourOn)).toEqual(['#1f1f21', '#161e31', '#182c22'])
  expect(['#f3eee2', '#75614a', '#a5a7aa'].map(contourOn)).toEqual(['#2a2523', '#2a2523', '#2a2523'])
})
