/**
 * The card numbers that the simulator accepts, as Stripe publishes them for its test mode
 * (docs.stripe.com/testing; lists of third parties disagree on 2685 and 5423).
 */

/** The bank's response when the card is charged. */
type Decline = { code: string; declineCode?: string; networkCode: string; message: string }

export type TestCard = {
  /** Digits only. */
  number: string
  brand: 'visa' | 'mastercard' | 'amex'
  /** Title on the test cards page. */
  label: string
  /** The outcome, in a sentence. */
  happens: string
  /** Stripe's name of this card as a ready-made payment method, for a server that confirms by itself. */
  token?: string
  /** The bank requires authentication (3D Secure) first. */
  challenge?: true
  decline?: Decline
  /** Stopped by the provider's risk rules before the bank sees it. */
  blocked?: true
  /** The risk rules' rating; `normal` by default. */
  risk?: { level: 'elevated' | 'highest'; score: number }
  /** What happens a minute of sandbox time after the payment. */
  later?: 'dispute_fraudulent' | 'dispute_not_received' | 'inquiry' | 'fraud_warning'
  /** What happens to a refund a minute of sandbox time after its request. */
  refund?: 'pending_then_succeeded' | 'succeeded_then_failed'
  /** The money is available immediately instead of after two days. */
  availableAtOnce?: true
  /** Not a card: the shopper pays on another site's page, and comes back. */
  redirects?: true
}

/** The payment method with a redirect, as in Stripe's test mode: a page with Authorize and Fail. */
export const redirectMethod: TestCard = {
  number: '',
  brand: 'visa',
  label: 'Amazon Pay',
  happens: 'Redirects to a page where you decide.',
  redirects: true,
}

const decline = (declineCode: string, networkCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  networkCode,
  message,
})

const visa = { brand: 'visa' } as const
const CHALLENGED_VISA = { brand: 'visa', challenge: true } as const

/** In the order of the test cards page: most useful first. */
export const testCards: readonly TestCard[] = [
  { ...visa, number: '4242424242424242', label: 'Visa', happens: 'Pays.', token: 'pm_card_visa' },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    label: 'Mastercard',
    happens: 'Pays.',
    token: 'pm_card_mastercard',
  },
  {
    number: '378282246310005',
    brand: 'amex',
    label: 'American Express',
    happens: 'Pays; its security code has four digits.',
    token: 'pm_card_amex',
  },
  {
    ...CHALLENGED_VISA,
    number: '4000002500003155',
    label: 'Extra check',
    happens: 'Requires authentication, then pays.',
    token: 'pm_card_authenticationRequiredOnSetup',
  },
  {
    ...CHALLENGED_VISA,
    number: '4000002760003184',
    label: 'Extra check, always',
    happens: 'Requires authentication, then pays.',
    token: 'pm_card_authenticationRequired',
  },
  {
    ...CHALLENGED_VISA,
    number: '4000000000003220',
    label: 'Extra check, required',
    happens: 'Requires authentication, then pays.',
    token: 'pm_card_threeDSecure2Required',
  },
  {
    ...CHALLENGED_VISA,
    number: '4000008400001629',
    label: 'Extra check, then declined',
    happens: 'Requires authentication; the bank declines after it.',
    token: 'pm_card_threeDSecureRequiredChargeDeclined',
    decline: decline('generic_decline', '01'),
  },
  {
    ...visa,
    number: '4000000000000002',
    label: 'Declined',
    happens: 'The bank declines without a reason.',
    token: 'pm_card_visa_chargeDeclined',
    decline: decline('generic_decline', '01'),
  },
  {
    ...visa,
    number: '4000000000009995',
    label: 'Insufficient funds',
    happens: 'The bank declines: insufficient funds.',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    decline: decline('insufficient_funds', '51', 'Your card has insufficient funds.'),
  },
  {
    ...visa,
    number: '4000000000009987',
    label: 'Lost card',
    happens: 'The bank declines: the card was reported lost. The shopper is not told why.',
    token: 'pm_card_visa_chargeDeclinedLostCard',
    decline: decline('lost_card', '41'),
  },
  {
    ...visa,
    number: '4000000000009979',
    label: 'Stolen card',
    happens: 'The bank declines: the card was reported stolen. The shopper is not told why.',
    token: 'pm_card_visa_chargeDeclinedStolenCard',
    decline: decline('stolen_card', '43'),
  },
  {
    ...visa,
    number: '4000000000000069',
    label: 'Expired',
    happens: 'The bank declines: the card has expired.',
    token: 'pm_card_chargeDeclinedExpiredCard',
    decline: { code: 'expired_card', networkCode: '54', message: 'Your card has expired.' },
  },
  {
    ...visa,
    number: '4000000000000127',
    label: 'Wrong security code',
    happens: 'The bank declines: the security code is wrong.',
    token: 'pm_card_chargeDeclinedIncorrectCvc',
    decline: { code: 'incorrect_cvc', networkCode: '82', message: "Your card's security code is incorrect." },
  },
  {
    ...visa,
    number: '4000000000000119',
    label: 'Processing error',
    happens: 'The bank fails while processing the payment.',
    token: 'pm_card_chargeDeclinedProcessingError',
    decline: {
      code: 'processing_error',
      networkCode: '96',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  {
    ...visa,
    number: '4100000000000019',
    label: 'Blocked',
    happens: 'Stopped by the risk rules before the bank sees it.',
    token: 'pm_card_radarBlock',
    blocked: true,
    risk: { level: 'highest', score: 99 },
    decline: decline('fraudulent', '59'),
  },
  {
    ...visa,
    number: '4000000000004954',
    label: 'Highest risk',
    happens: 'Stopped by the risk rules, which rate it the highest risk.',
    token: 'pm_card_riskLevelHighest',
    blocked: true,
    risk: { level: 'highest', score: 92 },
    decline: decline('fraudulent', '59'),
  },
  {
    ...visa,
    number: '4000000000009235',
    label: 'Elevated risk',
    happens: 'Pays; the risk rules rate it an elevated risk.',
    token: 'pm_card_riskLevelElevated',
    risk: { level: 'elevated', score: 68 },
  },
  {
    ...visa,
    number: '4000000000000259',
    label: 'Dispute, fraudulent',
    happens: 'Pays; a minute later the cardholder disputes it as fraudulent.',
    token: 'pm_card_createDispute',
    later: 'dispute_fraudulent',
  },
  {
    ...visa,
    number: '4000000000002685',
    label: 'Dispute, not received',
    happens: 'Pays; a minute later the cardholder claims that nothing arrived.',
    token: 'pm_card_createDisputeProductNotReceived',
    later: 'dispute_not_received',
  },
  {
    ...visa,
    number: '4000000000001976',
    label: 'Inquiry',
    happens: 'Pays; a minute later the bank inquires about it, and takes no money yet.',
    token: 'pm_card_createDisputeInquiry',
    later: 'inquiry',
  },
  {
    ...visa,
    number: '4000000000005423',
    label: 'Early fraud warning',
    happens: 'Pays; a minute later the card network warns of fraud.',
    token: 'pm_card_createIssuerFraudRecord',
    later: 'fraud_warning',
  },
  {
    ...visa,
    number: '4000000000007726',
    label: 'Slow refund',
    happens: 'Pays; a refund is pending for a minute, then succeeds.',
    token: 'pm_card_pendingRefund',
    refund: 'pending_then_succeeded',
  },
  {
    ...visa,
    number: '4000000000005126',
    label: 'Failing refund',
    happens: 'Pays; a refund succeeds and fails a minute later.',
    token: 'pm_card_refundFail',
    refund: 'succeeded_then_failed',
  },
  {
    ...visa,
    number: '4000000000000077',
    label: 'Money at once',
    happens: 'Pays; the money is available immediately.',
    token: 'pm_card_bypassPending',
    availableAtOnce: true,
  },
]

/** A number that fails the check digit: the form refuses it and sends nothing. */
export const mistypedCard = {
  number: '4242424242424241',
  label: 'Mistyped',
  happens: 'Fails the check digit; the form shows that the number is not valid.',
} as const

/** @param number digits only */
export const findTestCard = (number: string): TestCard | undefined => testCards.find((card) => card.number === number)

export const findTestCardByToken = (token: string): TestCard | undefined =>
  testCards.find((card) => card.token === token)

/** The check digit of a card number (Luhn). @param number digits only */
export function hasValidCheckDigit(number: string): boolean {
  const digits = Array.from(number, Number).toReversed()
  const total = digits.reduce((sum, digit, index) => {
    if (index % 2 === 0) return sum + digit
    return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
  }, 0)
  return total % 10 === 0
}
