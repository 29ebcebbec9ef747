import { useCheckout } from './use-checkout.ts'
import { useEmptyCartGuard } from './use-empty-cart-guard.ts'

/** Specification, section 5, Main checkout. */
export function useMainCheckout() {
  const checkout = useCheckout('main')
  const { lines, isPending, isClosed, doing, customer, terms, age } = checkout
  useEmptyCartGuard(!isPending && lines.length === 0 && !isClosed)

  const calculate = async () => {
    if (doing !== 'nothing') return
    const missing = [...customer.mistakes.keys()].find((name) => name.startsWith('shippingAddress.'))
    if (missing) checkout.showErrors(missing)
    else await checkout.price()
  }

  const proceed = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    const [first] = customer.mistakes.keys()
    if (first) return checkout.showErrors(first)
    if (checkout.askAboutZip()) return
    if (!terms.accepted)
      return checkout.warn({ title: 'Terms Agreement Required', sentence: checkout.requireConsent('terms') })
    if (age && !age.accepted) return checkout.warn({ title: 'Error', sentence: checkout.requireConsent('age') })
    await checkout.start()
  }

  return { ...checkout, calculate, proceed }
}
