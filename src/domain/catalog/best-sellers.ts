import { BEST_SELLER } from './badge.ts'

/** How many a page shows. */
const BEST_SELLER_COUNT = 4

type Candidate = { type: string; collection: string; badge: string | null; available: boolean; reviewCount: number }

/**
 * What to show first of everything: what the owner calls a best seller, then what has the most reviews; of another collection and type
 * each time while there are others.
 */
export function bestSellers<P extends Candidate>(products: readonly P[]): P[] {
  const isBest = ({ badge }: P) => Number(badge === BEST_SELLER)
  const ranked = products
    .filter(({ available }) => available)
    .toSorted((a, b) => isBest(b) - isBest(a) || b.reviewCount - a.reviewCount)
  const chosen: P[] = []
  while (chosen.length < Math.min(BEST_SELLER_COUNT, ranked.length)) {
    const rest = ranked.filter((one) => !chosen.includes(one))
    const isNew = (one: P, key: 'collection' | 'type') => chosen.every((other) => other[key] !== one[key])
    const ofAnotherType = rest.filter((one) => isNew(one, 'type'))
    const [next] = [...ofAnotherType.filter((one) => isNew(one, 'collection')), ...ofAnotherType, ...rest]
    if (next) chosen.push(next)
  }
  return chosen
}
