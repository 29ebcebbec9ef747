// Written by `npm run pictures`.
import type { CollectionId } from './theme.ts'

/** In pixels, the widest first; `/pictures/<file>.<width>.webp`. */
type Hero = { file: string; widths: number[]; width: number; height: number }

/** The collections' large pictures. */
export const heroes: Readonly<Record<CollectionId, Hero>> = {
  example: { file: 'hero.example.aeec89d37a', widths: [1600, 800], width: 1600, height: 900 },
  rudy: { file: 'hero.rudy.e89f92ea8d', widths: [1600, 800], width: 1600, height: 900 },
  sherlock: { file: 'hero.sherlock.14378b423b', widths: [1600, 800], width: 1600, height: 900 },
}

/** What a shared link to a page shows: of a collection, of the listing, of every other. */
export const shares: Readonly<Record<CollectionId | 'label' | 'products', Hero>> = {
  example: { file: 'hero.example.aeec89d37a', widths: [1600, 800], width: 1600, height: 900 },
  label: { file: 'hero.rudy.e89f92ea8d', widths: [1600, 800], width: 1600, height: 900 },
  products: { file: 'hero.rudy.e89f92ea8d', widths: [1600, 800], width: 1600, height: 900 },
  rudy: { file: 'hero.rudy.e89f92ea8d', widths: [1600, 800], width: 1600, height: 900 },
  sherlock: { file: 'hero.sherlock.14378b423b', widths: [1600, 800], width: 1600, height: 900 },
}
