import type { VariantId } from '#shared/ids.ts'

export type Pieces = { variantId: VariantId; quantity: number }

type Parcel = { items: readonly Pieces[]; reshipment: boolean }

/** Paid pieces not yet in a parcel. Replacements do not count. */
export function unsentOf(lines: readonly Pieces[], parcels: readonly Parcel[]): Pieces[] {
  const left = new Map<VariantId, number>()
  for (const { variantId, quantity } of lines) left.set(variantId, (left.get(variantId) ?? 0) + quantity)
  for (const { variantId, quantity } of parcels.filter(({ reshipment }) => !reshipment).flatMap(({ items }) => items))
    left.set(variantId, Math.max(0, (left.get(variantId) ?? 0) - quantity))
  return [...left].flatMap(([variantId, quantity]) => (quantity > 0 ? [{ variantId, quantity }] : []))
}

/** `Parcel 1 of 2`; the total is known once everything has shipped, and a single parcel has no number. */
export function parcelName(number: number, total: number | null, reshipment: boolean): string {
  if (reshipment) return 'Replacement parcel'
  if (total === 1) return 'Parcel'
  return total === null ? `Parcel ${number}` : `Parcel ${number} of ${total}`
}
