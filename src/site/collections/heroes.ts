// Written by `npm run pictures`.
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

type Key = 'rudy' | 'sherlock' | 'example' | 'letters' | 'parcel' | 'together' | 'workshop'

/** The large pictures of the collections, of all animals together, and of pages of no collection. */
export const heroes: Readonly<Record<Key, Omit<CollectionPicture, 'alt'>>> = {
  example: { file: 'hero.example.60bc310c4b', widths: [1600, 800, 480], width: 1600, height: 900 },
  letters: { file: 'hero.letters.a23a15ac55', widths: [1600, 800, 480], width: 1600, height: 900 },
  parcel: { file: 'hero.parcel.4492ddb593', widths: [1600, 800, 480], width: 1600, height: 900 },
  rudy: { file: 'hero.rudy.929c41affe', widths: [1600, 800, 480], width: 1600, height: 900 },
  sherlock: { file: 'hero.sherlock.9ba9b25b88', widths: [1600, 800, 480], width: 1600, height: 900 },
  together: { file: 'hero.together.ba1ea3c825', widths: [1600, 800, 480], width: 1600, height: 900 },
  workshop: { file: 'hero.workshop.7bbdeb2d2e', widths: [1200, 640], width: 1200, height: 1200 },
}
