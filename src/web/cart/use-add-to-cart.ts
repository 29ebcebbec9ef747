import { useState } from 'react'
import { spokenName } from '#domain/catalog/product-name.ts'
import { say } from '#words/say.ts'
import { ApiError } from '#web/api/client.ts'
import { useToast } from '#web/ui/toast.tsx'
import { useCartActions } from './use-cart.tsx'

/** Specification, section 8. */
const addFailed = () => say('Failed to add item to cart. Please try again.')

export type ItemToAdd = {
  productId: number
  /** For the toast only: the server stores the catalog's name. */
  name: string
  variantName: string | null
  variantId: () => number | null | Promise<number | null>
  quantity?: number
  /** The confirmation then leads nowhere. */
  isInCart?: boolean
}

/** Adds an item. `problem` is the sentence for the last failure, until the next attempt. */
export function useAddToCart() {
  const { add, openCart } = useCartActions()
  const { toast } = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  /** @returns whether it is in the cart now */
  const addToCart = async (item: ItemToAdd): Promise<boolean> => {
    const { productId, name, variantName, variantId, quantity = 1, isInCart = false } = item
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { imageUrl } = await add({ productId, variantId: await variantId(), quantity })
      const added = [spokenName(name), variantName].filter(Boolean).join(', ')
      toast({
        title: say('Added to cart'),
        description: quantity > 1 ? `${quantity} × ${added}` : added,
        picture: imageUrl,
        ...(!isInCart && { action: { label: say('View cart'), onAct: openCart } }),
      })
      return true
    } catch (error) {
      setProblem(error instanceof ApiError && error.refusal ? error.refusal.message : addFailed())
      toast({ title: say('Error'), description: addFailed(), destructive: true })
      return false
    } finally {
      setIsBusy(false)
    }
  }

  return { addToCart, isBusy, problem, setProblem }
}
