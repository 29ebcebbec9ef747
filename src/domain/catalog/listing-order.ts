import type { ProductType } from './product-types.ts'

/** Specification, section 2, Products listing: vented hat, other hats, visors, shirts, mugs, water bottles, pillows, totes, others. */
const rank: Record<ProductType, number> = {
  'vented-hat': 0,
  hat: 1,
  visor: 2,
  't-shirt': 3,
  polo: 3,
  mug: 4,
  'water-bottle': 5,
  pillow: 6,
  tote: 7,
  blanket: 8,
  'can-cooler': 8,
  'mouse-pad': 8,
}

type ListedProduct = { type: ProductType; name: string; place?: number | null | undefined }

/** Sorts after every other place. */
const LAST = 2 ** 31

/** Compares text the same way in every browser and on every server. */
const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** Products the owner has placed come first, in that order; the rest by type, then name. @returns a new array */
export const sortForListing = <P extends ListedProduct>(products: readonly P[]): P[] =>
  products.toSorted(
    (a, b) =>
      (a.place ?? LAST) - (b.place ?? LAST) ||
      rank[a.type] - rank[b.type] ||
      byText(a.name.toLowerCase(), b.name.toLowerCase()) ||
      byText(a.name, b.name),
  )

/** The products of a collection, in listing order. */
export const productsOfCollection = <P extends ListedProduct & { collection: string }>(
  products: readonly P[],
  collection: string,
): P[] => sortForListing(products.filter((product) => product.collection === collection))
