/** The printer's status of a variant that it makes. */
export const MADE = 'active'

/**
 * Whether a variant may be bought. In SQL, the view `variant_as_sold` has the same rule as its column `available`.
 * @param goneAt when a sync no longer found it at the printer
 * @param isVisible whether its product is; pages only get visible products and variants that the printer has
 */
export const isBuyable = ({
  availability,
  goneAt = null,
  isVisible = true,
}: {
  availability: string
  goneAt?: object | null
  isVisible?: boolean
}): boolean => isVisible && goneAt === null && availability === MADE
