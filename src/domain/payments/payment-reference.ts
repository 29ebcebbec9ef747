/** The payment a return URL refers to. */
export type PaymentReference =
  /** `id` is looked up at the shop: the provider's payment, or the order number for the wallet's first form. */
  { kind: 'card'; id: string } | { kind: 'wallet'; id: string; orderNumber: string | undefined } | { kind: 'none' }

const ID = /^[A-Za-z0-9_-]{1,128}$/
const SECRET_MARKER = '_secret_'

/**
 * The confirmation page's five parameters by priority (specification, section 2, Confirmation page). Values that
 * cannot be an id count as missing.
 * @param find a query parameter's value, null if missing
 */
export function paymentReference(find: (name: string) => string | null): PaymentReference {
  const idIn = (name: string) => {
    const value = find(name)
    return value !== null && ID.test(value) ? value : undefined
  }
  const orderNumber = idIn('orderNumber')
  const walletOrder = idIn('paypal_order_id')

  if (find('paymentMethod') === 'paypal' && orderNumber && idIn('printfulOrderId'))
    return { kind: 'wallet', id: walletOrder ?? orderNumber, orderNumber }
  if (walletOrder) return { kind: 'wallet', id: walletOrder, orderNumber }

  const intent = idIn('payment_intent') ?? intentOfSecret(find('payment_intent_client_secret'))
  return intent ? { kind: 'card', id: intent } : { kind: 'none' }
}

/**
 * The card's success page names a payment directly (specification, section 2, Success page).
 * @param find a query parameter's value, null if missing
 */
export function successReference(find: (name: string) => string | null): PaymentReference {
  const session = find('session_id')
  return session !== null && ID.test(session) ? { kind: 'card', id: session } : paymentReference(find)
}

function intentOfSecret(secret: string | null): string | undefined {
  const marker = secret?.indexOf(SECRET_MARKER) ?? -1
  const intent = marker > 0 ? secret?.slice(0, marker) : undefined
  return intent !== undefined && ID.test(intent) ? intent : undefined
}
