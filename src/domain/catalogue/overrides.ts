import type { ProductMetadata } from './metadata.ts'

/** What the catalogue file says of a product where the owner may say otherwise. `visible`: it stands in the file. */
export type FileValues = { badge: string | null; description: string; visible: boolean; metadata: ProductMetadata }
