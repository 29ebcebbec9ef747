import type { ProductType } from '#domain/catalogue/product-types.ts'
import type { Place } from './compose.ts'

/** The views that a product may have; the first is the one a card shows. */
export const views = ['front'] as const

export type ViewName = (typeof views)[number]

/** Where a design sits in each view. The areas are those of `products/<type>.py`. */
export const places: Readonly<Record<ProductType, Readonly<Record<ViewName, Place>>>> = {
  'vented-hat': { front: { x: 0.5, y: 0.48, width: 0.76, height: 0.82 } },
  hat: { front: { x: 0.5, y: 0.5, width: 0.7, height: 0.74 } },
  visor: { front: { x: 0.5, y: 0.46, width: 0.62, height: 0.82 } },
  't-shirt': { front: { x: 0.5, y: 0.4, width: 0.98, height: 0.68 } },
  polo: { front: { x: 0.76, y: 0.3, width: 0.31, height: 0.24 } }, // the wearer's left chest
  mug: { front: { x: 0.43, y: 0.49, width: 0.44, height: 0.76 } },
  'water-bottle': { front: { x: 0.475, y: 0.47, width: 0.6, height: 0.6 } },
  pillow: { front: { x: 0.5, y: 0.5, width: 0.74, height: 0.74 } },
  blanket: { front: { x: 0.5, y: 0.52, width: 0.74, height: 0.72 } },
  tote: { front: { x: 0.5, y: 0.55, width: 0.82, height: 0.68 } },
  'can-cooler': { front: { x: 0.48, y: 0.52, width: 0.68, height: 0.7 } },
  'mouse-pad': { front: { x: 0.5, y: 0.5, width: 0.72, height: 0.76 } },
}
