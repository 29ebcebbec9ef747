/**
 * The picture that says how large a product is: its front in pale cloth without a print, with lines from edge to edge and their lengths
 * in inches and centimeters. Where a height and a width are measured, the front is stretched by the few percent that it lacks to their
 * proportion.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { typeMeasures, type TypeMeasures } from '#sandbox/catalog/measures.ts'
import { formatMeasure } from '#domain/catalog/measures.ts'
import { grainOf } from '#server/pictures/cloth.ts'
import { compose } from '#server/pictures/compose.ts'
import type { View } from '#server/pictures/passes.ts'
import { assert } from '#shared/assert.ts'
import { linesOf, silhouetteOf, stretchOf, type MeasuredLine, type Point } from './measured-lines.ts'

/** Part of the pictures' hash: raise it when the same measures would be drawn otherwise. */
export const MEASURES_VERSION = 1

const SIZE = 960
/** What lines and texts keep from the picture's edges. */
const SAFE = { left: 66, right: 894, top: 66, bottom: 898 }
const CLOTH = { hex: '#e6ded0', accent: '#d6cbb6' }
/** A polo has one color; its second zone is what has no piqué. */
const dyesOf = (type: TypeMeasures['type']) => (type === 'polo' ? { hex: CLOTH.hex } : CLOTH)
const INK = '#1d1b19'
/** The smaller is 12 pixels on the narrowest file, which phones show a little larger. */
const STRONG = { size: 42, color: INK, weight: 0.024 }
const QUIET = { size: 36, color: '#5d554a', weight: 0.008 }
const STEP = 46 // from one line of text to the next
const LINE = `stroke="${INK}" stroke-width="2.6" fill="none"`
const GUIDE = `stroke="${INK}" stroke-width="1.6" stroke-opacity="0.45"`
const GAP = 36 // from an edge to its line
const TICK = 13

const font = create(
  readFileSync(
    fileURLToPath(
      import.meta.resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-standard-normal.woff2'),
    ),
  ),
)

type Text = { text: string; style: typeof STRONG }
type Anchor = 'middle' | 'end'

/** Lines of text as outlines. @param at the first one's baseline */
function lettering(texts: readonly Text[], { x, y }: Point, anchor: Anchor): string {
  return texts
    .map(({ text, style: { size, color, weight } }, row) => {
      assert('layout' in font, 'the file is one font')
      const { glyphs, positions } = font.layout(text)
      let width = 0
      const paths = glyphs.map((glyph, i) => {
        const path = `<path transform="translate(${width} 0)" d="${glyph.path.toSVG()}"/>`
        // The font's space is too narrow between a figure and its unit.
        width += (positions[i]?.xAdvance ?? 0) + (glyph.codePoints[0] === 32 ? 0.07 * font.unitsPerEm : 0)
        return path
      })
      const scale = size / font.unitsPerEm
      const left = x - width * scale * (anchor === 'end' ? 1 : 0.5)
      // Only the regular weight can be read from the file: an outline makes it heavier.
      const stroke = `stroke="${color}" stroke-width="${weight * font.unitsPerEm}" stroke-linejoin="round"`
      return `<g fill="${color}" ${stroke} transform="translate(${left} ${y + row * STEP}) scale(${scale} ${-scale})">${paths.join('')}</g>`
    })
    .join('')
}

/** Where the view is on a new ground of this size. */
type Ground = Point & { width: number; height: number }

/** The view on a larger or smaller ground. Its shadow fades out beyond its edges. */
function onGround(view: View, { x: left, y: top, width, height }: Ground): View {
  const pixels = width * height
  const out = {
    ...{ width, height, span: view.span, light: new Float32Array(pixels), rest: new Float32Array(pixels * 3) },
    ...{ cover: new Float32Array(pixels), print: new Uint16Array(pixels * 2) },
    ...{ zones: new Uint8Array(pixels * 3), shadow: new Uint8Array(pixels) },
  }
  for (let i = 0; i < pixels; i++) {
    const [x, y] = [(i % width) - left, Math.floor(i / width) - top]
    const [nearX, nearY] = [Math.min(view.width - 1, Math.max(0, x)), Math.min(view.height - 1, Math.max(0, y))]
    const from = nearY * view.width + nearX
    const away = Math.hypot(x - nearX, y - nearY)
    out.shadow[i] = 255 - (255 - (view.shadow[from] ?? 255)) * Math.exp(-((away / 120) ** 2))
    if (away > 0) continue
    out.light[i] = view.light[from] ?? 0
    out.cover[i] = view.cover[from] ?? 0
    for (let c = 0; c < 3; c++) {
      out.rest[i * 3 + c] = view.rest[from * 3 + c] ?? 0
      out.zones[i * 3 + c] = view.zones[from * 3 + c] ?? 0
      if (c < 2) out.print[i * 2 + c] = view.print[from * 2 + c] ?? 0
    }
  }
  return out
}

/** Only the cloth, without the rail that it hangs over and the wall behind: with a shadow as if it lay flat. */
async function cutOut(view: View): Promise<View> {
  const { width, height } = view
  const cloth = Float32Array.from({ length: width * height }, (_, i) => (view.zones[i * 3] ?? 0) / 255)
  const soft = await sharp(Buffer.from(cloth.map((share) => 255 * share)), { raw: { width, height, channels: 1 } })
    .blur(11)
    .extractChannel(0)
    .raw()
    .toBuffer()
  const [right, down] = [7, 12]
  return {
    ...view,
    cover: cloth,
    rest: view.rest.map((value, i) => value * (cloth[Math.trunc(i / 3)] ?? 0)),
    shadow: Uint8Array.from(cloth, (_, i) => 255 - 0.34 * (soft[i - right - down * width] ?? 0)),
  }
}

/** How large a size is drawn beside the largest of its type, so that their pictures show which is taller. */
export function scaleBeside({ type, lines }: TypeMeasures): number {
  const heights = typeMeasures.flatMap((one) => (one.type === type ? Number(one.lines.height ?? 0) : []))
  return typeof lines.height === 'number' ? lines.height / Math.max(...heights) : 1
}

/** Draws it, `SIZE` pixels wide and high. @param rendered the type's front */
export async function drawMeasures(rendered: View, measures: TypeMeasures): Promise<Sharp> {
  const { type, note, lines } = measures
  const view = type === 'blanket' ? await cutOut(rendered) : rendered
  const box = silhouetteOf(view)
  const measured = linesOf(view, measures)
  const stretch = stretchOf(measured, measures)
  const isWorn = lines.around !== undefined
  const room = lines.width
    ? { left: 154, right: lines.depth ? 24 : 0, top: note ? 70 : 0, bottom: 136 }
    : { left: 0, right: 0, top: isWorn ? 0 : 70, bottom: isWorn ? 130 : 0 }
  const left = Math.min(box.left, ...measured.map(({ from }) => from.x))
  const top = Math.min(box.top, ...measured.map(({ from }) => from.y))
  const [wide, high] = [box.right - left, (box.bottom - top) * stretch]
  const free = {
    x: SAFE.right - SAFE.left - room.left - room.right,
    y: SAFE.bottom - SAFE.top - room.top - room.bottom,
  }
  const beside = scaleBeside(measures)
  const scale = beside * Math.min(free.x / wide, free.y / high)
  const ground = {
    width: Math.round(SIZE / scale),
    height: Math.round(SIZE / scale / stretch),
    x: Math.round((SAFE.left + room.left + (free.x - wide * scale) / 2) / scale - left),
    y: Math.round((SAFE.top + room.top + (free.y - high * scale) * (beside < 1 ? 1 : 0.5)) / scale / stretch - top),
  }
  const [perX, perY] = [SIZE / ground.width, SIZE / ground.height]
  const place = ({ x, y }: Point): Point => ({ x: (x + ground.x) * perX, y: (y + ground.y) * perY })
  const [first, last] = [place({ x: left, y: top }), place({ x: box.right, y: box.bottom })]

  const marks = measured.map(({ key, from, to, bend }) => {
    const value = lines[key]
    assert(value !== undefined, 'what is drawn has a measure')
    const [inches = '', cm = ''] = formatMeasure(typeof value === 'number' ? value : [...value]).split(' / ')
    const texts = [
      { text: inches, style: STRONG },
      { text: cm, style: QUIET },
    ]
    const line = { key, from: place(from), to: place(to) }
    const middle = (first.x + last.x) / 2
    if (bend) return tapeOf({ ...line, bend: place(bend) }, texts, { x: middle, y: last.y + 56 })
    return lines.chest ? lineOnCloth(line, texts) : lineBeside(line, texts)
  })
  if (type === 'can-cooler')
    marks.unshift(flatSleeve(measured.map(({ from, to }) => ({ from: place(from), to: place(to) }))))
  const over = measured.find(({ key }) => key === 'width' || key === 'chest')
  const caption =
    note && over
      ? lettering(
          [{ text: note, style: QUIET }],
          { x: place({ x: (over.from.x + over.to.x) / 2, y: 0 }).x, y: first.y - 36 },
          'middle',
        )
      : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">${marks.join('')}${caption}</svg>`
  const moved = onGround(view, ground)
  const picture = await compose(moved, dyesOf(type), undefined, grainOf(type, moved))
  const square = await picture.resize(SIZE, SIZE, { fit: 'fill' }).png({ compressionLevel: 0 }).toBuffer()
  return sharp(square).composite([{ input: Buffer.from(svg), left: 0, top: 0 }])
}

const stroke = (a: Point, b: Point, style = LINE) => `<path d="M${a.x} ${a.y}L${b.x} ${b.y}" ${style}/>`

/** Direction of a line, and that to its left when it goes down: below it when it goes right. */
function directionOf({ from, to }: MeasuredLine): { along: Point; out: Point } {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  return { along, out: { x: -along.y, y: along.x } }
}

const moveBy = ({ x, y }: Point, way: Point, by: number): Point => ({ x: x + way.x * by, y: y + way.y * by })

function ticked(from: Point, to: Point, out: Point): string {
  const ticks = [from, to].map((end) => stroke(moveBy(end, out, -TICK), moveBy(end, out, TICK)))
  return [stroke(from, to), ...ticks].join('')
}

/** Beside the silhouette, with guides to its edges. */
function lineBeside(line: MeasuredLine, texts: readonly Text[]): string {
  const { along, out } = directionOf(line)
  const [from, to] = [moveBy(line.from, out, GAP), moveBy(line.to, out, GAP)]
  const guides = [stroke(moveBy(line.from, out, 8), from, GUIDE), stroke(moveBy(line.to, out, 8), to, GUIDE)]
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
  const words =
    line.key === 'width'
      ? lettering(texts, { x: middle.x - 90 * along.y, y: middle.y + 56 - 70 * along.y }, 'middle')
      : lettering(texts, { x: middle.x - 22 - 30 * Math.abs(along.x), y: middle.y - 4 }, 'end')
  return [...guides, ticked(from, to, out), words].join('')
}

/** Of a plain sleeve folded flat, between its lines. */
function flatSleeve(lines: readonly { from: Point; to: Point }[]): string {
  const ends = lines.flatMap(({ from, to }) => [from, to])
  const [left, right] = [Math.min(...ends.map(({ x }) => x)), Math.max(...ends.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...ends.map(({ y }) => y)), Math.max(...ends.map(({ y }) => y))]
  const box = (inset: number) =>
    `x="${left + inset}" y="${top + inset}" width="${right - left - 2 * inset}" height="${bottom - top - 2 * inset}"`
  return `<defs>
    <linearGradient id="cloth" x2="0.3" y2="1"><stop stop-color="#ebe4d7"/><stop offset="1" stop-color="#dcd3c3"/></linearGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="9"/></filter></defs>
    <rect ${box(2)} rx="6" transform="translate(5 9)" fill="${INK}" fill-opacity="0.22" filter="url(#soft)"/>
    <rect ${box(0)} rx="6" fill="url(#cloth)"/>
    <rect ${box(9)} rx="2" fill="none" stroke="#b9ad98" stroke-width="2" stroke-dasharray="8 6"/>`
}

/** On a shirt, where the size guide measures it. */
function lineOnCloth(line: MeasuredLine, texts: readonly Text[]): string {
  const { from, to } = line
  const words =
    line.key === 'chest'
      ? lettering(
          [{ text: 'Chest', style: QUIET }, ...texts],
          { x: (from.x + to.x) / 2 - 36, y: from.y + 54 },
          'middle',
        )
      : lettering([{ text: 'Length', style: QUIET }, ...texts], { x: to.x - 24, y: to.y - 60 - 2 * STEP }, 'end')
  return ticked(from, to, directionOf(line).out) + words
}

/** Around the head: the half of a tape that is seen. @param at where its length is written, below the hat */
function tapeOf({ from, to, bend }: MeasuredLine & { bend: Point }, texts: readonly Text[], at: Point): string {
  const control = { x: 2 * bend.x - (from.x + to.x) / 2, y: 2 * bend.y - (from.y + to.y) / 2 }
  const tape = `<path d="M${from.x} ${from.y}Q${control.x} ${control.y} ${to.x} ${to.y}" ${LINE}/>`
  const ticks = [from, to].map(({ x, y }) => stroke({ x, y: y - TICK }, { x, y: y + TICK }))
  const [inches, cm] = texts.map(({ text }) => text)
  return [
    tape,
    ...ticks,
    lettering(
      [
        { text: `${inches} / ${cm}`, style: STRONG },
        { text: 'around the head', style: QUIET },
      ],
      at,
      'middle',
    ),
  ].join('')
}
