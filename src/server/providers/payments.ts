import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { readPaymentKey, type PaymentKey } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { PaypalGateway } from './paypal/paypal.ts'
import type { StripeGateway } from './stripe/stripe.ts'
import { ProviderRefused } from './trouble.ts'

/** One face over card and wallet. */
export type Payments = {
  /** @returns undefined when the provider does not know the payment @throws ProviderUnavailable */
  read(key: PaymentKey): Promise<ProviderPayment | undefined>
  /** @param idempotencyKey the same key gives the money back once only */
  refund(key: PaymentKey, amount: Cents, idempotencyKey: string): Promise<{ id: string; status: string }>
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
      if (error instanceof ProviderRefused && UNKNOWN.includes(error.code ?? '')) return undefined
      throw error
    }
  },
  async refund(key, amount, idempotencyKey) {
    const named = readPaymentKey(key)
    if (!named) throw new ProviderRefused('payments', `${key} is no payment of a provider of ours`)
    if (named.provider === 'stripe') return stripe.refund(named.id, amount, idempotencyKey)

    const { captureId } = await paypal.readOrder(named.id)
    if (captureId === null) throw new ProviderRefused('paypal', `${key} was never captured`)
    return paypal.refund(captureId, amount, idempotencyKey)
  },
})
