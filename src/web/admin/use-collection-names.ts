import { useQuery } from '@tanstack/react-query'
import { findCollection } from '#domain/catalog/collections.ts'
import { adminCollectionsQuery } from './admin-queries.ts'

/** Finds a collection's short name by its id, also of those that shoppers no longer see; the id itself for an unknown one. */
export function useCollectionNames(): (id: string) => string {
  const collections = useQuery(adminCollectionsQuery).data?.collections ?? []
  return (id) => findCollection(collections, id)?.name ?? id
}
