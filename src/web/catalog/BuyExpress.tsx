import type { Product } from '#contract/catalog.ts'
import { expressSentence, isInCart } from '#domain/cart/express.ts'
import { ExpressButtons } from '#web/cart/ExpressButtons.tsx'
import { useCart } from '#web/cart/use-cart.tsx'
import type { BuyButtonState } from './use-buy-button.ts'

type Props = { product: Product; variantId: number | null; buying: BuyButtonState }

/** Buys the cart, with the chosen piece in it: once, if it is there already. */
export function BuyExpress({ product, variantId, buying: { isChosen, state } }: Props) {
  const { lines, add, settle } = useCart()
  const hasChosen = isInCart(lines, product.id, variantId)
  const prepare = async () => {
    if (!isChosen()) return false
    await settle()
    if (!hasChosen) await add({ productId: product.id, variantId })
    return true
  }
  return (
    <div className="mt-3 noscript:hidden">
      <ExpressButtons prepare={prepare} isDisabled={state !== 'available'} />
      <p className="mt-1.5 text-center text-sm text-ink-soft">{expressSentence(lines, hasChosen)}</p>
    </div>
  )
}
