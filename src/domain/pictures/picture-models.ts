import { MEASURES_VIEW } from '#domain/catalog/gallery.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'

/** The box into which a drawing is fitted: its center and size as shares of the print area; y grows downwards. */
export type Placement = { x: number; y: number; width: number; height: number }

/** The views of models, in the order of a gallery; the first is the one a card shows. */
export const pictureViews = ['front', 'lifestyle', 'detail', 'worn', 'held'] as const
export type PictureView = (typeof pictureViews)[number]

/** What a picture of a product may show. */
export const shownViews = [...pictureViews, MEASURES_VIEW] as const
export type ShownView = (typeof shownViews)[number]

/** The products that were modeled and rendered, so the shop can make their pictures (`pictures/products`). */
export const pictureModels = [
  'vented-hat',
  'hat',
  'visor',
  't-shirt',
  'polo',
  'mug',
  'water-bottle',
  'pillow',
  'blanket',
  'tote',
  'can-cooler',
  'mouse-pad',
] as const
export type PictureModel = (typeof pictureModels)[number]

/** The model with a product type's key. */
export const findPictureModel = (typeKey: string): PictureModel | undefined =>
  pictureModels.find((model) => model === typeKey)

/**
 * The model that pictures of a new product are made with. A model shows one blank, so a product on another blank, or of a type that
 * does without, has the printer's mockups.
 */
export const modelFor = (
  type: Pick<ProductType, 'key' | 'blankId' | 'hasModel'> | undefined,
  blankId: number | null,
): PictureModel | undefined => (type?.hasModel && type.blankId === blankId ? findPictureModel(type.key) : undefined)

/** What head and torso wear is shown worn, and everything else held in a hand. */
const ownViews: Partial<Record<PictureModel, PictureView>> = {
  'vented-hat': 'worn',
  hat: 'worn',
  visor: 'worn',
  't-shirt': 'worn',
  polo: 'worn',
}

/** The views that a model has. */
export const viewsOf = (model: PictureModel): PictureView[] => [
  'front',
  'lifestyle',
  'detail',
  ownViews[model] ?? 'held',
]

/** In how many poses a model's front was rendered: with a single one, a list of shirts is one picture with other prints. */
const poses: Partial<Record<PictureModel, number>> = { 't-shirt': 3, polo: 2 }

/** Where a shirt's second close-up looks: at what is small, on the heart side, as near as the first one looks at a large drawing. */
const HEART_SIDE = { left: 0.5, right: 0.9, top: 0.08, bottom: 0.48 }

const isOnHeartSide = ({ x, y, width, height }: Placement): boolean =>
  x - width / 2 >= HEART_SIDE.left &&
  x + width / 2 <= HEART_SIDE.right &&
  y - height / 2 >= HEART_SIDE.top &&
  y + height / 2 <= HEART_SIDE.bottom

/** The render that shows a drawing on a model, such as `t-shirt.front-2`. @param drawing its name, which chooses the pose */
export function renderOf(model: PictureModel, view: PictureView, drawing: string, placement: Placement): string {
  if (view === 'detail')
    return model === 't-shirt' && isOnHeartSide(placement) ? `${model}.${view}-2` : `${model}.${view}`
  let hash = 0
  for (const letter of drawing) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  const pose = view === 'front' ? (hash % (poses[model] ?? 1)) + 1 : 1
  return pose === 1 ? `${model}.${view}` : `${model}.${view}-${pose}`
}

/** Models whose drawings are usually sewn on; on all others they are printed. */
export const EMBROIDERED_MODELS: ReadonlySet<PictureModel> = new Set(['vented-hat', 'hat', 'visor', 'polo'])

/** Where a drawing usually sits on a model, in every view of it. The areas are those of `pictures/products/<type>.py`. */
export const usualPlacements: Readonly<Record<PictureModel, Placement>> = {
  'vented-hat': { x: 0.5, y: 0.48, width: 0.76, height: 0.82 },
  hat: { x: 0.5, y: 0.5, width: 0.7, height: 0.74 },
  visor: { x: 0.5, y: 0.46, width: 0.7, height: 0.86 },
  't-shirt': { x: 0.5, y: 0.43, width: 0.98, height: 0.68 },
  polo: { x: 0.755, y: 0.335, width: 0.36, height: 0.275 }, // the wearer's left chest: 10 cm, as large as it can be sewn
  mug: { x: 0.43, y: 0.49, width: 0.44, height: 0.76 },
  'water-bottle': { x: 0.485, y: 0.31, width: 0.76, height: 0.66 },
  pillow: { x: 0.5, y: 0.5, width: 0.74, height: 0.74 },
  blanket: { x: 0.5, y: 0.52, width: 0.74, height: 0.72 },
  tote: { x: 0.5, y: 0.55, width: 0.82, height: 0.68 },
  'can-cooler': { x: 0.48, y: 0.52, width: 0.68, height: 0.7 },
  'mouse-pad': { x: 0.5, y: 0.5, width: 0.72, height: 0.76 },
}
