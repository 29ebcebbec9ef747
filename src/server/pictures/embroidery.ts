/**
 * Turns a flat design into thread as a machine sews it. What is narrow is satin: threads side by side across its width, so they
 * turn with the outline. What is wide is filled with rows of short stitches, each area in a direction of its own, and gets a satin
 * edge where it ends at the cloth. Light comes from the upper left, as in every view; thread shines most across it.
 */

/** A design as drawn: sRGB with coverage, four bytes a texel. */
type DrawnDesign = { data: Uint8Array; width: number; height: number }

const FILLS = [-0.5, 0.85, 0.35, -1.1, 1.35, -0.85, 0.6] as const // radians, from an area's longer axis
const LIGHT = { x: -0.62, y: -0.78 } as const // where it comes from; y grows downwards
const SHINE = { x: -0.31, y: -0.39, z: 0.87 } as const // halfway between the light and the eye
const SATIN_ROWS = 6 // as wide as these and no wider
const EDGE_ROWS = 2.2
const SATIN_PITCH = 0.62 // satin is sewn closer than fills
const ALIKE = 40 // levels of all three channels together: more is another color

/** A uniform hash of two whole numbers, 0..1. */
function chance(a: number, b: number) {
  let mixed = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

/** Blurs by a box in both directions, twice: close enough to a Gaussian. */
export function blur(values: Float32Array, width: number, height: number, radius: number): Float32Array {
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

const NOWHERE = 16_000 // farther away than any texel

type Away = ReturnType<typeof awayFrom>

/** From each texel's nearest seed to it, `dx` and `dy`: passed on from neighbors, down and then up. */
export function awayFrom(isSeed: (i: number) => boolean, width: number, height: number) {
  const count = width * height
  const [dx, dy] = [new Int16Array(count), new Int16Array(count)]
  for (let i = 0; i < count; i++) dx[i] = dy[i] = isSeed(i) ? 0 : NOWHERE
  for (const sign of [1, -1])
    for (let n = 0; n < count; n++) {
      const i = sign > 0 ? n : count - 1 - n
      let best = (dx[i] ?? 0) ** 2 + (dy[i] ?? 0) ** 2
      if (best === 0) continue
      // The texel beside, and three of the row before.
      for (let side = -2; side < 2; side++) {
        const right = side < -1 ? sign : side
        const down = side < -1 ? 0 : sign
        const from = i - right - down * width
        const known = dx[from] ?? NOWHERE
        if (known === NOWHERE) continue
        const x = known + right
        const y = (dy[from] ?? 0) + down
        const distance = x * x + y * y
        if (distance >= best) continue
        best = distance
        dx[i] = x
        dy[i] = y
      }
    }
  const distance = new Float32Array(count)
  for (let i = 0; i < count; i++) distance[i] = Math.sqrt((dx[i] ?? 0) ** 2 + (dy[i] ?? 0) ** 2)
  /** The seed itself. */
  const seed = (i: number) => i - (dx[i] ?? 0) - (dy[i] ?? 0) * width
  return { dx, dy, distance, seed }
}

/** Numbers the areas of one color, from 1; 0 is cloth. What smooths an edge belongs to the area beside it. */
function areasOf({ data, width, height }: DrawnDesign): Int32Array {
  const count = width * height
  const isSewn = (i: number) => (data[i * 4 + 3] ?? 0) >= 128
  const isAlike = (i: number, j: number) =>
    isSewn(j) &&
    [0, 1, 2].reduce((sum, c) => sum + Math.abs((data[i * 4 + c] ?? 0) - (data[j * 4 + c] ?? 0)), 0) <= ALIKE
  /** Part of a square of four of one color, which smoothed edges are too thin for. */
  const isFlat = Uint8Array.from({ length: count }, (_, i) =>
    isSewn(i) && [1, width, width + 1].every((step) => isAlike(i, i + step)) ? 1 : 0,
  )
  const areas = new Int32Array(count)
  let areaCount = 0
  for (let first = 0; first < count; first++) {
    if (!isFlat[first] || areas[first]) continue
    areas[first] = ++areaCount
    const open = [first]
    for (let i = open.pop(); i !== undefined; i = open.pop())
      for (const step of [1, -1, width, -width])
        if (isFlat[i + step] && !areas[i + step] && isAlike(i, i + step)) {
          areas[i + step] = areaCount
          open.push(i + step)
        }
  }
  const flat = awayFrom((i) => areas[i] !== 0, width, height)
  return areas.map((_, i) => (isSewn(i) ? (areas[flat.seed(i)] ?? 1) : 0))
}

/** The direction of every area's rows: from its longer axis; colors lie differently. */
function fillsOf({ data, width }: DrawnDesign, areas: Int32Array): number[] {
  const sums: Record<'n' | 'x' | 'y' | 'xx' | 'xy' | 'yy' | 'color', number>[] = []
  for (const [i, area] of areas.entries()) {
    if (area === 0) continue
    const [x, y] = [i % width, Math.floor(i / width)]
    const color = ((data[i * 4] ?? 0) >> 6) * 3 + ((data[i * 4 + 1] ?? 0) >> 6) * 5 + ((data[i * 4 + 2] ?? 0) >> 6)
    const sum = (sums[area] ??= { n: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0, color: 0 })
    sum.n++
    sum.x += x
    sum.y += y
    sum.xx += x * x
    sum.xy += x * y
    sum.yy += y * y
    sum.color = color
  }
  return sums.map(({ n, x, y, xx, xy, yy, color }) => {
    const [dx, dy, dxy] = [xx - (x * x) / n, yy - (y * y) / n, xy - (x * y) / n]
    const isLong = Math.hypot(dx - dy, 2 * dxy) > 0.2 * (dx + dy)
    return (isLong ? Math.atan2(2 * dxy, dx - dy) / 2 : 0) + (FILLS[color % FILLS.length] ?? 0)
  })
}

const neighborsOf = (width: number) => [1, -1, width, -width]

/** From the borders of parts, or of areas. */
const bordersOf = (parts: Int32Array, width: number, height: number) =>
  awayFrom((i) => neighborsOf(width).some((step) => parts[i + step] !== parts[i]), width, height)

const SATIN = 0
const EDGE = 1
const FILL = 2

/** Numbers what is sewn in one go: an area times three, plus how. What a disk as wide as satin may be fits into is wide. */
function partsOf(areas: Int32Array, width: number, height: number, pitch: number): Int32Array {
  const radius = (pitch * SATIN_ROWS) / 2
  const border = bordersOf(areas, width, height)
  const inside = awayFrom((i) => areas[i] !== 0 && (border.distance[i] ?? 0) > radius, width, height)
  const isWide = (i: number) => areas[inside.seed(i)] === areas[i] && (inside.distance[i] ?? 0) <= 2 * radius
  const wideness: number[] = []
  for (const [i, area] of areas.entries()) wideness[area] = (wideness[area] ?? 0) + (isWide(i) ? 1 : -1)
  return areas.map((area, i) => {
    // What is mostly wide goes on between what is sewn over it, such as letters.
    if (area === 0 || ((wideness[area] ?? 0) <= 0 && !isWide(i))) return area * 3 + SATIN
    const endsAtCloth = neighborsOf(width).some((step) => areas[border.seed(i) + step] === 0)
    return area * 3 + (endsAtCloth && (border.distance[i] ?? 0) < EDGE_ROWS * pitch ? EDGE : FILL)
  })
}

/** The rows of satin, counted along the middle of each part first, and from there to its sides: so they turn with it. */
function countRows(parts: Int32Array, angles: Float32Array, distances: Float32Array, width: number, pitch: number) {
  const rows = new Float32Array(parts.length)
  const turned = new Int8Array(parts.length) // where counted: 1, or -1 where rows go on against the angle
  const levelOf = (i: number) => Math.min(63, Math.floor(2 * (distances[i] ?? 0)))
  const listByLevel = () => Array.from({ length: 64 }, (): number[] => [])
  const [starts, open] = [listByLevel(), listByLevel()]
  for (const [i, part] of parts.entries()) if (part && part % 3 !== FILL) starts[levelOf(i)]?.push(i)
  for (const start of starts.toReversed().flat()) {
    if (turned[start]) continue
    turned[start] = 1
    let level = levelOf(start)
    open[level]?.push(start)
    while (level >= 0) {
      const i = open[level]?.pop()
      if (i === undefined) {
        level--
        continue
      }
      for (const step of neighborsOf(width)) {
        const j = i + step
        if (turned[j] || parts[j] !== parts[i]) continue
        const angle = angles[j] ?? 0
        const turn = (turned[i] ?? 1) * (Math.cos(angle - (angles[i] ?? 0)) < 0 ? -1 : 1)
        turned[j] = turn
        const across = Math.abs(step) === 1 ? -Math.sin(angle) * step : Math.cos(angle) * Math.sign(step)
        rows[j] = (rows[i] ?? 0) + (turn * across) / (pitch * SATIN_PITCH)
        open[levelOf(j)]?.push(j)
        level = Math.max(level, levelOf(j))
      }
    }
  }
  return rows
}

/** Which way the thread of each texel lies. Satin crosses its part: away from its border, or towards the other one. */
function anglesOf(design: DrawnDesign, areas: Int32Array, parts: Int32Array, edge: Away, pitch: number): Float32Array {
  const { width, height } = design
  // Doubled angles: a thread has no front and no back, and both sides of a stroke have to agree.
  const [cos, sin] = [new Float32Array(parts.length), new Float32Array(parts.length)]
  for (const [i, part] of parts.entries()) {
    const [x, y] = [edge.dx[i] ?? 0, edge.dy[i] ?? 0]
    const square = x * x + y * y
    if (part === 0 || part % 3 === FILL || square === 0) continue
    cos[i] = (x * x - y * y) / square
    sin[i] = (2 * x * y) / square
  }
  const radius = Math.max(1, Math.round(pitch * 0.7))
  const [smoothCos, smoothSin] = [blur(cos, width, height, radius), blur(sin, width, height, radius)]
  const fills = fillsOf(design, areas)
  return Float32Array.from(parts, (part, i) =>
    part % 3 === FILL ? (fills[areas[i] ?? 0] ?? 0) : Math.atan2(smoothSin[i] ?? 0, smoothCos[i] ?? 0) / 2,
  )
}

/**
 * @param pitch texels between two rows of stitches
 * @returns for each texel how much light its thread reflects, and how much the cloth beside it keeps; 1 is flat
 */
export function stitch(design: DrawnDesign, pitch: number): { thread: Float32Array; cloth: Float32Array } {
  const { width, height } = design
  const count = width * height
  const areas = areasOf(design)
  const parts = partsOf(areas, width, height, pitch)
  const edge = bordersOf(parts, width, height)
  const angles = anglesOf(design, areas, parts, edge, pitch)
  const satin = countRows(parts, angles, edge.distance, width, pitch)

  const long = pitch * 5.5
  const bulge = new Float32Array(count)
  const relief = new Float32Array(count)
  const tone = new Float32Array(count)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const part = parts[i] ?? 0
      if (!part) continue
      const isFill = part % 3 === FILL
      const [cos, sin] = [Math.cos(angles[i] ?? 0), Math.sin(angles[i] ?? 0)]
      const across = isFill ? (y * cos - x * sin) / pitch : (satin[i] ?? 0)
      const row = Math.floor(across)
      const round = Math.sin(Math.PI * (across - row)) ** 0.7
      // The ends of a fill's stitches step from row to row; a thread of satin has none inside.
      const along = isFill ? (x * cos + y * sin) / long + ((row * 0.37) % 1) + 0.12 * chance(row, part) : 0
      const stitched = Math.floor(along)
      const end = isFill ? Math.min(1, Math.min(along - stitched, 1 - along + stitched) / 0.1) : 1
      const near = Math.min(1, ((edge.distance[i] ?? 0) + 0.5) / (1.3 * pitch))
      bulge[i] = pitch * (isFill ? 0.34 : 0.6) * near * (2 - near)
      relief[i] = (bulge[i] ?? 0) + 0.34 * pitch * (isFill ? 1 : SATIN_PITCH) * round * (0.5 + 0.5 * end)
      const groove = 0.55 + 0.45 * Math.min(1, 2.9 * near)
      tone[i] = (0.7 + 0.36 * round) * (0.93 + 0.14 * chance(row, stitched + part)) * (0.85 + 0.15 * end) * groove
    }

  const thread = new Float32Array(count).fill(1)
  const cloth = new Float32Array(count).fill(1)
  const sewn = Float32Array.from(areas, (area) => Math.min(1, area))
  const cover = blur(sewn, width, height, Math.max(1, Math.round(pitch * 0.9)))
  // Thread shades the cloth at its lower right, and pulls it together a little all around.
  const away = Math.max(1, Math.round(pitch * 0.8))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const at = (dx: number, dy: number) =>
        Math.min(height - 1, Math.max(0, y + dy)) * width + Math.min(width - 1, Math.max(0, x + dx))
      cloth[i] = 1 - 0.5 * (cover[at(-away, -away)] ?? 0) - 0.12 * (cover[i] ?? 0)
      if (!areas[i]) continue
      const slope = (of: Float32Array, x: number, y: number) => ((of[at(x, y)] ?? 0) - (of[at(-x, -y)] ?? 0)) / 2
      const tilt = -LIGHT.x * slope(relief, 1, 0) - LIGHT.y * slope(relief, 0, 1)
      const [cos, sin] = [Math.cos(angles[i] ?? 0), Math.sin(angles[i] ?? 0)]
      const climb = slope(bulge, 1, 0) * cos + slope(bulge, 0, 1) * sin
      const facing = (SHINE.x * cos + SHINE.y * sin + SHINE.z * climb) / Math.hypot(1, climb)
      const shine = (1 - facing * facing) ** 5
      const lit = 1 + (tilt > 0 ? 0.45 : 0.6) * Math.tanh(1.2 * tilt)
      thread[i] = Math.max(0.3, lit * (0.8 + 0.54 * shine)) * (tone[i] ?? 0)
    }
  return { thread, cloth }
}
