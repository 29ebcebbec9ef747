import type { DemoType } from '#sandbox/catalog/demo-product.ts'
import type { DesignArea } from './compose.ts'

/** The views that every product has; the first is the one a card shows. */
export const views = ['front', 'detail', 'lifestyle'] as const

/** Types whose designs are sewn on; on all others they are printed. */
export const EMBROIDERED_TYPES: ReadonlySet<DemoType> = new Set(['vented-hat', 'hat', 'visor', 'polo'])

/** Where a design sits on a product, in every view of it. The areas are those of `products/<type>.py`. */
export const designAreas: Readonly<Record<DemoType, DesignArea>> = {
  'vented-hat': { x: 0.5, y: 0.48, width: 0.76, height: 0.82 },
  hat: { x: 0.5, y: 0.5, width: 0.7, height: 0.74 },
  visor: { x: 0.5, y: 0.46, width: 0.7, height: 0.86 },
  't-shirt': { x: 0.5, y: 0.43, width: 0.98, height: 0.68 },
  polo: { x: 0.76, y: 0.3, width: 0.31, height: 0.24 }, // the wearer's left chest
  mug: { x: 0.43, y: 0.49, width: 0.44, height: 0.76 },
  'water-bottle': { x: 0.485, y: 0.52, width: 0.8, height: 0.8 },
  pillow: { x: 0.5, y: 0.5, width: 0.74, height: 0.74 },
  blanket: { x: 0.5, y: 0.52, width: 0.74, height: 0.72 },
  tote: { x: 0.5, y: 0.55, width: 0.82, height: 0.68 },
  'can-cooler': { x: 0.48, y: 0.52, width: 0.68, height: 0.7 },
  'mouse-pad': { x: 0.5, y: 0.5, width: 0.72, height: 0.76 },
}
