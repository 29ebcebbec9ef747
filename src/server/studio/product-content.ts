import type { Blank } from '#contract/admin-blanks.ts'
import type { ProductColor } from '#domain/catalog/color-text.ts'
import type { ProductContent, ProductPicture } from '#domain/catalog/product-content.ts'
import { metadataOf, type DraftContent } from '#domain/studio/draft.ts'
import type { SyncProductId } from '#shared/ids.ts'

/** The catalog's product of a draft; its colors come from the blank. */
export const contentOf = (
  content: DraftContent,
  syncProductId: SyncProductId | null,
  pictures: ProductPicture[],
): ProductContent => ({
  slug: content.slug,
  externalId: null,
  name: content.name,
  description: content.description,
  collection: content.collection,
  type: content.type,
  badge: content.badge,
  metadata: metadataOf(content),
  requiresOptions: content.colors.length > 1 || content.sizes.length > 1,
  providerProductId: syncProductId,
  colors: [],
  pictures,
  place: null,
  state: 'draft',
  publishAt: content.publishAt,
})

/** The chosen colors of a blank whose value the printer knows. */
export const colorsOf = ({ colors }: Blank, chosen: Pick<DraftContent, 'colors'>): ProductColor[] =>
  colors.flatMap(({ name, hex, hex2 }) =>
    chosen.colors.includes(name) && hex !== null ? [{ name, hex, ...(hex2 !== null && { accent: hex2 }) }] : [],
  )
