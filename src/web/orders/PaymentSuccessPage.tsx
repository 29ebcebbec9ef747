import { paymentReference } from '#domain/payments/payment-reference.ts'
import { PaymentResult } from './PaymentResult.tsx'
import { usePaymentOutcome } from './use-payment-outcome.ts'

/** `/payment-success`: where a paid checkout leads, and where providers send the shopper back to. */
export const PaymentSuccessPage = () => (
  <PaymentResult {...usePaymentOutcome(paymentReference)} waiting="Processing your payment..." />
)
