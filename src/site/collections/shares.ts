// Written by `npm run pictures`.
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

type Key = 'rudy' | 'sherlock' | 'example' | 'label' | 'products'

/** What a shared link to a page shows: of a collection, of the listing, of every other. */
export const shares: Readonly<Record<Key, Omit<CollectionPicture, 'alt'>>> = {
  example: { file: 'share.example.1e3958f4b6', widths: [1200], width: 1200, height: 630 },
  label: { file: 'share.label.6d5c7fd402', widths: [1200], width: 1200, height: 630 },
  products: { file: 'share.products.ecf220e970', widths: [1200], width: 1200, height: 630 },
  rudy: { file: 'share.rudy.76b6d307a6', widths: [1200], width: 1200, height: 630 },
  sherlock: { file: 'share.sherlock.3384c6a5f9', widths: [1200], width: 1200, height: 630 },
}
