import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

import { MEASURES_VIEW } from '#domain/catalog/gallery.ts'
import { pictureViews } from '#domain/pictures/picture-models.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'

import type { DemoProduct } from './demo-product.ts'
import { measuresAlt, measuresOf } from './measures.ts'
import { demoProducts } from './products.ts'

const pictureIndex = join(import.meta.dirname, '../../pictures/finished/index.json')

const FinishedPicture = z.object({
  type: z.string(),
  view: z.string(),
  color: z.string().nullish(),
  design: z.string().nullish(),
  file: z.string(),
  widths: z.array(z.number()),
  width: z.number(),
  height: z.number(),
})
type FinishedPicture = z.infer<typeof FinishedPicture>

/** The demo shop's catalog file, with the finished pictures. @param index the list of the finished pictures */
export function demoCatalogFile(index: string = pictureIndex): CatalogFile {
  const pictures = existsSync(index) ? z.array(FinishedPicture).parse(JSON.parse(readFileSync(index, 'utf8'))) : []
  return { products: demoProducts.map((product) => fileProductOf(product, pictures)) }
}

const fileProductOf = (
  product: DemoProduct,
  pictures: readonly FinishedPicture[],
): CatalogFile['products'][number] => ({
  id: product.id,
  slug: product.slug,
  name: product.name,
  description: product.description,
  collection: product.collection,
  type: product.type,
  badge: product.badge ?? null,
  metadata: product.metadata ?? {},
  requiresOptions: product.requiresOptions,
  providerProductId: product.mapped ? product.syncProductId : null,
  colors: [...product.colors],
  pictures: picturesOf(product, pictures),
})

/**
 * View by view, each in the order of the swatches, and last what has no color; then the product's measures and the pictures for link
 * previews.
 */
function picturesOf(product: DemoProduct, pictures: readonly FinishedPicture[]) {
  const { slug, type, design, colors } = product
  const own = pictures.filter((picture) => picture.type === type && picture.design === design)
  const shown = [...colors.map(({ name }) => name), null]
  const measures = measuresOf(product)
  const measured = pictures.filter(
    (picture) =>
      measures &&
      picture.type === type &&
      picture.view === MEASURES_VIEW &&
      picture.design === (measures.onlyFor ?? ''),
  )
  const shared = pictures.filter((picture) => picture.type === 'share' && picture.design === slug)
  return [
    ...pictureViews.flatMap((view) =>
      shown.flatMap((color) =>
        own
          .filter((picture) => picture.view === view && (picture.color ?? null) === color)
          .map(({ file, widths, width, height }) => ({ view, color, file, widths, width, height })),
      ),
    ),
    ...measured.map(({ view, file, widths, width, height }) => ({
      ...{ view, color: null, file, widths, width, height },
      ...(measures && { alt: measuresAlt(measures) }),
    })),
    ...shared.map(({ view, file, widths, width, height }) => ({ view, color: null, file, widths, width, height })),
  ]
}
