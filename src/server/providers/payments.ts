import type { ProviderPayment } from '#domain/payments/objection.ts'
import { readPaymentKey, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import type { ProviderRefund, Returns } from '#domain/payments/returns.ts'
import type { Cents } from '#shared/money.ts'
import type { PaypalGateway } from './paypal/paypal.ts'
import type { StripeGateway } from './stripe/stripe.ts'
import { ProviderRefusal } from './provider-errors.ts'

/** One face over card and wallet. */
export type Payments = {
  /** @returns undefined when the provider does not know the payment @throws ProviderUnavailable */
  read(key: PaymentKey): Promise<ProviderPayment | undefined>
  /** @param ours our refund's number @param idempotencyKey the same key gives the money back once only */
  refund(key: PaymentKey, amount: Cents, ours: number, idempotencyKey: string): Promise<ProviderRefund>
  /** All that went back, or is asked back, of a payment. @throws ProviderUnavailable */
  listReturns(key: PaymentKey): Promise<Returns>
}

/** What can be a payment's id. Anything else is not asked about: a guess costs the provider's quota. */
const idShapes = { stripe: /^pi_\w+$/, paypal: /^[0-9A-Z]{10,36}$/ } as const
const UNKNOWN = ['resource_missing', 'RESOURCE_NOT_FOUND']

export const createPayments = ({ stripe, paypal }: { stripe: StripeGateway; paypal: PaypalGateway }): Payments => ({
  async read(key) {
    const named = readPaymentKey(key)
    if (!named || !idShapes[named.provider].test(named.id)) return undefined
    try {
      return await (named.provider === 'stripe' ? stripe.readIntent(named.id) : paypal.readOrder(named.id))
    } catch (error) {
      if (error instanceof ProviderRefusal && UNKNOWN.includes(error.code ?? '')) return undefined
      throw error
    }
  },
  async refund(key, amount, ours, idempotencyKey) {
    const named = namedBy(key)
    if (named.provider === 'stripe') return stripe.refund(named.id, amount, ours, idempotencyKey)

    const { captureId } = await paypal.readOrder(named.id)
    if (captureId === null) throw new ProviderRefusal('paypal', `${key} was never captured`)
    return paypal.refund(captureId, amount, ours, idempotencyKey)
  },
  listReturns(key) {
    const { provider, id } = namedBy(key)
    return provider === 'stripe' ? stripe.listReturns(id) : paypal.listReturns(id)
  },
})

function namedBy(key: PaymentKey): { provider: PaymentProvider; id: string } {
  const named = readPaymentKey(key)
  if (!named) throw new ProviderRefusal('payments', `${key} is no payment of a provider of ours`)
  return named
}
