import { usualPlacements, findPictureModel } from '#domain/pictures/picture-models.ts'
import { colorFit, type ColorShare } from '#domain/pictures/contrast.ts'
import type { Cents } from '#shared/money.ts'
import { slugFrom, type DraftContent } from './draft.ts'
import { areasOf, fitPlacement, shownPlacement, threadColorsFor, type DraftPlacement } from './placement.ts'
import { pricedSizes, suggestedPrices, type MarginFacts } from './prices.ts'

/** What a draft of a batch is filled in from: `source` is what all of them share, its `description` is a pattern too. */
export type CopyPlan = { source: DraftContent; namePattern: string; targetBasisPoints: number }

/** `{name} {type}` becomes `Biscuit T-Shirt`. */
export const fillPattern = (pattern: string, words: { name: string; type: string }): string =>
  pattern.replaceAll('{name}', words.name).replaceAll('{type}', words.type).replaceAll(/ +/g, ' ').trim()

type PrintArea = { placement: string; width: number; height: number; extraCost: Cents }

type CopiedBlank = {
  id: number
  colors: readonly { name: string; hex: string | null; isInStock: boolean }[]
  sizes: readonly string[]
  variants: readonly {
    size: string | null
    color: string | null
    cost: Cents | null
    isInStock: boolean
    discontinuedAt: string | null
  }[]
  printAreas: readonly PrintArea[]
  options: Parameters<typeof threadColorsFor>[0]
}

type Drawing = { ink: readonly ColorShare[]; edge: readonly ColorShare[] }

type CopyRequest = {
  /** What all copies share; its `description` is a pattern too. */
  source: DraftContent
  namePattern: string
  /** Of the source's placements; undefined when it has none yet. */
  from: Pick<CopiedBlank, 'printAreas'> | undefined
  to: CopiedBlank
  /** Of the shop; the key is empty when the owner has to choose one. */
  type: { key: string; name: string }
  /** By file name. */
  drawings: ReadonlyMap<string, Drawing>
  facts: MarginFacts
  targetBasisPoints: number
}

/** A draft of the same drawing on another blank: placed alike, in colors that suit it, at a price that reaches the margin. */
export function copyDraft({
  source,
  namePattern,
  from,
  to,
  type,
  drawings,
  facts,
  targetBasisPoints,
}: CopyRequest): DraftContent {
  const words = { name: source.name, type: type.name }
  const name = fillPattern(namePattern, words)
  const placements = placementsOn(source.placements, { from, to, type: type.key, drawings })
  const [main] = placements
  const colors = colorsFor(to, (main && drawings.get(main.drawing)) ?? { ink: [], edge: [] })
  const sizes = to.sizes.filter((size) =>
    to.variants.some(
      (variant) =>
        variant.size === size && variant.isInStock && (variant.color === null || colors.includes(variant.color)),
    ),
  )
  const content: DraftContent = {
    ...source,
    ...{ blankId: to.id, takenOver: null, placements, colors, sizes, prices: [] },
    ...{ name, slug: slugFrom(name), description: fillPattern(source.description, words), type: type.key },
  }
  return { ...content, prices: suggestedPrices(pricedSizes(to, content, facts), targetBasisPoints) }
}

/** Centered on an area that neither a blank nor a model says more about. */
const CENTERED = { x: 0.5, y: 0.5, width: 0.8, height: 0.8 }

/**
 * The main drawing on the same print area, or else on the blank's first one; others only where the blank has their area too. Size and
 * position are the same shares of the area, as far as the drawing stays whole and inside.
 */
function placementsOn(
  placements: readonly DraftPlacement[],
  { from, to, type, drawings }: Pick<CopyRequest, 'from' | 'to' | 'drawings'> & { type: string },
): DraftPlacement[] {
  const areas = areasOf(to.printAreas)
  const main = shownPlacement(placements) ?? placements[0]
  return areas.flatMap((area) => {
    const placement =
      placements.find((one) => one.area === area.placement) ??
      (area === areas[0] && !areas.some(({ placement: other }) => other === main?.area) ? main : undefined)
    if (!placement) return []
    const old = from?.printAreas.find((one) => one.placement === placement.area)
    const model = findPictureModel(type)
    const placed = old
      ? fitPlacement(placement, old, area)
      : { ...placement, area: area.placement, ...(model ? usualPlacements[model] : CENTERED) }
    const ink = drawings.get(placement.drawing)?.ink ?? []
    return [{ ...placed, threadColors: threadColorsFor(to.options, area.placement, ink) }]
  })
}

/** As many as the figures for pictures of a product promise. */
const COLORS_MAX = 6

/** The colors in stock on which a drawing stands out, the best six in the printer's order; the best one if it does on none. */
function colorsFor({ colors }: CopiedBlank, drawing: Drawing): string[] {
  const rated = colors
    .filter(({ isInStock }) => isInStock)
    .map(({ name, hex }) => ({
      name,
      ...(hex === null ? { fit: 'weak' as const, standsOut: 0 } : colorFit(drawing, hex)),
    }))
    .toSorted((a, b) => b.standsOut - a.standsOut)
  const good = rated.filter(({ fit }) => fit === 'good').slice(0, COLORS_MAX)
  const chosen = new Set((good.length ? good : rated.slice(0, 1)).map(({ name }) => name))
  return colors.flatMap(({ name }) => (chosen.has(name) ? name : []))
}
