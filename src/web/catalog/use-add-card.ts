import { useQueryClient } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { productQuery } from '#web/api/queries.ts'
import { useAddToCart } from '#web/cart/use-add-to-cart.ts'

type Options = { isInCart?: boolean }

/** Adds a product without a size as its card shows it: `addCard` takes the color, null without a choice of colors. */
export function useAddCard({ id, name, variantCount }: ProductCard, { isInCart = false }: Options = {}) {
  const queries = useQueryClient()
  const { addToCart, isBusy, problem } = useAddToCart()
  const hasOptions = variantCount > 1

  const variantIn = async (color: string | null) => {
    const { product } = await queries.fetchQuery(productQuery(String(id)))
    return product.colors.find((swatch) => swatch.name === color)?.variant ?? product.variant
  }
  const addCard = (color: string | null) =>
    addToCart({
      productId: id,
      name,
      variantName: hasOptions && color !== null ? sayColor(color) : null,
      variantId: () => (hasOptions ? variantIn(color) : null),
      isInCart,
    })

  return { addCard, isBusy, problem }
}
