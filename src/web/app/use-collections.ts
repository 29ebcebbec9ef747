import { useQuery } from '@tanstack/react-query'
import type { CollectionLink } from '#contract/public-config.ts'
import { paths } from '#contract/paths.ts'
import { namedPath } from '#domain/catalog/collections.ts'
import { configQuery } from '#web/api/queries.ts'

const none: readonly CollectionLink[] = []

/** The collections that shoppers see, in menu order. */
export const useCollections = (): readonly CollectionLink[] => useQuery(configQuery).data?.collections ?? none

/** Collections of the menu are linked by their short address. */
export const pathOfCollection = ({ inMenu, name, slug }: Pick<CollectionLink, 'inMenu' | 'name' | 'slug'>): string =>
  inMenu ? namedPath(name) : paths.collection(slug)
