import type { Product } from '#contract/catalog.ts'
import { expressSentence, missingPieces } from '#domain/cart/express.ts'
import { ExpressButtons } from '#web/cart/ExpressButtons.tsx'
import { useCart } from '#web/cart/use-cart.tsx'
import type { BuyButtonState } from './use-buy-button.ts'

type Props = { product: Product; variantId: number | null; buying: BuyButtonState }

/** Buys the cart, with the chosen pieces in it: those that are there already count. */
export function BuyExpress({ product, variantId, buying: { isChosen, state, quantity } }: Props) {
  const { lines, add, settle } = useCart()
  const chosen = { productId: product.id, variantId, quantity }
  const missing = missingPieces(lines, chosen)
  const prepare = async () => {
    if (!isChosen()) return false
    await settle()
    if (missing > 0) await add({ ...chosen, quantity: missing })
    return true
  }
  return (
    <div className="mt-3 noscript:hidden">
      <ExpressButtons prepare={prepare} isDisabled={state !== 'available'} />
      <p className="mt-1.5 text-center text-sm text-ink-soft">{expressSentence(lines, missing)}</p>
    </div>
  )
}
