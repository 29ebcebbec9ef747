import { itemCount } from './cart.ts'

type Line = { productId: number; variantId: number | null; quantity: number }

/** The line of what a product page has chosen. @param variantId null for a product without variants */
export const isInCart = (lines: readonly Line[], productId: number, variantId: number | null): boolean =>
  lines.some((line) => line.productId === productId && (variantId === null || line.variantId === variantId))

/** What an express button of a product page buys: the cart, with the chosen piece in it. */
export function expressSentence(lines: readonly Line[], hasChosen: boolean): string {
  const count = itemCount(lines)
  if (count === 0) return 'You see tax and total before you pay.'
  const items = count === 1 ? 'item' : `${count} items`
  return hasChosen ? `Buys the ${items} in your cart.` : `Buys this and the ${items} in your cart.`
}
