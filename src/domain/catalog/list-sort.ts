/** What a list can be sorted by, as in its address: `?sort=price`. `featured` is the specification's order. */
export const listSorts = ['featured', 'price', 'price-down', 'newest', 'rating'] as const
export type ListSort = (typeof listSorts)[number]

/** Unknown values mean the first. */
export const parseListSort = (typed: string | null): ListSort => listSorts.find((sort) => sort === typed) ?? 'featured'
