/** How many related products a product page shows. */
export const RELATED_COUNT = 4

type Relative = { id: number; collection: string; type: string; available: boolean }

/**
 * Related products: first other types with the same pet, one of each, then the rest of that pet, then the same type
 * with another pet. Skips sold-out products. Neighbors of a list are alike, as a hat and a visor are: of many types those are taken
 * that lie far apart in it. Where they begin depends on the product, so that not every one leads to the same few.
 */
export function relatedProducts<P extends Relative>(product: P, all: readonly P[], count: number): P[] {
  const others = all.filter(({ id, available }) => id !== product.id && available)
  const ofPet = others.filter(({ collection }) => collection === product.collection)
  const kinds = ofPet.filter(
    ({ type }, index) => type !== product.type && ofPet.findIndex((other) => other.type === type) === index,
  )
  const begin = product.id % Math.max(1, kinds.length)
  const otherKinds = [...kinds.slice(begin), ...kinds.slice(0, begin)]
  const sameKind = others.filter(({ type }) => type === product.type)
  return [...new Set([...spread(otherKinds, count), ...otherKinds, ...ofPet, ...sameKind])].slice(0, count)
}

/** At equal steps through all of them. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = all.length / (count + 1)
  const places = new Set(Array.from({ length: count }, (_, index) => Math.floor((index + 1) * step)))
  return all.length <= count ? all : all.filter((_, index) => places.has(index))
}
