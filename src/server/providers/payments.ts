import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { readPaymentKey, type PaymentKey } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { StripeGateway } from './stripe/stripe.ts'
import { ProviderRefused } from './trouble.ts'

/** One face over card and wallet. */
export type Payments = {
  /** @returns undefined when the provider does not know the payment @throws ProviderUnavailable */
  read(key: PaymentKey): Promise<ProviderPayment | undefined>
  /** @param idempotencyKey the same key gives the money back once only */
  refund(key: PaymentKey, amount: Cents, idempotencyKey: string): Promise<{ id: string; status: string }>
}

export const createPayments = (stripe: StripeGateway): Payments => ({
  async read(key) {
    const named = readPaymentKey(key)
    // What cannot be an intent's id is not asked about: a guess costs the provider's quota.
    if (named?.provider !== 'stripe' || !/^pi_\w+$/.test(named.id)) return undefined
    try {
      return await stripe.readIntent(named.id)
    } catch (error) {
      if (error instanceof ProviderRefused && error.code === 'resource_missing') return undefined
      throw error
    }
  },
  async refund(key, amount, idempotencyKey) {
    const named = readPaymentKey(key)
    if (named?.provider !== 'stripe')
      throw new ProviderRefused('payments', `${key} is no payment of a provider of ours`)
    return stripe.refund(named.id, amount, idempotencyKey)
  },
})
