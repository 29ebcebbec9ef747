import type { CartLine } from '#contract/cart.ts'
import { sum, times, type Cents } from '#shared/money.ts'

export const cartTotal = (lines: readonly Pick<CartLine, 'price' | 'quantity'>[]): Cents =>
  sum(lines.map(({ price, quantity }) => times(price, quantity)))
