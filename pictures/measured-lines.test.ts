import { expect, test } from 'vitest'
import type { TypeMeasures } from '#sandbox/catalog/measures.ts'
import type { View } from '#server/pictures/passes.ts'
import { linesOf, stretchOf } from './measured-lines.ts'

const SIZE = 400

/** A view with these parts; a part's letter is its zone. */
function viewOf(part: (x: number, y: number) => 'A' | 'B' | undefined): View {
  const pixels = Array.from({ length: SIZE * SIZE }, (_, i) => part(i % SIZE, Math.floor(i / SIZE)))
  return {
    ...{ width: SIZE, height: SIZE, light: new Float32Array(), rest: new Float32Array(), print: new Uint16Array() },
    ...{ shadow: new Uint8Array(), span: undefined, cover: Float32Array.from(pixels, (zone) => (zone ? 1 : 0)) },
    zones: Uint8Array.from(pixels.flatMap((zone) => [zone === 'A' ? 255 : 0, zone === 'B' ? 255 : 0, 0])),
  }
}

const within = (value: number, from: number, to: number) => value >= from && value < to

test('lines end at the edges: a mug’s without its handle, a bag’s without its handles', () => {
  const mug: TypeMeasures = { type: 'mug', lines: { height: 4, width: 3 } }
  const handled = viewOf((x, y) =>
    !within(y, 20, 180) ? undefined : within(x, 30, 110) ? 'A' : within(x, 110, 150) ? 'B' : undefined,
  )
  const lines = linesOf(handled, mug)
  expect(lines).toEqual([
    { key: 'width', from: { x: 30, y: 180 }, to: { x: 110, y: 180 } },
    { key: 'height', from: { x: 30, y: 20 }, to: { x: 30, y: 180 } },
  ])
  // 80 by 160 pixels become 3 by 4.
  expect(stretchOf(lines, mug)).toBeCloseTo((80 / 160) * (4 / 3))

  const bag = viewOf((x, y) =>
    (within(y, 60, 180) && within(x, 40, 160)) || (within(y, 10, 60) && within(x, 80, 120)) ? 'A' : undefined,
  )
  expect(linesOf(bag, { type: 'tote', lines: { height: 16, width: 15 } })[1]).toMatchObject({
    from: { y: 60 },
    to: { y: 180 },
  })
})

test('a shirt is measured from armpit to armpit and from shoulder to hem', () => {
  const shirt = viewOf((x, y) => {
    const isBody = within(x, 60, 140) && within(y, 20, 190)
    // Sleeves part from the body at 90.
    const isSleeve =
      (within(x, 20, 60) || within(x, 140, 180)) && within(y, 30, 110) && !(y >= 90 && within(x, 50, 150))
    return isBody || isSleeve ? 'A' : undefined
  })
  const [chest, length] = linesOf(shirt, { type: 't-shirt', lines: { chest: 20, length: 29 } })
  expect(chest).toMatchObject({ from: { x: 60 }, to: { x: 140 } })
  expect(chest?.from.y).toBeGreaterThanOrEqual(90)
  expect(chest?.from.y).toBeLessThanOrEqual(92)
  expect(length).toMatchObject({ from: { y: 20 }, to: { y: 190 } })
})

test('a slab’s lines go from corner to corner, which round corners hide', () => {
  // A rhomboid with its corners cut.
  const slab = viewOf((x, y) => {
    const [across, down] = [x - y / 4 - 60, y + x / 5 - 120]
    const isCut = Math.min(across, 200 - across) + Math.min(down, 180 - down) < 16
    return within(across, 0, 200) && within(down, 0, 180) && !isCut ? 'A' : undefined
  })
  const corner = (across: number, down: number) => {
    const y = (down + 120 - (across + 60) / 5) / (1 + 1 / 20)
    return { x: across + 60 + y / 4, y }
  }
  const [width, depth] = linesOf(slab, { type: 'mouse-pad', lines: { width: 9, depth: 7 } })
  for (const [found, wanted] of [
    [width?.from, corner(0, 180)],
    [width?.to, corner(200, 180)],
    [depth?.from, corner(0, 0)],
    [depth?.to, corner(0, 180)],
  ] as const)
    expect(Math.hypot((found?.x ?? 0) - wanted.x, (found?.y ?? 0) - wanted.y)).toBeLessThan(2)
})

test('a hat is measured from its back to where its brim begins, at whichever side that is', () => {
  const hat = (x: number, y: number) =>
    (within(x, 20, 140) && within(y, 40, 130)) || (within(x, 40, 190) && within(y, 110, 150))
      ? ('A' as const)
      : undefined
  const printed = (view: View): View => ({
    ...view,
    zones: view.zones.map((zone, i) => (i % 3 === 2 ? (view.zones[i - 2] ?? 0) : zone)),
  })
  const measures: TypeMeasures = { type: 'hat', lines: { around: [21, 24] } }
  const [right] = linesOf(printed(viewOf(hat)), measures)
  const [left] = linesOf(printed(viewOf((x, y) => hat(SIZE - 1 - x, y))), measures)
  expect(right).toMatchObject({ from: { x: 20 }, to: { x: 140 } })
  expect(left).toMatchObject({ from: { x: SIZE - 140, y: right?.to.y }, to: { x: SIZE - 20, y: right?.from.y } })
})
