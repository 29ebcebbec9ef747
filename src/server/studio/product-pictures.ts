import { setTimeout as pause } from 'node:timers/promises'
import type { ProductPicture } from '#domain/catalog/product-content.ts'
import { modelFor, viewsOf } from '#domain/pictures/picture-models.ts'
import type { DraftContent } from '#domain/studio/draft.ts'
import { isEmbroidered, shownPlacement } from '#domain/studio/placement.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { showComposition, startComposition } from '#server/pictures/composer.ts'
import type { Needs } from '#server/shop.ts'
import { DraftRefusal } from './draft-refusal.ts'
import { colorsOf } from './product-content.ts'

const COMPOSED_WITHIN_MS = 5 * MINUTE_MS

/**
 * The drawing on our model of the product, in every chosen color.
 * @returns undefined where our models do not show it: another blank, a color without a value, a drawing on its back alone
 * @throws ProviderUnavailable never; the job is repeated when it takes too long
 */
export async function composedPictures(
  shop: Needs<'db' | 'clock' | 'jobs' | 'printful'>,
  content: DraftContent,
): Promise<ProductPicture[] | undefined> {
  const { blankId, placements, type } = content
  const placement = shownPlacement(placements)
  const types = await readProductTypes(shop.db)
  const model = modelFor(
    types.find(({ key }) => key === type),
    blankId,
  )
  if (!model || blankId === null || !placement) return undefined
  const blank = await showBlank(shop, blankId)
  const colors = colorsOf(blank, content)
  if (!colors.length) return undefined
  const { drawing, x, y, width, height } = placement
  let composition = await startComposition(shop, {
    drawing,
    model,
    technique: isEmbroidered(placement.area) ? 'embroidery' : 'print',
    placement: { x, y, width, height },
    colors,
    views: viewsOf(model),
  })
  const giveUpAt = performance.now() + COMPOSED_WITHIN_MS
  while (composition.state === 'working') {
    if (performance.now() > giveUpAt) throw new Error('The pictures take too long.')
    await pause(SECOND_MS / 2)
    composition = await showComposition(shop.db, composition.id)
  }
  if (composition.state === 'failed')
    throw new DraftRefusal('drawing', composition.failure ?? 'The pictures could not be made.')
  return composition.pictures.flatMap(({ view, color, picture }) => {
    if (!picture) return []
    const { file, widths } = picture
    return [
      { view, color, file, widths, width: picture.width, height: picture.height, alt: picture.alt, avif: picture.avif },
    ]
  })
}
