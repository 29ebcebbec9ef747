import type { PictureModel } from '#domain/pictures/picture-models.ts'

/** A color of a product, as its swatch and pictures show it. `accent` colors a second part: a mug's inside and handle, a vented hat's mesh. */
export type DemoColor = { name: string; hex: string; accent?: string }

/** A product of the demo shop: the source of both the Printful simulator's store and the shop's catalog file. */
export type DemoProduct = {
  /** The shop's product id, as in `/product/{id}`. */
  id: number
  slug: string
  name: string
  /** Two to four sentences; no markup. */
  description: string
  collection: 'rudy' | 'sherlock' | 'example'
  type: PictureModel
  /** Names a file in `pictures/designs/<design>.svg`. */
  design: string
  /** How it is printed, where that is not as usual on its type: small on the heart side, across the front, or as a tile that repeats. */
  print?: 'chest' | 'large' | 'all-over'
  badge?: 'BEST SELLER' | 'NEW ARRIVAL' | 'LIMITED EDITION'
  /** Printful's sync product id. */
  syncProductId: number
  /** Whether the shop knows `syncProductId` as `providerProductId`. Products with a single variant have no mapping. */
  mapped: boolean
  /** One of the seven whose card says 'Select Options' (shirts and polos). */
  requiresOptions: boolean
  colors: readonly DemoColor[]
  /** In display order; a single 'One size' where there is no choice. */
  sizes: readonly string[]
  /** Printful's decimal retail price by size, with `*` for all others: `{ '*': '29.95', '2XL': '31.95' }`. */
  retailPrice: Readonly<Record<string, string>>
  /** What Printful charges for one, decimal: a cost in the profit report. */
  cost: string
  /** Colors and sizes that are sold out or not made, to have examples of both states. */
  soldOut?: readonly { color: string; size: string }[]
  metadata?: {
    shipping_surcharge?: { amount: number; regions: string[]; description: string; enabled?: boolean }
    restrictions?: { blocked_countries?: string[]; age_restriction?: number; shipping_delay_regions?: string[] }
  }
}
