import { useState } from 'react'
import type { Product } from '#contract/catalog.ts'
import { hasOptionChoice, type OptionState } from '#domain/catalog/options.ts'
import { sayColor } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { useAddToCart } from '#web/cart/use-add-to-cart.ts'
import { useToast } from '#web/ui/toast.tsx'
import type { Variant } from './use-variants.ts'

export const buyLabels = {
  available: 'Add to Cart',
  sold_out: 'Sold out',
  not_made: 'Unavailable in this color',
} as const satisfies Record<OptionState, Word>

type Choice = {
  variants: readonly Variant[]
  chosen: Variant | undefined
  state: OptionState
  isSizeChosen: boolean
  /** The most that somebody may have of it. */
  quantityMax: number
}

/** Shared by the main button and the phone's buy bar. */
export type BuyButtonState = ReturnType<typeof useBuyButton>

export function useBuyButton(product: Product, { variants, chosen, state, isSizeChosen, quantityMax }: Choice) {
  const { toast } = useToast()
  const [wasSent, setWasSent] = useState(false)
  const [wanted, setQuantity] = useState(1)
  const quantity = Math.min(wanted, quantityMax)
  const { addToCart, isBusy, problem, setProblem } = useAddToCart()
  const variantName = chosen ? nameOf(chosen, variants) : null
  const size = chosen && hasOptionChoice(variants, 'size') ? chosen.size : null
  /** The page has chosen the size, and the shopper was not sent to the sizes yet. */
  const isSizeOpen = size !== null && !isSizeChosen && !wasSent

  /** Says so otherwise. */
  const isChosen = (): boolean => {
    if (product.variantCount === 1 || chosen) return true
    setProblem(say('Please select your options above'))
    toast({
      title: say('Please select options'),
      description: say('Choose your preferred color and size before adding to cart.'),
      destructive: true,
    })
    return false
  }
  const buy = async () => {
    if (!isChosen()) return
    const item = {
      productId: product.id,
      name: product.name,
      variantName,
      variantId: () => chosen?.id ?? null,
      quantity,
    }
    // One press is one piece, unless more are asked for again.
    if (await addToCart(item)) setQuantity(1)
  }

  return {
    buy: () => void buy(),
    isChosen,
    quantity,
    quantityMax,
    setQuantity,
    isBusy,
    problem,
    state,
    /** Names the size, which cannot be changed once an order is being made. */
    label: state === 'available' && size !== null ? `${say(buyLabels.available)}, ${size}` : say(buyLabels[state]),
    isSizeOpen,
    onSentToSizes: () => setWasSent(true),
    price: chosen?.unitPrice ?? product.price,
    variantName,
  }
}

/** `Navy / M`: only options with a choice. */
const nameOf = (chosen: Variant, variants: readonly Variant[]): string =>
  (['color', 'size'] as const)
    .flatMap((option) => (hasOptionChoice(variants, option) ? (chosen[option] ?? []) : []))
    .map(sayColor)
    .join(' / ')
