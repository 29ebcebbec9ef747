import sharp from 'sharp'
import type { Drawing } from '#contract/admin-pictures.ts'
import type { Pixels } from './tasks.ts'

/** Small enough to look at every pixel, large enough for a thin outline. */
const LOOK_PIXELS = 256
const COLORS_MAX = 24
const VISIBLE_ALPHA = 128

type Colors = Drawing['ink']

/** A drawing's colors: of everything visible, and of the visible pixels beside its ground. */
export async function colorsOf({
  data,
  width: wide,
  height: high,
  channels,
}: Pixels): Promise<Pick<Drawing, 'hasTransparency' | 'ink' | 'edge'>> {
  const small = await sharp(data, { raw: { width: wide, height: high, channels } })
    .resize(LOOK_PIXELS, LOOK_PIXELS, { fit: 'inside', kernel: 'linear' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = small.info
  const isVisible = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && (small.data[(y * width + x) * 4 + 3] ?? 0) >= VISIBLE_ALPHA
  const ink = new Histogram()
  const edge = new Histogram()
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!isVisible(x, y)) continue
      const at = (y * width + x) * 4
      const color = [small.data[at] ?? 0, small.data[at + 1] ?? 0, small.data[at + 2] ?? 0] as const
      ink.add(color)
      if (!isVisible(x - 1, y) || !isVisible(x + 1, y) || !isVisible(x, y - 1) || !isVisible(x, y + 1)) edge.add(color)
    }
  return { hasTransparency: ink.count < width * height, ink: ink.colors(), edge: edge.colors() }
}

/** Counts colors in boxes of 16 levels, each shown by its mean. */
class Histogram {
  count = 0
  readonly #boxes = new Map<number, { count: number; sums: [number, number, number] }>()

  add([red, green, blue]: readonly [number, number, number]): void {
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
    const box = this.#boxes.get(key) ?? { count: 0, sums: [0, 0, 0] }
    box.count += 1
    box.sums = [box.sums[0] + red, box.sums[1] + green, box.sums[2] + blue]
    this.#boxes.set(key, box)
    this.count += 1
  }

  /** The most frequent ones; shares are of all pixels, rounded to a thousandth. */
  colors(): Colors {
    return [...this.#boxes.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, COLORS_MAX)
      .map(({ count, sums }) => ({
        hex: `#${sums
          .map((sum) =>
            Math.round(sum / count)
              .toString(16)
              .padStart(2, '0'),
          )
          .join('')}`,
        share: Math.round((1000 * count) / this.count) / 1000,
      }))
  }
}
