import type { ProductMetadata } from './metadata.ts'

/** What the catalog file sets and the owner may override. `visible`: the product is in the file. */
export type FileValues = { badge: string | null; description: string; visible: boolean; metadata: ProductMetadata }

type Surcharge = NonNullable<ProductMetadata['shippingSurcharge']>
type Restrictions = NonNullable<ProductMetadata['restrictions']>

/** The owner's overrides; null keeps the file's value, an empty badge removes it. */
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

/** Merges both. A product no longer in the file stays hidden, whatever the overrides. */
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
