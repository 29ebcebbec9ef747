// Written by `npm run pictures`.
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

type Hero = Omit<CollectionPicture, 'alt'>

type KnownId = 'rudy' | 'sherlock' | 'example'

/** The collections' large pictures. */
export const heroes: Readonly<Record<KnownId, Hero>> = {
  example: { file: 'hero.example.aeec89d37a', widths: [1600, 800], width: 1600, height: 900 },
  rudy: { file: 'hero.rudy.e89f92ea8d', widths: [1600, 800], width: 1600, height: 900 },
  sherlock: { file: 'hero.sherlock.14378b423b', widths: [1600, 800], width: 1600, height: 900 },
}

/** What a shared link to a page shows: of a collection, of the listing, of every other. */
export const shares: Readonly<Record<KnownId | 'label' | 'products', Hero>> = {
  example: { file: 'share.example.3536de4288', widths: [1200], width: 1200, height: 630 },
  label: { file: 'share.label.2c15a987e4', widths: [1200], width: 1200, height: 630 },
  products: { file: 'share.products.bdfdee20df', widths: [1200], width: 1200, height: 630 },
  rudy: { file: 'share.rudy.392c757ecf', widths: [1200], width: 1200, height: 630 },
  sherlock: { file: 'share.sherlock.91ee29bc23', widths: [1200], width: 1200, height: 630 },
}
