/** Color and size are null if the product has no such option. */
export type OptionVariant = { id: number; color: string | null; size: string | null; available: boolean }

export type OptionName = 'color' | 'size'

/**
 * Whether an option's value combined with the rest of the choice is for sale, sold out or not made. Sold-out values
 * can still be selected.
 */
export type OptionState = 'available' | 'sold_out' | 'not_made'

/** An option's distinct values, in variant order. */
export const optionValues = (variants: readonly OptionVariant[], option: OptionName): string[] => [
  ...new Set(variants.flatMap((variant) => variant[option] ?? [])),
]

/** A selector appears only if there is a choice (specification, section 5, Detail page). */
export const hasOptionChoice = (variants: readonly OptionVariant[], option: OptionName): boolean =>
  optionValues(variants, option).length > 1

/** The default choice: the first variant for sale, else the first. */
export const firstVariant = <V extends OptionVariant>(variants: readonly V[]): V | undefined =>
  variants.find(({ available }) => available) ?? variants[0]

const otherThan = (option: OptionName): OptionName => (option === 'color' ? 'size' : 'color')

/** The state `value` would have if chosen while the other option stays. */
export function optionState(
  variants: readonly OptionVariant[],
  chosen: OptionVariant,
  option: OptionName,
  value: string,
): OptionState {
  const other = otherThan(option)
  const made = variants.find((variant) => variant[option] === value && variant[other] === chosen[other])
  if (!made) return 'not_made'
  return made.available ? 'available' : 'sold_out'
}

/** Colors in which a size is for sale; if it is sold out in all of them, the colors it is made in. */
export function colorsForSize(variants: readonly OptionVariant[], size: string): string[] {
  const made = variants.filter((variant) => variant.size === size)
  const makeable = made.filter(({ available }) => available)
  return optionValues(makeable.length > 0 ? makeable : made, 'color')
}

/**
 * Chooses a value. The other option stays if the pair exists; otherwise it switches to the nearest one that does, and
 * the page reports it.
 * @returns undefined only for a value that no variant has
 */
export function chooseOption<V extends OptionVariant>(
  variants: readonly V[],
  chosen: OptionVariant,
  option: OptionName,
  value: string,
): V | undefined {
  const other = otherThan(option)
  const candidates = variants.filter((variant) => variant[option] === value)
  const kept = candidates.find((variant) => variant[other] === chosen[other])
  if (kept) return kept

  const order = optionValues(variants, other)
  const distance = (variant: V): number =>
    Math.abs(order.indexOf(variant[other] ?? '') - order.indexOf(chosen[other] ?? ''))
  const nearest = candidates.toSorted((a, b) => distance(a) - distance(b))
  return firstVariant(nearest)
}
