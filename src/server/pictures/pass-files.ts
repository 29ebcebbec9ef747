import { fileURLToPath } from 'node:url'
import { renderOf, type PictureModel, type PictureView, type Placement } from '#domain/pictures/picture-models.ts'

/** The rendered passes, part of every deployment. */
const passesFolder = fileURLToPath(new URL('../../../pictures/passes/', import.meta.url))

/** Path of the passes that show a drawing, without `.planes.webp` and so on. @param drawing its name */
export const passesOf = (model: PictureModel, view: PictureView, drawing: string, placement: Placement): string =>
  passesFolder + renderOf(model, view, drawing, placement)
