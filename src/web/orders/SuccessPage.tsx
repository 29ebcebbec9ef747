import { successReference } from '#domain/payments/payment-reference.ts'
import { PaymentResult } from './PaymentResult.tsx'
import { usePaymentOutcome } from './use-payment-outcome.ts'

/** `/success`: the same verdict for a payment that `session_id` names. */
export const SuccessPage = () => (
  <PaymentResult {...usePaymentOutcome(successReference)} waiting="Verifying your payment..." />
)
