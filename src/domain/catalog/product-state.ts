/**
 * `draft`: never shown to shoppers. `scheduled`: will be published at its time. `published`: on sale, and what pages, lists and
 * triggers call visible. `retired`: no longer sold; orders and links still refer to it.
 */
export const productStates = ['draft', 'scheduled', 'published', 'retired'] as const
export type ProductState = (typeof productStates)[number]

const nextState: Record<ProductState, readonly ProductState[]> = {
  draft: ['scheduled', 'published', 'retired'],
  scheduled: ['draft', 'published', 'retired'],
  // What was on sale is part of orders, so it never becomes a draft again.
  published: ['retired'],
  retired: ['scheduled', 'published'],
}

/** Keeping a state is always allowed. */
export const productCanBecome = (from: ProductState, to: ProductState): boolean =>
  from === to || nextState[from].includes(to)

/** The states an owner can choose for a product, its own first. */
export const statesAfter = (from: ProductState): readonly ProductState[] => [from, ...nextState[from]]
