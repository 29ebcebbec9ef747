import { sum, ZERO, type Cents } from '#shared/money.ts'

/** A drawing within a print area: center and size of its box as shares of the area; y grows downwards. */
export type DraftPlacement = {
  /** The printer's placement, such as `front` or `embroidery_chest_left`. */
  area: string
  /** The drawing's file name. */
  drawing: string
  x: number
  y: number
  width: number
  height: number
  /** For embroidery, as `#rrggbb`. */
  threadColors: string[]
}

type Size = { width: number; height: number }
type PrintArea = Size & { placement: string; extraCost: Cents }

/** A blank's print areas in the printer's order, each placement once although some differ by variant. */
export const areasOf = <Area extends PrintArea>(printAreas: readonly Area[]): Area[] => [
  ...new Map(printAreas.map((area) => [area.placement, area] as const).toReversed()).values().toArray().toReversed(),
]

export const isEmbroidered = (area: string): boolean => area.startsWith('embroidery')

/** What the printer adds to a variant's cost for printing on these areas. */
export const extraCostOf = (printAreas: readonly PrintArea[], placements: readonly { area: string }[]): Cents =>
  sum(placements.map(({ area }) => printAreas.find(({ placement }) => placement === area)?.extraCost ?? ZERO))

/** Areas that no view of our models shows. */
const UNSEEN = /back|sleeve|label|inside/

/** The placement that the shop's own pictures show: models are seen from the front. */
export const shownPlacement = <Placed extends { area: string }>(placements: readonly Placed[]): Placed | undefined =>
  placements.find(({ area }) => !UNSEEN.test(area))

/** The areas that are printed and that none of our pictures shows. */
export const hiddenAreas = (placements: readonly { area: string }[]): string[] => {
  const shown = shownPlacement(placements)
  return placements.flatMap((placement) => (placement === shown ? [] : placement.area))
}

const THREADS_MAX = 6

type BlankOption = { id: string; values: readonly { value: string }[] }

/** `embroidery_chest_left` has its colors in `thread_colors_chest_left`; older blanks, in `thread_colors`. */
export const threadOptionOf = <Option extends BlankOption>(
  options: readonly Option[],
  area: string,
): Option | undefined =>
  isEmbroidered(area)
    ? (options.find(({ id }) => id === `thread_colors_${area.replace(/^embroidery_/, '')}`) ??
      options.find(({ id }) => id === 'thread_colors'))
    : undefined

/** Of the printer's threads, the nearest to a drawing's main colors. Empty where nothing is embroidered. */
export function threadColorsFor(
  options: readonly BlankOption[],
  area: string,
  ink: readonly { hex: string }[],
): string[] {
  const threads = (threadOptionOf(options, area)?.values ?? []).map(({ value }) => value)
  const nearest = ink.flatMap(({ hex }) => threads.toSorted((a, b) => distanceOf(a, hex) - distanceOf(b, hex))[0] ?? [])
  return [...new Set(nearest)].slice(0, THREADS_MAX)
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const distanceOf = (a: string, b: string): number => {
  const other = channels(b)
  return channels(a).reduce((total, value, index) => total + (value - (other[index] ?? 0)) ** 2, 0)
}

/** The box of a drawing of the same relative width on another print area, whole and inside it. */
export function fitPlacement(placement: DraftPlacement, from: Size, to: Size & { placement: string }): DraftPlacement {
  const shape = (placement.height * from.height) / (placement.width * from.width)
  const width = Math.min(placement.width, to.height / (to.width * shape))
  const height = (width * to.width * shape) / to.height
  return { ...placement, area: to.placement, width, height, ...insideOf(placement, { width, height }) }
}

const insideOf = ({ x, y }: { x: number; y: number }, { width, height }: Size) => ({
  x: Math.min(1 - width / 2, Math.max(width / 2, x)),
  y: Math.min(1 - height / 2, Math.max(height / 2, y)),
})
