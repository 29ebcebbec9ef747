import type { ProductCard } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'

/** The product's page, in the color that its card shows. */
export const pathOfCard = ({ id, variant }: Pick<ProductCard, 'id' | 'variant'>): string =>
  variant ? paths.variant(id, variant) : paths.product(id)
