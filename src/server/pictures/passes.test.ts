import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openView, pack } from './passes.ts'

const folder = mkdtempSync(join(tmpdir(), 'passes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SIZE = 8

/** Writes a pass as the studio does: `value(pixel, channel)` is 0..65535. */
async function written(name: string, channels: 1 | 3 | 4, value: (i: number, c: number) => number): Promise<void> {
  const values = Uint16Array.from({ length: SIZE * SIZE * channels }, (_, at) =>
    value(Math.trunc(at / channels), at % channels),
  )
  await sharp(values, { raw: { width: SIZE, height: SIZE, channels } })
    .toColourspace(channels === 1 ? 'grey16' : 'rgb16')
    .png()
    .toFile(join(folder, `${name}.png`))
}

const stored = (linear: number) => Math.round(Math.sqrt(linear / 4) * 65520)

test('a stored view has the light, the places and the cover that were rendered', async () => {
  await written('cup.front.light', 1, (i) => stored(i / 50))
  await written('cup.front.rest', 4, (i, c) => (c < 3 ? stored(0.2) : i < 32 ? 65520 : 0))
  await written('cup.front.print', 3, (i, c) => (c === 0 ? i * 1000 : c === 1 ? 65535 - i * 1000 : 65535))
  await sharp(Buffer.alloc(SIZE * SIZE * 3, 255), { raw: { width: SIZE, height: SIZE, channels: 3 } })
    .png()
    .toFile(join(folder, 'cup.front.zones.png'))
  await sharp(Buffer.alloc(256, 128), { raw: { width: 16, height: 16, channels: 1 } })
    .png()
    .toFile(join(folder, 'cup.front.shadow.png'))
  await pack(join(folder, 'cup.front'), join(folder, 'kept'))

  const view = await openView(join(folder, 'kept'))
  for (const i of [0, 7, 25, 63]) {
    expect(view.light[i]).toBeCloseTo(i / 50, 2)
    expect(Math.abs((view.print[i * 2] ?? 0) - i * 1000)).toBeLessThanOrEqual(4)
    expect(Math.abs((view.print[i * 2 + 1] ?? 0) - (65535 - i * 1000))).toBeLessThanOrEqual(4)
  }
  expect([view.cover[0], view.cover[63]]).toEqual([1, 0])
  expect(view.rest[0]).toBeCloseTo(0.2, 2)
  expect([view.zones[0], view.zones[2]]).toEqual([255, 255])
  expect(view.shadow[0]).toBe(128)
})

test('cloth of panels also keeps where its pixels are on them, and which are not woven', async () => {
  const stores = (widths: number) => Math.round((65535 * (widths + 1)) / 4)
  await written('cap.detail.light', 1, () => stored(1))
  await written('cap.detail.rest', 4, () => 65520)
  await written('cap.detail.print', 3, () => 0)
  await written('cap.detail.weave', 3, (i, c) => (i < 32 ? stores(c === 0 ? -0.4 + i / 40 : 1.3 - i / 80) : 0))
  await sharp(Buffer.alloc(SIZE * SIZE * 3, 255), { raw: { width: SIZE, height: SIZE, channels: 3 } })
    .png()
    .toFile(join(folder, 'cap.detail.zones.png'))
  await pack(join(folder, 'cap.detail'), join(folder, 'cap'))

  const { weave } = await openView(join(folder, 'cap'))
  for (const i of [0, 7, 31]) {
    expect(weave?.[i * 2]).toBeCloseTo(-0.4 + i / 40, 3)
    expect(weave?.[i * 2 + 1]).toBeCloseTo(1.3 - i / 80, 3)
  }
  expect(weave?.[40 * 2]).toBeNaN()
})
