import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import type { useCart } from './use-cart.tsx'

/** Opens the checkout, once the last clicks are saved. */
export async function toCheckout({ settle, closeCart }: Pick<ReturnType<typeof useCart>, 'settle' | 'closeCart'>) {
  await settle()
  closeCart()
  // A new document: the checkout has its own content security policy, for the payment provider's script.
  location.assign(spokenAddress(paths.checkout))
}
