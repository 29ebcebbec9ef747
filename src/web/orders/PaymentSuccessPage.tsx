import { paymentReference } from '#domain/payments/payment-reference.ts'
import { say } from '#words/say.ts'
import { PaymentResult } from './PaymentResult.tsx'
import { usePaymentOutcome } from './use-payment-outcome.ts'

/** `/payment-success`: the end of a paid checkout, and the return address for providers. */
export const PaymentSuccessPage = () => (
  <PaymentResult {...usePaymentOutcome(paymentReference)} waiting={say('Processing your payment...')} />
)
