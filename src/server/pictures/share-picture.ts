import type { Glyph } from 'fontkit'
import sharp from 'sharp'
import { openFont, runsOf } from '#server/files/fonts.ts'
import { wrapText } from '#server/files/pdf.ts'
import type { Pixels } from './tasks.ts'

/** In pixels: the size that every social network shows uncropped. */
export const SHARE = { width: 1200, height: 630 } as const

/** What the picture of a link's preview shows beside a picture of the goods. */
export type ShareTask = {
  /** Fills the left half; unset: the texts have all the room. */
  picture?: Uint8Array
  shopName: string
  /** Above the title, in capitals. */
  eyebrow: string
  title: string
  /** Below it. */
  facts: readonly string[]
}

/** Part of its name: raise it when the same task would give another picture. */
export const SHARE_VERSION = 1

const [GROUND, TEXT, SOFT, ACCENT] = ['#26241f', '#f6f1e4', '#cdc6b4', '#d9b45b']
const PICTURE_WIDTH = 570
const MARGIN = 64
const TITLE_LINES_MAX = 3
const TITLE_SIZES = [68, 58, 48, 40]
const [BOLD, REGULAR] = ['NotoSans-Bold.ttf', 'NotoSans-Regular.ttf']

type Style = { font: string; size: number; color: string }

/** Glyphs and what they take, in pixels. The machine's own fonts are not used: it may have none. */
function setText(text: string, { font, size }: Pick<Style, 'font' | 'size'>) {
  let width = 0
  const paths: string[] = []
  for (const run of runsOf(text, font)) {
    const face = openFont(run.font)
    const scale = size / face.unitsPerEm
    const { glyphs, positions } = face.layout(run.text)
    glyphs.forEach((glyph: Glyph, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
      const at = `translate(${width + xOffset * scale} ${-yOffset * scale}) scale(${scale} ${-scale})`
      paths.push(`<path transform="${at}" d="${glyph.path.toSVG()}"/>`)
      width += xAdvance * scale
    })
  }
  return { width, markup: paths.join('') }
}

/** The style, smaller where the text would not fit. */
function fitted(text: string, style: Style, room: number): Style {
  const { width } = setText(text, style)
  return width > room ? { ...style, size: (style.size * room) / width } : style
}

const lineAt = (text: string, style: Style, x: number, y: number): string =>
  `<g fill="${style.color}" transform="translate(${x} ${y})">${setText(text, style).markup}</g>`

/** The title in the largest size in which it fits; what is too long ends with an ellipsis. */
function titleIn(title: string, room: number): { size: number; lines: string[] } {
  const linesOf = (size: number) =>
    wrapText(title, room, (text) => setText(text, { font: BOLD, size }).width).map((line) => line.trim())
  const size =
    TITLE_SIZES.find((one) => {
      const lines = linesOf(one)
      return lines.length <= TITLE_LINES_MAX && lines.every((line) => fits(line, one, room))
    }) ?? 40
  const lines = linesOf(size)
  return { size, lines: lines.slice(0, TITLE_LINES_MAX).map((line, at) => cut(line, at, lines.length, size, room)) }
}

const fits = (line: string, size: number, room: number): boolean => setText(line, { font: BOLD, size }).width <= room

function cut(line: string, at: number, count: number, size: number, room: number): string {
  const goesOn = at === TITLE_LINES_MAX - 1 && count > TITLE_LINES_MAX
  let shown = Array.from(goesOn ? `${line}…` : line)
  while (shown.length > 1 && !fits(shown.join(''), size, room)) shown = [...shown.slice(0, -2), '…']
  return shown.join('')
}

/** The picture of a link's preview. */
export async function drawShare({ picture, shopName, eyebrow, title, facts }: ShareTask): Promise<Pixels> {
  const left = (picture ? PICTURE_WIDTH : 0) + MARGIN
  const room = SHARE.width - left - MARGIN
  const { size, lines } = titleIn(title, room)
  const step = size * 1.2
  const height = 44 + lines.length * step + 16 + facts.length * 46
  const top = Math.max(150, (SHARE.height - height) / 2 + 40)
  const texts = [
    lineAt(shopName, fitted(shopName, { font: BOLD, size: 26, color: SOFT }, room), left, 88),
    lineAt(eyebrow.toUpperCase(), { font: BOLD, size: 24, color: ACCENT }, left, top),
    ...lines.map((line, at) =>
      lineAt(line, { font: BOLD, size, color: TEXT }, left, top + 24 + (at + 1) * step - size * 0.2),
    ),
    ...facts.map((fact, at) =>
      lineAt(
        fact,
        fitted(fact, { font: REGULAR, size: 30, color: TEXT }, room),
        left,
        top + 40 + lines.length * step + (at + 1) * 46,
      ),
    ),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE.width}" height="${SHARE.height}">${texts.join('')}</svg>`
  const tile = picture && (await sharp(picture).resize(PICTURE_WIDTH, SHARE.height, { fit: 'cover' }).png().toBuffer())
  const { data, info } = await sharp({ create: { ...SHARE, channels: 3, background: GROUND } })
    .composite([...(tile ? [{ input: tile, left: 0, top: 0 }] : []), { input: Buffer.from(svg), left: 0, top: 0 }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}
