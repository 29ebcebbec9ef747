import { fileURLToPath } from 'node:url'
import type { PictureModel, PictureView } from '#domain/pictures/picture-models.ts'

/** The rendered passes, part of every deployment. */
const passesFolder = fileURLToPath(new URL('../../../pictures/passes/', import.meta.url))

/** Path of a view's passes without `.planes.webp` and so on. */
export const passesOf = (model: PictureModel, view: PictureView): string => `${passesFolder}${model}.${view}`
