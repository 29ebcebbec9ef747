import { say } from '#words/say.ts'
import { itemCount } from './cart.ts'

type Line = { productId: number; variantId: number | null; quantity: number }

/** How many of the pieces that a product page has chosen the cart lacks. @param chosen variantId null: its only variant */
export function missingPieces(lines: readonly Line[], { productId, variantId, quantity }: Line): number {
  const line = lines.find((one) => one.productId === productId && (variantId === null || one.variantId === variantId))
  return Math.max(0, quantity - (line?.quantity ?? 0))
}

/** What an express button of a product page buys: the cart, with the chosen pieces in it. @param missing are added first */
export function expressSentence(lines: readonly Line[], missing: number): string {
  if (itemCount(lines) === 0) return say('You’ll see tax and the total before you pay.')
  return missing === 0
    ? say('Pays for everything in your cart.')
    : say(
        '{count, plural, one {Pays for this and everything in your cart.} other {Pays for # of this and everything in your cart.}}',
        { count: missing },
      )
}
