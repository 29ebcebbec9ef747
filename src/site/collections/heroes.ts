// Written by `npm run pictures`.
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

type Hero = Omit<CollectionPicture, 'alt'>

type KnownId = 'rudy' | 'sherlock' | 'example'

/** The large pictures of the collections, of all animals together, and of pages of no collection. */
export const heroes: Readonly<Record<KnownId | 'letters' | 'parcel' | 'together' | 'workshop', Hero>> = {
  example: { file: 'hero.example.d1ae9a2e7e', widths: [1600, 800, 480], width: 1600, height: 900 },
  letters: { file: 'hero.letters.a23a15ac55', widths: [1600, 800, 480], width: 1600, height: 900 },
  parcel: { file: 'hero.parcel.4492ddb593', widths: [1600, 800, 480], width: 1600, height: 900 },
  rudy: { file: 'hero.rudy.e432179779', widths: [1600, 800, 480], width: 1600, height: 900 },
  sherlock: { file: 'hero.sherlock.fbdd2efd4a', widths: [1600, 800, 480], width: 1600, height: 900 },
  together: { file: 'hero.together.19c2942a65', widths: [1600, 800, 480], width: 1600, height: 900 },
  workshop: { file: 'hero.workshop.7bbdeb2d2e', widths: [1200, 640], width: 1200, height: 1200 },
}

/** What a shared link to a page shows: of a collection, of the listing, of every other. */
export const shares: Readonly<Record<KnownId | 'label' | 'products', Hero>> = {
  example: { file: 'share.example.49370392ab', widths: [1200], width: 1200, height: 630 },
  label: { file: 'share.label.6d5c7fd402', widths: [1200], width: 1200, height: 630 },
  products: { file: 'share.products.bce6ccbb7b', widths: [1200], width: 1200, height: 630 },
  rudy: { file: 'share.rudy.55a7d38639', widths: [1200], width: 1200, height: 630 },
  sherlock: { file: 'share.sherlock.b6c79b462e', widths: [1200], width: 1200, height: 630 },
}
