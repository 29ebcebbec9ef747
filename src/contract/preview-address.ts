import type { PictureModel, PictureView } from '#domain/pictures/picture-models.ts'
import { isEmbroidered, type DraftPlacement } from '#domain/studio/placement.ts'

/** Of the composer's previews, in pixels. */
export const PREVIEW_SIDE = 640

/** The composer's picture of a drawing on a model. @param color white without one */
export function previewAddress({
  model,
  placement: { drawing, area, x, y, width, height },
  color,
  view = 'front',
}: {
  model: PictureModel
  placement: DraftPlacement
  color?: { hex: string | null; hex2: string | null } | undefined
  view?: PictureView
}): string {
  const technique = isEmbroidered(area) ? 'embroidery' : 'print'
  const dyes = { hex: color?.hex ?? '#ffffff', ...(color?.hex2 && { accent: color.hex2 }) }
  const query = Object.entries({ model, view, technique, ...dyes, x, y, width, height })
  return `/api/admin/pictures/${drawing}/preview?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
