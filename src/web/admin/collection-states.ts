import type { CollectionState } from '#domain/catalog/collections.ts'

export const stateNames: Readonly<Record<CollectionState, string>> = {
  draft: 'Draft',
  coming_soon: 'Coming soon',
  published: 'Published',
  retired: 'Retired',
}
