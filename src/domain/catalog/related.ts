/** How many related products a product page shows. */
export const RELATED_COUNT = 4

type Relative = { id: number; collection: string; type: string; available: boolean }

/**
 * Related products: first other types with the same pet, one of each, then the rest of that pet, then the same type
 * with another pet. Skips sold-out products.
 */
export function relatedProducts<P extends Relative>(product: P, all: readonly P[], count: number): P[] {
  const others = all.filter(({ id, available }) => id !== product.id && available)
  const ofPet = others.filter(({ collection }) => collection === product.collection)
  const otherKinds = ofPet.filter(
    ({ type }, index) => type !== product.type && ofPet.findIndex((other) => other.type === type) === index,
  )
  const sameKind = others.filter(({ type }) => type === product.type)
  return [...new Set([...otherKinds, ...ofPet, ...sameKind])].slice(0, count)
}
