import { expect, test } from 'vitest'
import { pictureModels } from '#domain/pictures/picture-models.ts'
import { grainOf } from './cloth.ts'
import type { View } from './passes.ts'

const SIZE = 480

/** Cloth seen from straight above; the print area is its left half. */
const cloth: View = {
  ...{ width: SIZE, height: SIZE, span: { u: SIZE / 2, v: SIZE } },
  light: new Float32Array(0),
  rest: new Float32Array(0),
  cover: new Float32Array(0),
  print: Uint16Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
    const [x, y] = [Math.trunc(at / 2) % SIZE, Math.trunc(at / 2 / SIZE)]
    if (x >= SIZE / 2) return 0
    return 65535 * (at % 2 === 0 ? (2 * x) / SIZE : 1 - y / SIZE)
  }),
  zones: Uint8Array.from({ length: SIZE * SIZE * 3 }, (_, at) =>
    at % 3 === 1 || (at % 3 === 2 && Math.trunc(at / 3) % SIZE >= SIZE / 2) ? 0 : 255,
  ),
  shadow: new Uint8Array(0),
}

test('a cloth has threads in and beside its print area that leave its light as it was; glaze and steel have none', () => {
  const hard = pictureModels.filter((model) => !grainOf(model, cloth))
  expect(hard).toEqual(['mug', 'water-bottle'])
  for (const model of pictureModels.filter((one) => !hard.includes(one))) {
    const grain = grainOf(model, cloth)
    for (const left of [20, SIZE / 2 + 20]) {
      const values = Array.from({ length: 200 * 400 }, (_, i) =>
        grain ? grain((20 + Math.trunc(i / 200)) * SIZE + left + (i % 200)) : 0,
      )
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
      expect(Math.abs(mean), model).toBeLessThan(0.01)
      expect(spread, model).toBeGreaterThan(0.01)
      expect(spread, model).toBeLessThan(0.25)
    }
  }
})
