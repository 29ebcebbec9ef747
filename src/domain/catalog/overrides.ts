import type { ProductMetadata } from './metadata.ts'

/** What the catalog file says of a product where the owner may say otherwise. `visible`: it stands in the file. */
export type FileValues = { badge: string | null; description: string; visible: boolean; metadata: ProductMetadata }

type Surcharge = NonNullable<ProductMetadata['shippingSurcharge']>
type Restrictions = NonNullable<ProductMetadata['restrictions']>

/** What the owner says in its place; null leaves the file's word. An empty badge is none. */
export type Override = {
  badge: string | null
  description: string | null
  place: number | null
  visible: boolean | null
  shippingSurcharge: Surcharge | null
  restrictions: Restrictions | null
}

export const NO_OVERRIDE: Override = {
  badge: null,
  description: null,
  place: null,
  visible: null,
  shippingSurcharge: null,
  restrictions: null,
}

/** What comes of both. A product that left the file is not shown, whatever the owner said of it. */
export function applyOverride(
  { badge, description, visible, metadata }: FileValues,
  override: Override = NO_OVERRIDE,
): FileValues & { place: number | null } {
  const shippingSurcharge = override.shippingSurcharge ?? metadata.shippingSurcharge
  const restrictions = override.restrictions ?? metadata.restrictions
  return {
    badge: (override.badge ?? badge) || null,
    description: override.description ?? description,
    visible: visible && (override.visible ?? true),
    place: override.place,
    metadata: { ...(shippingSurcharge && { shippingSurcharge }), ...(restrictions && { restrictions }) },
  }
}
