/** What the choice needs to know of a variant; null where the product has no such option. */
export type OptionVariant = { id: number; color: string | null; size: string | null; available: boolean }

export type OptionName = 'color' | 'size'

/**
 * How an option's value stands with the rest of the choice: it can be bought; it exists but is sold out; it is not made so.
 * What is sold out can still be chosen and looked at.
 */
export type OptionState = 'available' | 'sold_out' | 'not_made'

/** The distinct values of an option, in the order of the variants. */
export const optionValues = (variants: readonly OptionVariant[], option: OptionName): string[] => [
  ...new Set(variants.flatMap((variant) => variant[option] ?? [])),
]

/** A selector appears only where there is something to choose (specification, section 5, Detail page). */
export const hasOptionChoice = (variants: readonly OptionVariant[], option: OptionName): boolean =>
  optionValues(variants, option).length > 1

/** What is chosen when nobody has chosen: the first that can be bought, else the first. */
export const firstVariant = <V extends OptionVariant>(variants: readonly V[]): V | undefined =>
  variants.find(({ available }) => available) ?? variants[0]

const otherThan = (option: OptionName): OptionName => (option === 'color' ? 'size' : 'color')

/** How `value` would stand if it were chosen and the other option stayed. */
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

/** The colors in which a size can be bought; where it is sold out in all of them, those that it is made in. */
export function colorsForSize(variants: readonly OptionVariant[], size: string): string[] {
  const made = variants.filter((variant) => variant.size === size)
  const makeable = made.filter(({ available }) => available)
  return optionValues(makeable.length > 0 ? makeable : made, 'color')
}

/**
 * Chooses a value. The other option stays if the pair is made; otherwise the nearest one is taken that is, and the page says so.
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
