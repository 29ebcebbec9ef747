import { expect, test } from 'vitest'
import { pictureModels } from '#domain/pictures/picture-models.ts'
import { grainOf } from './cloth.ts'
import type { View } from './passes.ts'

const SIZE = 480

const CLOSE = 8

/** Cloth seen from straight above, so close that even fine threads show; print is on its left half. */
const cloth: View = {
  ...{ width: SIZE, height: SIZE, span: { u: (CLOSE * SIZE) / 2, v: CLOSE * SIZE } },
  light: new Float32Array(0),
  rest: new Float32Array(0),
  cover: new Float32Array(0),
  print: Uint16Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
    const [x, y] = [Math.trunc(at / 2) % SIZE, Math.trunc(at / 2 / SIZE)]
    if (x >= SIZE / 2) return 0
    return 65535 * (at % 2 === 0 ? (2 * x) / SIZE / CLOSE : 1 - y / SIZE / CLOSE)
  }),
  zones: Uint8Array.from({ length: SIZE * SIZE * 3 }, (_, at) =>
    at % 3 === 1 || (at % 3 === 2 && Math.trunc(at / 3) % SIZE >= SIZE / 2) ? 0 : 255,
  ),
  shadow: new Uint8Array(0),
}

test('cloth and powder coat have a grain in and beside their print area that leaves their light as it was; glaze has none', () => {
  const hard = pictureModels.filter((model) => !grainOf(model, cloth))
  expect(hard).toEqual(['mug'])
  for (const model of pictureModels.filter((one) => !hard.includes(one))) {
    const grain = grainOf(model, cloth)
    for (const left of [20, SIZE / 2 + 20]) {
      const values = Array.from({ length: 200 * 400 }, (_, i) =>
        grain ? grain.at((20 + Math.trunc(i / 200)) * SIZE + left + (i % 200)) : 0,
      )
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
      expect(Math.abs(mean), model).toBeLessThan(0.01)
      expect(spread, model).toBeGreaterThan(0.01)
      expect(spread, model).toBeLessThan(0.25)
    }
  }
})

test('no thread breaks off where the print area of bent cloth ends', () => {
  const bent: View = {
    ...cloth,
    print: Uint16Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
      const [x, y] = [(Math.trunc(at / 2) % SIZE) / SIZE, Math.trunc(at / 2 / SIZE) / SIZE]
      if (x >= 0.5) return 0
      return 65535 * (at % 2 === 0 ? (2 * x - x ** 2 / 2) / CLOSE : 1 - (y + x ** 2 / 3) / CLOSE)
    }),
  }
  const grain = grainOf('hat', bent)
  const step = (x: number) =>
    Array.from({ length: 400 }, (_, y) => {
      const i = (y + 20) * SIZE + x
      return grain ? Math.abs(grain.at(i) - grain.at(i - 1)) : 0
    }).reduce((sum, value) => sum + value, 0)
  expect(step(SIZE / 2)).toBeLessThan(1.5 * step(SIZE / 2 - 5))
})

test('threads of sewn cloth follow their panel, break off at its seam, and are not on what is sewn on', () => {
  const seam = SIZE / 2
  const weave = Float32Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
    const [x, y] = [Math.trunc(at / 2) % SIZE, Math.trunc(at / 2 / SIZE)]
    if (y > 400) return Number.NaN
    const across = x < seam ? x : x - seam + 333
    return (at % 2 === 0 ? across : SIZE - y) / SIZE / CLOSE
  })
  const grain = grainOf('hat', { ...cloth, weave })
  const at = (x: number, y: number) => grain?.at(y * SIZE + x) ?? 0
  const rows = Array.from({ length: 300 }, (_, y) => y + 20)
  const step = (x: number) => rows.reduce((sum, y) => sum + Math.abs(at(x, y) - at(x - 1, y)), 0)
  expect(step(seam)).toBeGreaterThan(2 * step(seam - 5))
  // ribs climb to the right on both panels: from one place to the next along a rib little changes, across it much
  const change = (x: number, by: number) => rows.reduce((sum, y) => sum + Math.abs(at(x + 4, y + by) - at(x, y)), 0)
  for (const x of [100, seam + 100]) expect(change(x, -4)).toBeLessThan(0.5 * change(x, 4))
  expect(at(100, 410)).toBe(0)
})

test.each(['t-shirt', 'polo'] as const)('a whole %s on its hanger shows its knit', (model) => {
  const wide = 288 // pixels that the print area has there
  const hung: View = {
    ...cloth,
    span: { u: wide, v: wide },
    print: Uint16Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
      const [x, y] = [Math.trunc(at / 2) % SIZE, Math.trunc(at / 2 / SIZE)]
      if (x >= SIZE / 2) return 0
      return 65535 * (at % 2 === 0 ? x / wide : Math.max(0, 1 - y / wide))
    }),
  }
  const grain = grainOf(model, hung)
  const values = Array.from({ length: 200 * 200 }, (_, i) =>
    grain ? grain.at((20 + Math.trunc(i / 200)) * SIZE + 20 + (i % 200)) : 0,
  )
  expect(Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)).toBeGreaterThan(0.008)
})
