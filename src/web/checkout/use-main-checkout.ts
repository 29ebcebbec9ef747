import { useCheckout } from './use-checkout.ts'
import { useEmptyCartGuard } from './use-empty-cart-guard.ts'

/** What the main checkout insists on before it goes on (specification, section 5, Main checkout). */
export function useMainCheckout() {
  const checkout = useCheckout('main')
  const { lines, isPending, isClosed, doing, customer, terms, age } = checkout
  useEmptyCartGuard(!isPending && lines.length === 0 && !isClosed)

  const calculate = async () => {
    if (doing !== 'nothing') return
    const missing = [...customer.mistakes.keys()].find((name) => name.startsWith('shippingAddress.'))
    if (missing) checkout.insistOn(missing)
    else await checkout.price()
  }

  const proceed = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    const [first] = customer.mistakes.keys()
    if (first) return checkout.insistOn(first)
    if (checkout.asksAboutZip()) return
    if (!terms.accepted)
      return checkout.warn({ title: 'Terms Agreement Required', sentence: checkout.insistOnBox('terms') })
    if (age && !age.accepted) return checkout.warn({ title: 'Error', sentence: checkout.insistOnBox('age') })
    await checkout.start()
  }

  return { ...checkout, calculate, proceed }
}
