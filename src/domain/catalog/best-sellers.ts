import { BEST_SELLER } from './badge.ts'

/** How many a page shows. */
const BEST_SELLER_COUNT = 4

type Candidate = { type: string; collection: string; badge: string | null; available: boolean; reviewCount: number }

/**
 * What to show first of everything: what the owner calls a best seller, then what has the most reviews; of each type of product only
 * one while there are others.
 */
export function bestSellers<P extends Candidate>(products: readonly P[]): P[] {
  const isBest = ({ badge }: P) => Number(badge === BEST_SELLER)
  const ranked = products
    .filter(({ available }) => available)
    .toSorted((a, b) => isBest(b) - isBest(a) || b.reviewCount - a.reviewCount)
  const firstOfType = ranked.filter(({ type }, index) => ranked.findIndex((other) => other.type === type) === index)
  return [...new Set([...firstOfType, ...ranked])].slice(0, BEST_SELLER_COUNT)
}
