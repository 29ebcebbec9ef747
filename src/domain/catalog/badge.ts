export type Metal = 'gold' | 'silver' | 'bronze'

/** A badge's metal: the channel is about precious metals (specification, section 3, Product). */
export function metalOf(badge: string): Metal {
  if (badge === 'BEST SELLER') return 'gold'
  return badge === 'NEW ARRIVAL' ? 'silver' : 'bronze'
}
