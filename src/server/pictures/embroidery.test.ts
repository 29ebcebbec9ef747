import { expect, test } from 'vitest'
import { stitch } from './embroidery.ts'

const SIZE = 60

/** A red square on a transparent ground. */
const square = Uint8Array.from({ length: SIZE * SIZE * 4 }, (_, at) => {
  const [x, y] = [Math.trunc(at / 4) % SIZE, Math.trunc(at / 4 / SIZE)]
  const inside = x >= 20 && x < 40 && y >= 20 && y < 40
  return at % 4 === 0 || at % 4 === 3 ? (inside ? 255 : 0) : 0
})
const { thread, cloth } = stitch({ data: square, width: SIZE, height: SIZE }, 5)
const at = (x: number, y: number) => y * SIZE + x

test('an embroidered edge that faces the light is brighter than one that faces away', () => {
  const along = (y: number) =>
    Array.from({ length: 16 }, (_, i) => thread[at(22 + i, y)] ?? 0).reduce((a, b) => a + b, 0) / 16
  expect(along(20)).toBeGreaterThan(along(39) + 0.1)
})

test('an embroidered fill shows its rows of stitches', () => {
  const inside = Array.from({ length: 100 }, (_, i) => thread[at(25 + (i % 10), 25 + Math.trunc(i / 10))] ?? 0)
  expect(Math.max(...inside) - Math.min(...inside)).toBeGreaterThan(0.2)
})

test('the cloth is darker at the lower right of the thread, and untouched far from it', () => {
  expect(cloth[at(42, 42)]).toBeLessThan(cloth[at(17, 17)] ?? 0)
  expect(cloth[at(2, 2)]).toBe(1)
  expect(thread[at(2, 2)]).toBe(1)
})
