import { expect, test } from 'vitest'
import { grainOf, type Grain } from './cloth.ts'
import { compose, type Print } from './compose.ts'
import type { View } from './passes.ts'

const SIZE = 64

/** A flat white sheet, printable all over, seen from straight above. */
const sheet: View = {
  ...{ width: SIZE, height: SIZE, span: { u: SIZE, v: SIZE } },
  light: new Float32Array(SIZE * SIZE).fill(1),
  rest: new Float32Array(SIZE * SIZE * 3),
  cover: new Float32Array(SIZE * SIZE).fill(1),
  print: Uint16Array.from({ length: SIZE * SIZE * 2 }, (_, at) => {
    const [x, y] = [Math.trunc(at / 2) % SIZE, Math.trunc(at / 2 / SIZE)]
    return 65535 * (at % 2 === 0 ? (x + 0.5) / SIZE : 1 - (y + 0.5) / SIZE)
  }),
  zones: Uint8Array.from({ length: SIZE * SIZE * 3 }, (_, at) => (at % 3 === 1 ? 0 : 255)),
  shadow: new Uint8Array(SIZE * SIZE).fill(255),
}

const half = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><path d="M0 0H20V40H0Z" fill="#c00000"/></svg>',
)

/** Which pixels of the middle row are red. */
async function redsOf(print: Pick<Print, 'repeats'>) {
  const placement = { x: 0.25, y: 0.5, width: 0.5, height: 1 }
  const picture = await compose(sheet, { hex: '#f6f5f1' }, { drawing: half, placement, isEmbroidered: false, ...print })
  const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
  return [4, 12, 20, 28, 36, 44, 52, 60].map((x) => (data[(32 * SIZE + x) * 3 + 1] ?? 0) < 100)
}

test('a drawing is printed once in its box, or as a tile in all directions', async () => {
  const [once, then] = [
    [true, true, false, false],
    [false, false, false, false],
  ]
  expect(await redsOf({})).toEqual([...once, ...then])
  expect(await redsOf({ repeats: true })).toEqual([...once, ...once])
})

const everySecond = (i: number) => (i % 2 === 0 ? 0.1 : -0.1)

test('threads change the light on the cloth and through ink, never on embroidery, and keep its mean', async () => {
  const grain: Grain = { at: everySecond, throughInk: 0.6, gloss: 0, folds: 1 }
  const dark = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0H9V9H0Z" fill="#777"/></svg>',
  )
  const placement = { x: 0.75, y: 0.5, width: 0.5, height: 1 }
  const levels = async (isEmbroidered: boolean, threads?: Grain) => {
    const picture = await compose(sheet, { hex: '#808080' }, { drawing: dark, placement, isEmbroidered }, threads)
    const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
    return (x: number) => data[(32 * SIZE + x) * 3] ?? 0
  }
  const [plain, printed, sewn, bare] = [
    await levels(false),
    await levels(false, grain),
    await levels(true, grain),
    await levels(true),
  ]
  expect(printed(8) - printed(9)).toBeGreaterThan(6)
  expect(Math.abs((printed(8) + printed(9)) / 2 - plain(8))).toBeLessThanOrEqual(1)
  const [cloth, ink] = [printed(8) - printed(9), printed(48) - printed(49)]
  expect(ink).toBeGreaterThan(2)
  expect(ink).toBeLessThan(cloth)
  expect(Math.abs(sewn(48) - bare(48))).toBeLessThanOrEqual(1)
})

const knit: Grain = { at: () => 0, throughInk: 1, gloss: 0, folds: 2.6 }

test('ink on knit has the folds of its cloth: on a dark dye as deep as around it, on a light one no flatter', async () => {
  const folded = { ...sheet, light: Float32Array.from({ length: SIZE * SIZE }, (_, i) => (i % 2 === 0 ? 0.95 : 0.65)) }
  const placement = { x: 0.75, y: 0.5, width: 0.5, height: 1 }
  const gray = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0H9V9H0Z" fill="#777"/></svg>',
  )
  const linear = (level = 0) => (level / 255) ** 2.2
  const depths = async (hex: string, grain?: Grain) => {
    const picture = await compose(folded, { hex }, { drawing: gray, placement, isEmbroidered: false }, grain)
    const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
    const depth = (x: number) => linear(data[(32 * SIZE + x) * 3]) / linear(data[(32 * SIZE + x + 1) * 3])
    return { cloth: depth(8), ink: depth(48) }
  }
  const [dark, light, smooth] = [await depths('#2b2b2e', knit), await depths('#c8c8c8', knit), await depths('#c8c8c8')]
  expect(dark.ink).toBeGreaterThan(dark.cloth)
  expect(light.ink).toBeGreaterThan(1.1 * smooth.ink)
  expect(dark.ink).toBeGreaterThan(1.1 * light.ink)
})

test('the edge of ink is softer on knit than on a smooth thing', async () => {
  const levels = async (grain?: Grain) => {
    const print = { drawing: half, placement: { x: 0.5, y: 0.5, width: 1, height: 1 }, isEmbroidered: false }
    const { data } = await (
      await compose(sheet, { hex: '#f6f5f1' }, print, grain)
    )
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Array.from({ length: 12 }, (_, x) => data[(32 * SIZE + 26 + x) * 3 + 1] ?? 0)
  }
  const steepest = (row: readonly number[]) => Math.max(...row.map((level, x) => level - (row[x - 1] ?? level)))
  expect(steepest(await levels(knit))).toBeLessThan(0.85 * steepest(await levels()))
})

test('a coat breaks its highlights, cloth leaves them whole', async () => {
  const shiny = { ...sheet, rest: new Float32Array(SIZE * SIZE * 3).fill(0.3) }
  const spread = async (gloss: number) => {
    const picture = await compose(shiny, { hex: '#808080' }, undefined, {
      at: everySecond,
      throughInk: 1,
      gloss,
      folds: 1,
    })
    const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
    return (data[(32 * SIZE + 8) * 3] ?? 0) - (data[(32 * SIZE + 9) * 3] ?? 0)
  }
  expect(await spread(2)).toBeGreaterThan(2 * (await spread(0)))
})

/** The strongest channel of a plain sheet of this dye in this light, as a share of its swatch's. */
async function levelIn(light: number, hex: string, folds = 1) {
  const smooth: Grain = { at: () => 0, throughInk: 1, gloss: 0, folds }
  const picture = await compose(
    { ...sheet, light: new Float32Array(SIZE * SIZE).fill(light) },
    { hex },
    undefined,
    smooth,
  )
  const { data } = await picture.raw().toBuffer({ resolveWithObject: true })
  const at = 4 * (SIZE + 1) * 3
  return Math.max(...data.subarray(at, at + 3)) / Math.max(...Buffer.from(hex.slice(1), 'hex'))
}

const SHIRT_FOLDS = 2.6
const SHADE = 0.8 // the light on most of a product; what looks up has 1

test.each([
  ['charcoal', '#2b2b2e'],
  ['navy', '#1f2a44'],
  ['forest', '#223d2f'],
])('%s looks as its swatch where most of it is, and its folds are seen', async (_, hex) => {
  expect(Math.abs((await levelIn(SHADE, hex)) - 1)).toBeLessThan(0.05)
  const folds = async (dye: string) => (await levelIn(1.2, dye)) / (await levelIn(0.5, dye))
  expect(await folds(hex)).toBeGreaterThan(1.1 * (await folds('#7f8488')))
  expect(Math.abs((await levelIn(SHADE, hex, SHIRT_FOLDS)) - 1)).toBeLessThan(0.05)
})

test('twill in black is darker than in charcoal, and neither is darker than its swatch where it is lit', async () => {
  const darkest = grainOf('hat', sheet)?.darkest ?? 1
  const level = async (hex: string) => {
    const grain: Grain = { at: () => 0, throughInk: 1, gloss: 0, folds: 1, darkest }
    const { data } = await (await compose(sheet, { hex }, undefined, grain)).raw().toBuffer({ resolveWithObject: true })
    return data[0] ?? 0
  }
  const [black, charcoal] = [await level('#1b1a1c'), await level('#2b2b2e')]
  expect(charcoal - black).toBeGreaterThan(14)
  expect(black).toBeGreaterThanOrEqual(0x1b)
})

test('a dye that is not dark looks as its swatch in full light', async () => {
  expect(Math.abs((await levelIn(1, '#7f8488')) - 1)).toBeLessThan(0.01)
})

test('loose fibers are seen on black, hardly on white', async () => {
  const fuzzy: Grain = { at: () => 0, throughInk: 1, gloss: 0, folds: 1, fuzz: (i) => (i % 2 === 0 ? 0.006 : 0.001) }
  const step = async (hex: string) => {
    const { data } = await (await compose(sheet, { hex }, undefined, fuzzy)).raw().toBuffer({ resolveWithObject: true })
    return (data[(32 * SIZE + 8) * 3] ?? 0) - (data[(32 * SIZE + 9) * 3] ?? 0)
  }
  expect(await step('#1b1a1c')).toBeGreaterThan(4)
  expect(Math.abs(await step('#f6f5f1'))).toBeLessThanOrEqual(2)
})
