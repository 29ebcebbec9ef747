/** So many stand below a product. */
export const RELATED_COUNT = 4

type Relative = { id: number; collection: string; type: string; available: boolean }

/**
 * What somebody may like who looks at a product: first other kinds of thing with the same pet, each kind once, then the rest of
 * that pet, then the same kind with another pet. What is sold out is not offered.
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
