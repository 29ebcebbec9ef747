/** Maximum quantity of one variant. */
export const QUANTITY_MAX = 99
/** Maximum number of lines; the printer's rates are requested once per quote. */
export const LINES_MAX = 100

/** Counts pieces, not lines, for the badge on the cart button. */
export const itemCount = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((count, { quantity }) => count + quantity, 0)
