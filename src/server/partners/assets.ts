import type { Readable } from 'node:stream'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import type { Product } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd } from '#shared/money.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { walkProducts } from '#server/catalog/listing.ts'
import { readPicture } from '#server/catalog/pictures.ts'
import type { Db } from '#server/db/db.ts'
import { zip, type ZipEntry } from '#server/files/zip.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

/**
 * All pictures of a collection's products and a read-me, as a zip streamed with one picture in memory at a time.
 * @throws Refusal `unknown_call` for an unknown collection
 */
export async function assetsOf({ db }: Needs<'db'>, collection: string, origin: string): Promise<Readable> {
  const theme = (await readCollections(db)).find(({ id, slug }) => id === collection || slug === collection)
  if (!theme) throw new Refusal('unknown_call')
  return zip(entriesOf(db, theme, origin, await readSiteSettingsCached(db)))
}

async function* entriesOf(
  db: Db,
  theme: CollectionTheme,
  origin: string,
  site: SiteSettings,
): AsyncGenerator<ZipEntry> {
  const products = () => walkProducts(db, { collection: theme.id })
  yield { name: `${theme.id}/READ ME.txt`, bytes: readMe(theme, products(), origin, site) }
  for await (const product of products())
    for (const { name, address } of filesOf(product)) {
      const picture = await readPicture(db, address)
      if (picture) yield { name: `${theme.id}/${product.slug}/${name}`, bytes: [picture], isStored: true }
    }
}

/** Each picture in its largest size, named by view and color. */
function filesOf({ images, shareImage }: Product): { name: string; address: string }[] {
  const taken = new Map<string, number>()
  const named = images.map(({ src, view, color }) => {
    const stem = [view, color]
      .filter(Boolean)
      .join('-')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
    const count = (taken.get(stem) ?? 0) + 1
    taken.set(stem, count)
    const ending = /\.(\w+)$/.exec(src)?.[1] ?? 'webp'
    return { name: `${stem}${count > 1 ? `-${count}` : ''}.${ending}`, address: src }
  })
  return shareImage ? [...named, { name: 'share-1200x630.webp', address: shareImage }] : named
}

async function* readMe(
  theme: CollectionTheme,
  products: AsyncIterable<Product>,
  origin: string,
  { name, businessEmail }: SiteSettings,
): AsyncGenerator<Buffer> {
  const paragraphs = [
    `${theme.displayName} by ${name}`,
    theme.description,
    'You may use these pictures wherever you show our products, as they are or cropped. Please don’t recolor the animals or put words in their mouths.',
    `Hashtag: ${theme.socialHashtag}`,
    'Prices change. The shop’s pages and your link cards always show today’s.',
  ]
  for (const paragraph of paragraphs) yield Buffer.from(`${paragraph}\n\n`)
  for await (const { id, name: productName, priceRange } of products)
    yield Buffer.from(`${productName}, from ${formatUsd(priceRange.from)}\n${origin}${paths.product(id)}\n\n`)
  yield Buffer.from(`Questions: ${businessEmail}\n\n`)
}
