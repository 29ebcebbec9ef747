export type Metal = 'gold' | 'silver' | 'bronze'

/** The badge of what sells best, which lists and the home page show first. */
export const BEST_SELLER = 'BEST SELLER'

/** A badge's metal: the channel is about precious metals (specification, section 3, Product). */
export function metalOf(badge: string): Metal {
  if (badge === BEST_SELLER) return 'gold'
  return badge === 'NEW ARRIVAL' ? 'silver' : 'bronze'
}
