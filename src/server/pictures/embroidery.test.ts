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

/** How much a picture changes from row to row, as a share of all its changes: 1 where all threads lie across, 0 where all are upright. */
function acrossness(light: Float32Array, width: number, [left, top, right, bottom]: readonly number[]) {
  let [across, upright] = [0, 0]
  for (let y = top ?? 0; y < (bottom ?? 0); y++)
    for (let x = left ?? 0; x < (right ?? 0); x++) {
      const here = light[y * width + x] ?? 0
      across += Math.abs(here - (light[(y + 1) * width + x] ?? 0))
      upright += Math.abs(here - (light[y * width + x + 1] ?? 0))
    }
  return across / (across + upright)
}

/** The light on red boxes, sewn in rows eight texels apart. */
function sew(size: number, ...boxes: (readonly [number, number, number, number])[]) {
  const data = new Uint8Array(size * size * 4)
  for (const [left, top, right, bottom] of boxes)
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) data.set([255, 0, 0, 255], (y * size + x) * 4)
  return stitch({ data, width: size, height: size }, 8).thread
}

test('a narrow shape is sewn across its width, whichever way it goes, also where it turns', () => {
  const light = sew(160, [20, 20, 140, 40], [120, 40, 140, 140])
  expect(acrossness(light, 160, [40, 26, 100, 34])).toBeLessThan(0.4)
  expect(acrossness(light, 160, [126, 60, 134, 120])).toBeGreaterThan(0.6)
})

test('each area is filled in a direction of its own, also where another has its color', () => {
  const light = sew(320, [20, 20, 110, 300], [130, 110, 310, 200])
  const [upright, lying] = [acrossness(light, 320, [45, 60, 85, 260]), acrossness(light, 320, [160, 135, 280, 175])]
  expect(Math.abs(upright - lying)).toBeGreaterThan(0.2)
})

test('a wide area ends at the cloth in threads that cross its edge', () => {
  const light = sew(320, [40, 40, 280, 280])
  const [top, side, middle] = [
    acrossness(light, 320, [100, 44, 220, 54]),
    acrossness(light, 320, [44, 100, 54, 220]),
    acrossness(light, 320, [120, 120, 200, 200]),
  ]
  expect(top).toBeLessThan(middle)
  expect(side).toBeGreaterThan(middle)
})
