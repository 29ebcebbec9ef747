import { useState } from 'react'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { useCart } from './use-cart.tsx'

/** Opens the checkout, once the last clicks are saved; busy until then. */
export function useToCheckout() {
  const { settle, closeCart } = useCart()
  const [isBusy, setBusy] = useState(false)
  const toCheckout = async () => {
    if (isBusy) return
    setBusy(true)
    await settle()
    setBusy(false)
    closeCart()
    // A new document: the checkout has its own content security policy, for the payment provider's script.
    location.assign(spokenAddress(paths.checkout))
  }
  return { toCheckout, isBusy }
}
