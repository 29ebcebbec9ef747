const DECLINED = 'PayPal declined this payment. Nothing was charged. Please try again or choose another way to pay.'
const CHOOSE_ANOTHER =
  'The bank or card behind your PayPal account declined this payment. Nothing was charged. Please choose another one in PayPal, or pay by card.'
const ACCOUNT =
  'PayPal cannot pay from this account just now. Nothing was charged. Please ask PayPal why, or pay by card.'
const LIMIT = 'This is more than PayPal lets this account pay. Nothing was charged. Please pay by card.'

/** By the issues of PayPal's Orders v2, whose own descriptions are written for programmers. */
const sentences: Readonly<Record<string, string>> = {
  INSTRUMENT_DECLINED: CHOOSE_ANOTHER,
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: CHOOSE_ANOTHER,
  PAYER_ACTION_REQUIRED: 'PayPal needs one more step from you. Nothing was charged. Please open PayPal once more.',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: ACCOUNT,
  PAYER_ACCOUNT_RESTRICTED: ACCOUNT,
  PAYER_CANNOT_PAY: ACCOUNT,
  TRANSACTION_LIMIT_EXCEEDED: LIMIT,
}

/**
 * What a shopper hears when PayPal refuses for good to take the money.
 * @param issue PayPal's name of it; one that has no sentence of its own is told as a plain decline
 */
export const walletRefusalSentence = (issue: string): string => sentences[issue] ?? DECLINED
