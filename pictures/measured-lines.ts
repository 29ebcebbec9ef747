/** From where to where a type's measures go in its front view: edges of the render's mask, in its pixels. */
import type { TypeMeasures } from '#sandbox/catalog/measures.ts'
import type { View } from '#server/pictures/passes.ts'
import { assert } from '#shared/assert.ts'

/** y grows downwards. */
export type Point = { x: number; y: number }

/** From edge to edge; around a head a curve through `bend`. */
export type MeasuredLine = { key: keyof TypeMeasures['lines']; from: Point; to: Point; bend?: Point }

type Mask = (x: number, y: number) => boolean

/** Where a mask begins and ends in its rows and columns, at the outer edges of its pixels. */
function edgesOf({ width, height }: Pick<View, 'width' | 'height'>, isIn: Mask) {
  const row = (y: number) => endsOf(width, (x) => isIn(x, Math.round(y)))
  const column = (x: number) => endsOf(height, (y) => isIn(Math.round(x), y))
  const rows = Array.from({ length: height }, (_, y) => ({ y, ...row(y) })).filter(({ first, last }) => last > first)
  const left = Math.min(...rows.map(({ first }) => first))
  const right = Math.max(...rows.map(({ last }) => last))
  const top = rows.at(0)?.y ?? 0
  const bottom = (rows.at(-1)?.y ?? -1) + 1
  return { row, column, rows, left, right, top, bottom }
}
type Edges = ReturnType<typeof edgesOf>

function endsOf(length: number, isIn: (at: number) => boolean): { first: number; last: number } {
  let first = 0
  while (first < length && !isIn(first)) first++
  let last = length
  while (last > first && !isIn(last - 1)) last--
  return { first, last }
}

const covered =
  ({ width, cover }: View): Mask =>
  (x, y) =>
    (cover[y * width + x] ?? 0) > 0.5

const inZone =
  ({ width, zones }: View, zone: 'A' | 'print'): Mask =>
  (x, y) =>
    (zones[(y * width + x) * 3 + (zone === 'A' ? 0 : 2)] ?? 0) > 127

/** What the view shows of the product. */
export const silhouetteOf = (view: View): Edges => edgesOf(view, covered(view))

export function linesOf(view: View, measures: TypeMeasures): MeasuredLine[] {
  const { type, lines } = measures
  const shown = silhouetteOf(view)
  if (lines.around) return [aroundHead(view, shown)]
  if (lines.chest) return onShirt(view, shown, type === 'polo')
  if (lines.depth) return alongSlab(shown)
  if (type === 'can-cooler') return aroundFlatSleeve(shown, measures)
  // A mug's handle is of its second zone; what of a bag is narrower than most are its handles.
  const body = type === 'mug' ? edgesOf(view, inZone(view, 'A')) : shown
  const isWide = ({ first, last }: { first: number; last: number }) => last - first > 0.9 * (body.right - body.left)
  const { left, bottom } = shown
  const top = type === 'tote' ? (body.rows.find(isWide)?.y ?? shown.top) : shown.top
  return [
    { key: 'width', from: { x: body.left, y: bottom }, to: { x: body.right, y: bottom } },
    { key: lines.length ? 'length' : 'height', from: { x: left, y: top }, to: { x: left, y: bottom } },
  ]
}

/** Within so many rows a brim juts out further than anything else. */
const BRIM = 6

/** From the crown's edge, along the brim's seam below the print area, to where the brim begins at the other side. */
function aroundHead(view: View, shown: Edges): MeasuredLine {
  const print = edgesOf(view, inZone(view, 'print'))
  const lower = shown.rows.filter(({ y }) => y > (shown.top + shown.bottom) / 2 && y + BRIM < shown.bottom)
  const reaches = lower.flatMap(({ y, first, last }) => {
    const below = shown.row(y + BRIM)
    return [
      { by: first - below.first, at: { x: first, y }, isLeft: true },
      { by: below.last - last, at: { x: last, y }, isLeft: false },
    ]
  })
  const brim = reaches.reduce((most, reach) => (reach.by > most.by ? reach : most))
  const near = 0.01 * (shown.right - shown.left)
  const crown = shown.rows.findLast(({ first, last }) =>
    brim.isLeft ? last > shown.right - near : first < shown.left + near,
  )
  assert(crown, 'a hat has a back')
  const back = { x: brim.isLeft ? crown.last : crown.first, y: crown.y }
  const [from, to] = brim.isLeft ? [brim.at, back] : [back, brim.at]
  const bend = { x: (print.left + print.right) / 2, y: print.bottom + 0.02 * (shown.bottom - shown.top) }
  return { key: 'around', from, to, bend }
}

/** As a shirt laid flat is measured: from armpit to armpit, and from the top of the shoulder, beside the collar, to the hem. */
function onShirt(view: View, shown: Edges, hasCollar: boolean): MeasuredLine[] {
  const isIn = covered(view)
  const middle = Math.round((shown.left + shown.right) / 2)
  const end = (y: number, step: 1 | -1): number => {
    let x = middle
    while (isIn(x, y)) x += step
    return x
  }
  // In the first row whose middle part ends before the sleeves do, these have parted from the body.
  const parted = shown.rows.find(
    ({ y, first, last }) => y > shown.top + 0.2 * (shown.bottom - shown.top) && end(y, -1) > first && end(y, 1) < last,
  )
  assert(parted, 'a shirt has sleeves')
  const y = parted.y + 1
  const [left, right] = [end(y, -1) + 1, end(y, 1)]
  const x = middle + (right - left) * (hasCollar ? 0.27 : 0.23)
  const { first, last } = shown.column(x)
  return [
    { key: 'chest', from: { x: left, y }, to: { x: right, y } },
    { key: 'length', from: { x, y: first }, to: { x, y: last } },
  ]
}

/** A straight line, by a point and a direction. */
type Side = { at: Point; by: Point }

/** Along the two near sides of a slab seen from a corner, which are straight between their round corners. */
function alongSlab(shown: Edges): MeasuredLine[] {
  const side = (edge: 'first' | 'last', isAcross: boolean, ...shares: [number, number]): Side => {
    const [from, to] = isAcross ? [shown.left, shown.right] : [shown.top, shown.bottom]
    const [a, b] = shares.map((share) => {
      const at = Math.round(from + share * (to - from))
      return isAcross ? { x: at, y: shown.column(at)[edge] } : { x: shown.row(at)[edge], y: at }
    })
    assert(a && b, 'two points give a line')
    return { at: a, by: { x: b.x - a.x, y: b.y - a.y } }
  }
  const [near, far] = [side('last', true, 0.3, 0.8), side('first', true, 0.2, 0.6)]
  const [left, right] = [side('first', false, 0.45, 0.8), side('last', false, 0.2, 0.5)]
  const corner = crossing(near, left)
  return [
    { key: 'width', from: corner, to: crossing(near, right) },
    { key: 'depth', from: crossing(far, left), to: corner },
  ]
}

function crossing(one: Side, other: Side): Point {
  const across = one.by.x * other.by.y - one.by.y * other.by.x
  const along = ((other.at.x - one.at.x) * other.by.y - (other.at.y - one.at.y) * other.by.x) / across
  return { x: one.at.x + along * one.by.x, y: one.at.y + along * one.by.y }
}

/** A sleeve is measured folded flat, when it is as wide as half its way around: beside the one on a can, to its scale. */
function aroundFlatSleeve(shown: Edges, measures: TypeMeasures): MeasuredLine[] {
  const [wide, high] = [lengthOf(measures, 'width'), lengthOf(measures, 'height')]
  const across = shown.right - shown.left
  const inch = across / ((2 * wide) / Math.PI)
  const right = shown.left - 0.3 * across
  const [left, bottom] = [right - wide * inch, shown.bottom]
  return [
    { key: 'width', from: { x: left, y: bottom }, to: { x: right, y: bottom } },
    { key: 'height', from: { x: left, y: bottom - high * inch }, to: { x: left, y: bottom } },
  ]
}

/** How much higher a view must be for its lines to have the proportion of what they measure. */
export function stretchOf(measured: readonly MeasuredLine[], measures: TypeMeasures): number {
  const across = measured.find(({ key }) => key === 'width' || key === 'chest')
  const down = measured.find(({ key }) => key === 'height' || key === 'length')
  if (!across || !down) return 1
  const wanted = lengthOf(measures, down.key) / lengthOf(measures, across.key)
  return (wanted * (across.to.x - across.from.x)) / (down.to.y - down.from.y)
}

function lengthOf({ lines }: TypeMeasures, key: MeasuredLine['key']): number {
  const inches = lines[key]
  assert(typeof inches === 'number', 'a straight line has one length')
  return inches
}
