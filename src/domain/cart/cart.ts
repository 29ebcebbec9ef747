import { sum, times, type Cents } from '#shared/money.ts'

/** At most this many pieces of one variant. */
export const QUANTITY_MAX = 99
/** At most this many different variants in a cart; the partner's rates are asked once per quote. */
export const LINES_MAX = 100

/** Pieces, not lines: the badge on the cart button. */
export const itemCount = (lines: readonly { quantity: number }[]): number =>
  lines.reduce((count, { quantity }) => count + quantity, 0)

export const cartTotal = (lines: readonly { price: Cents; quantity: number }[]): Cents =>
  sum(lines.map(({ price, quantity }) => times(price, quantity)))
