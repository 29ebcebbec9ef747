import type { ProviderPayment } from '#domain/payments/objection.ts'
import { readPaymentKey, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import type { ProviderRefund, Returns } from '#domain/payments/returns.ts'
import type { Cents } from '#shared/money.ts'
import type { PaypalGateway } from './paypal/paypal.ts'
import type { StripeGateway } from './stripe/stripe.ts'
import { ProviderRefusal } from './provider-errors.ts'

/** Stripe and PayPal behind one interface. */
export type Payments = {
  /** @returns undefined when the provider does not know the payment @throws ProviderUnavailable */
  read(key: PaymentKey): Promise<ProviderPayment | undefined>
  /** @param ours our refund's id @param idempotencyKey the same key refunds only once */
  refund(key: PaymentKey, amount: Cents, ours: number, idempotencyKey: string): Promise<ProviderRefund>
  /** A payment's refunds and disputes. @throws ProviderUnavailable */
  listReturns(key: PaymentKey): Promise<Returns>
}

/** Other ids are not looked up, so guessing does not use up the provider's quota. */
const idShapes = { stripe: /^pi_\w+$/, paypal: /^[0-9A-Z]{10,36}$/ } as const
/** The provider that uses such ids, for URLs that do not name it. */
export const providerOfId = (id: string): PaymentProvider => (idShapes.stripe.test(id) ? 'stripe' : 'paypal')

const NOT_FOUND_CODES = ['resource_missing', 'RESOURCE_NOT_FOUND']

export const createPayments = ({ stripe, paypal }: { stripe: StripeGateway; paypal: PaypalGateway }): Payments => ({
  async read(key) {
    const parsed = readPaymentKey(key)
    if (!parsed || !idShapes[parsed.provider].test(parsed.id)) return undefined
    try {
      return await (parsed.provider === 'stripe' ? stripe.readIntent(parsed.id) : paypal.readOrder(parsed.id))
    } catch (error) {
      if (error instanceof ProviderRefusal && NOT_FOUND_CODES.includes(error.code ?? '')) return undefined
      throw error
    }
  },
  async refund(key, amount, ours, idempotencyKey) {
    const { provider, id } = parsePaymentKey(key)
    if (provider === 'stripe') return stripe.refund(id, amount, ours, idempotencyKey)

    const { captureId } = await paypal.readOrder(id)
    if (captureId === null) throw new ProviderRefusal('paypal', `${key} was never captured`)
    return paypal.refund(captureId, amount, ours, idempotencyKey)
  },
  listReturns(key) {
    const { provider, id } = parsePaymentKey(key)
    return provider === 'stripe' ? stripe.listReturns(id) : paypal.listReturns(id)
  },
})

function parsePaymentKey(key: PaymentKey): { provider: PaymentProvider; id: string } {
  const parsed = readPaymentKey(key)
  if (!parsed) throw new ProviderRefusal('payments', `${key} has an unknown provider`)
  return parsed
}
