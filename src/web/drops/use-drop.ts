import { useQuery } from '@tanstack/react-query'
import type { DropView } from '#contract/drops.ts'
import type { Product } from '#contract/catalog.ts'
import { query } from '#web/api/queries.ts'

export const dropsQuery = query('GET /api/drops')

/** The drop of a product or, without `id`, of a whole collection: a product's own first, one that is not over before one that is. */
export function dropOf(
  drops: readonly DropView[],
  { id, collection }: Pick<Product, 'collection'> & Partial<Pick<Product, 'id'>>,
) {
  const own = drops.filter(({ productId }) => productId === id)
  const all = [...own, ...drops.filter(({ collectionId }) => collectionId === collection)]
  return all.find(({ state }) => state !== 'ended') ?? all[0]
}

export const useDrops = (): readonly DropView[] => useQuery(dropsQuery).data?.drops ?? []

/** Whether its goods can be put into a cart now. */
export const isSelling = (drop: DropView | undefined): boolean =>
  drop === undefined || drop.state === 'open' || drop.early?.isOpen === true
