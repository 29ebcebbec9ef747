import type { ProductPictures } from '#contract/admin-pictures.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import type { ProductPicture } from '#domain/catalog/product-content.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { pictureAddress, SHARE_VIEW } from '#server/catalog/pictures.ts'
import { readContents } from '#server/catalog/product-store.ts'
import { saveProduct } from '#server/catalog/products.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPictures } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'

async function contentOf(db: Reader, id: ProductId) {
  const stored = (await readContents(db, [id])).get(id)
  if (!stored) throw new Refusal('unknown_product')
  return stored
}

/** @throws Refusal `unknown_product` */
export async function showProductPictures(db: Reader, id: ProductId): Promise<ProductPictures> {
  const { version, content } = await contentOf(db, id)
  const pictures = content.pictures.filter(({ view }) => view !== SHARE_VIEW)
  return {
    version,
    colors: [...new Set([...content.colors.map(({ name }) => name), ...pictures.flatMap(({ color }) => color ?? [])])],
    pictures: pictures.map((picture) => ({
      file: picture.file,
      src: pictureAddress(picture.file, picture.widths),
      alt: pictureAlt(content.name, picture),
      color: picture.color,
      view: picture.view,
    })),
  }
}

type Wanted = Pick<ProductPicture, 'file' | 'view' | 'color'> & { alt: string }

/**
 * Sets a product's pictures and their order; the picture for shared links stays.
 * @throws Refusal `unknown_picture`, and as `saveProduct`
 */
export async function saveProductPictures(
  shop: Needs<'db' | 'clock' | 'config'>,
  id: ProductId,
  { version, pictures }: { version: number; pictures: readonly Wanted[] },
  by: Actor,
): Promise<void> {
  const { version: latest, content } = await contentOf(shop.db, id)
  // Refused there, with what changed; a picture that somebody removed meanwhile would only be unknown.
  if (latest !== version) return saveProduct(shop, id, { version, edit: {} }, by)
  const files = pictures.map(({ file }) => file)
  if (new Set(files).size < files.length)
    throw new Refusal('invalid', {}, { pictures: 'Please use each picture once.' })
  const stored = await findPictures(shop.db, files)
  const own = new Map(content.pictures.map((picture) => [picture.file, picture]))
  const wanted = pictures.map(({ file, view, color, alt }): ProductPicture => {
    const { widths, width, height, avif = false } = own.get(file) ?? stored.get(file) ?? unknownPicture()
    // A description that pages would make themselves follows the product's name.
    const isOwn = alt !== pictureAlt(content.name, { view, color })
    return { view, color, file, widths, width, height, ...(isOwn && { alt }), ...(avif && { avif }) }
  })
  const shared = content.pictures.filter(({ view }) => view === SHARE_VIEW)
  await saveProduct(shop, id, { version, edit: { pictures: [...wanted, ...shared] } }, by)
}

function unknownPicture(): never {
  throw new Refusal('unknown_picture')
}
