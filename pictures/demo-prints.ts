import type { DemoProduct } from '#sandbox/catalog/demo-product.ts'
import {
  EMBROIDERED_MODELS,
  usualPlacements,
  type PictureModel,
  type Placement,
} from '#domain/pictures/picture-models.ts'
import type { Print } from '#server/pictures/compose.ts'

type PrintKind = NonNullable<DemoProduct['print']>

/** Where a drawing sits that is not put on as usual; of one that repeats, the box of its tile. */
const placements: Readonly<Record<PrintKind, Partial<Record<PictureModel, Placement>>>> = {
  chest: { 't-shirt': { x: 0.71, y: 0.27, width: 0.3, height: 0.28 } },
  large: {
    't-shirt': { x: 0.5, y: 0.44, width: 1, height: 0.8 },
    pillow: { x: 0.5, y: 0.5, width: 1, height: 1 },
    blanket: { x: 0.5, y: 0.5, width: 0.9, height: 0.86 },
  },
  'all-over': {
    'water-bottle': { x: 0.5, y: 0.5, width: 0.62, height: 2 },
    pillow: { x: 0.5, y: 0.5, width: 0.62, height: 2 },
    blanket: { x: 0.5, y: 0.5, width: 0.5, height: 2 },
    'can-cooler': { x: 0.48, y: 0.5, width: 0.62, height: 2 },
    'mouse-pad': { x: 0.5, y: 0.5, width: 0.62, height: 2 },
  },
}

/** The color of every contour in `designs`. */
const CONTOUR = '#2a2523'
const DARK = 0.06 // linear luminance: charcoal, navy, burgundy, forest and the like
const SHADE = 0.72

/**
 * On dark cloth a contour is a deeper tone of the dye: no rim goes around the drawing, and lines inside look as if the cloth showed
 * between its colors.
 */
export function contourOn(hex: string): string {
  const levels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const [red = 0, green = 0, blue = 0] = levels
  const luminance = 0.2126 * (red / 255) ** 2.2 + 0.7152 * (green / 255) ** 2.2 + 0.0722 * (blue / 255) ** 2.2
  if (luminance > DARK) return CONTOUR
  return `#${levels
    .map((level) =>
      Math.round(level * SHADE)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** A product's drawing as it is put on a body of this color. */
export function demoPrint({ type, print }: DemoProduct, svg: Buffer, hex: string): Print {
  const placement = (print && placements[print][type]) ?? usualPlacements[type]
  return {
    drawing: Buffer.from(svg.toString().replaceAll(CONTOUR, contourOn(hex))),
    placement,
    isEmbroidered: EMBROIDERED_MODELS.has(type),
    ...(print === 'all-over' && { repeats: true }),
  }
}
