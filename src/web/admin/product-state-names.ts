import type { ProductState } from '#domain/catalog/product-state.ts'

export const stateNames: Readonly<Record<ProductState, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  retired: 'Retired',
}
