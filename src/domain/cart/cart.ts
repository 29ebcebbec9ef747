/** At most this many pieces of one variant. */
export const QUANTITY_MAX = 99
/** At most this many different variants in a cart; the partner's rates are asked once per quote. */
export const LINES_MAX = 100

/** Pieces, not lines: the badge on the cart button. */
export const itemCount = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((count, { quantity }) => count + quantity, 0)
