/**
 * Turns a flat design into thread. Each color is filled in a direction of its own, in rows of short stitches; fills bulge
 * between their edges, and where two meet there is a groove. Light comes from the upper left, as in every view.
 */

/** A design as drawn: sRGB with coverage, four bytes a texel. */
type DrawnDesign = { data: Uint8Array; width: number; height: number }

const FILLS = [-0.45, 0.85, 0.2, -1.1, 1.35, -0.05, 0.55] as const // radians
const LIGHT = { x: -0.62, y: -0.78 } as const // where it comes from; y grows downwards
const RELIEF = 1.25

/** A uniform hash of two whole numbers, 0..1. */
function chance(a: number, b: number) {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

/** Blurs by a box in both directions, twice: close enough to a Gaussian. */
function blur(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  let from = values
  for (let round = 0; round < 4; round++) {
    const across = round % 2 === 0
    const [lines, length, stride, step] = across ? [height, width, width, 1] : [width, height, 1, width]
    const to = new Float32Array(values.length)
    for (let line = 0; line < lines; line++) {
      const at = (i: number) => from[line * stride + Math.min(length - 1, Math.max(0, i)) * step] ?? 0
      let sum = 0
      for (let i = -radius; i <= radius; i++) sum += at(i)
      for (let i = 0; i < length; i++) {
        to[line * stride + i * step] = sum / (2 * radius + 1)
        sum += at(i + radius + 1) - at(i - radius)
      }
    }
    from = to
  }
  return from
}

/**
 * @param pitch texels between two rows of stitches
 * @returns for each texel how much light its thread reflects, and how much the cloth beside it keeps; 1 is flat
 */
export function stitch(
  { data, width, height }: DrawnDesign,
  pitch: number,
): { thread: Float32Array; cloth: Float32Array } {
  const count = width * height
  const alpha = Float32Array.from({ length: count }, (_, i) => (data[i * 4 + 3] ?? 0) / 255)
  const bulge = Math.max(1, Math.round(pitch * 0.9))
  const cover = blur(alpha, width, height, bulge)

  // A groove runs where colors meet: where a color differs from its blurred neighborhood.
  const unlike = new Float32Array(count)
  for (let c = 0; c < 3; c++) {
    const plain = Float32Array.from({ length: count }, (_, i) => ((data[i * 4 + c] ?? 0) / 255) * (alpha[i] ?? 0))
    const around = blur(plain, width, height, bulge)
    for (let i = 0; i < count; i++) unlike[i] = (unlike[i] ?? 0) + Math.abs((plain[i] ?? 0) - (around[i] ?? 0))
  }
  const groove = blur(unlike, width, height, Math.max(1, Math.round(pitch * 0.35)))

  const long = pitch * 5.5
  const relief = new Float32Array(count)
  const tone = new Float32Array(count)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      if ((alpha[i] ?? 0) < 0.02) continue
      const [red, green, blue] = [data[i * 4] ?? 0, data[i * 4 + 1] ?? 0, data[i * 4 + 2] ?? 0]
      const fill = (red >> 6) * 3 + (green >> 6) * 5 + (blue >> 6) * 2
      const angle = FILLS[fill % FILLS.length] ?? 0
      const along = x * Math.cos(angle) + y * Math.sin(angle)
      const over = (y * Math.cos(angle) - x * Math.sin(angle)) / pitch
      const row = Math.floor(over)
      const inRow = over - row
      const inStitch = (along / long + chance(row, fill)) % 1
      const end = Math.min(1, Math.min(Math.abs(inStitch), 1 - Math.abs(inStitch)) / 0.12)
      const round = Math.sin(Math.PI * inRow) ** 0.7
      relief[i] = 2.2 * (cover[i] ?? 0) - 1.1 * Math.min(0.6, groove[i] ?? 0) + 0.85 * round * (0.55 + 0.45 * end)
      tone[i] = (0.74 + 0.31 * round) * (0.93 + 0.14 * chance(row, Math.floor(along / long + chance(row, fill))))
    }

  const thread = new Float32Array(count).fill(1)
  const cloth = new Float32Array(count).fill(1)
  // Thread shades the cloth at its lower right, and pulls it together a little all around.
  const away = Math.max(1, Math.round(pitch * 0.8))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const at = (dx: number, dy: number) =>
        Math.min(height - 1, Math.max(0, y + dy)) * width + Math.min(width - 1, Math.max(0, x + dx))
      const slope =
        (LIGHT.x * ((relief[at(-1, 0)] ?? 0) - (relief[at(1, 0)] ?? 0)) +
          LIGHT.y * ((relief[at(0, -1)] ?? 0) - (relief[at(0, 1)] ?? 0))) /
        2
      const lit = 1 + RELIEF * (slope > 0 ? 0.8 * Math.tanh(slope) : Math.tanh(slope))
      thread[i] = Math.max(0.35, lit) * (tone[i] || 1)
      cloth[i] = 1 - 0.5 * (cover[at(-away, -away)] ?? 0) - 0.12 * (cover[i] ?? 0)
    }
  return { thread, cloth }
}
