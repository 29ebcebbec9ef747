import type { PictureModel, PictureView, Placement } from './picture-models.ts'

/** A color of a product, by the catalog's name; `accent` is the second color of a product that has two. */
export type Dye = { name: string; hex: string; accent?: string | undefined }

/** A drawing put onto a product, in each color and view. */
export type CompositionRequest = {
  /** The drawing's name, as of any picture. */
  drawing: string
  model: PictureModel
  technique: 'print' | 'embroidery'
  placement: Placement
  colors: Dye[]
  views: PictureView[]
}
