import type { ProviderPayment } from '#domain/payments/objection.ts'
import { readPaymentKey, type PaymentKey, type PaymentProvider } from '#shared/ids.ts'
import type { AnswerStanding } from '#domain/payments/dispute-answer.ts'
import type { PaypalEvidence, StripeEvidence } from '#domain/payments/dispute-pack.ts'
import type { ProviderRefund, Returns } from '#domain/payments/returns.ts'
import type { Cents } from '#shared/money.ts'
import type { PaypalGateway } from './paypal/paypal.ts'
import type { StripeGateway } from './stripe/stripe.ts'
import { ProviderRefusal } from './provider-errors.ts'

/** What a provider checked when it took a payment. */
export type PaymentCheck = { name: string; result: string }

/** Evidence in a dispute: a PDF, and what it says as each provider wants it. */
export type Evidence = {
  file: Buffer
  fileName: string
  /** Recognizes our evidence at the provider; part of the file's name. */
  reference: string
  texts: StripeEvidence
  parts: PaypalEvidence[]
}

type DisputeName = { provider: PaymentProvider; disputeId: string }

/** Stripe and PayPal behind one interface. */
export type Payments = {
  /** @returns undefined when the provider does not know the payment @throws ProviderUnavailable */
  read(key: PaymentKey): Promise<ProviderPayment | undefined>
  /** @param ours our refund's id @param idempotencyKey the same key refunds only once */
  refund(key: PaymentKey, amount: Cents, ours: number, idempotencyKey: string): Promise<ProviderRefund>
  /** A payment's refunds and disputes. @throws ProviderUnavailable */
  listReturns(key: PaymentKey): Promise<Returns>
  readChecks(key: PaymentKey): Promise<PaymentCheck[]>
  /** @param reference of our answer */
  readDisputeStanding(dispute: DisputeName, reference: string): Promise<AnswerStanding>
  /** @param attempt counts from 1 */
  submitEvidence(dispute: DisputeName, evidence: Evidence, attempt: number): Promise<void>
  /** Gives in. */
  acceptDispute(dispute: DisputeName): Promise<void>
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
  readChecks(key) {
    const { provider, id } = parsePaymentKey(key)
    return provider === 'stripe' ? stripe.readChecks(id) : paypal.readChecks(id)
  },
  readDisputeStanding: ({ provider, disputeId }, reference) =>
    (provider === 'stripe' ? stripe : paypal).readDisputeStanding(disputeId, reference),
  submitEvidence: ({ provider, disputeId }, evidence, attempt) =>
    provider === 'stripe'
      ? stripe.submitEvidence(disputeId, evidence, attempt)
      : paypal.submitEvidence(disputeId, evidence),
  acceptDispute: ({ provider, disputeId }) =>
    provider === 'stripe'
      ? stripe.closeDispute(disputeId)
      : paypal.acceptClaim(disputeId, 'We accept this claim. The money goes back to you.'),
})

function parsePaymentKey(key: PaymentKey): { provider: PaymentProvider; id: string } {
  const parsed = readPaymentKey(key)
  if (!parsed) throw new ProviderRefusal('payments', `${key} has an unknown provider`)
  return parsed
}
