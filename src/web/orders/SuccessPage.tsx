import { successReference } from '#domain/payments/payment-reference.ts'
import { say } from '#words/say.ts'
import { PaymentResult } from './PaymentResult.tsx'
import { usePaymentOutcome } from './use-payment-outcome.ts'

/** `/success`: the same for a payment in `session_id`. */
export const SuccessPage = () => (
  <PaymentResult {...usePaymentOutcome(successReference)} waiting={say('Verifying your payment...')} />
)
