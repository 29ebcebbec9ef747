const DECLINED = 'PayPal declined this payment. Nothing was charged. Please try again or choose another way to pay.'
const CHOOSE_ANOTHER =
  'The bank or card behind your PayPal account declined this payment. Nothing was charged. Please choose a different one in PayPal, or pay by card.'
const ACCOUNT =
  'PayPal can’t pay from this account right now. Nothing was charged. Please contact PayPal, or pay by card.'
const LIMIT = 'This is above your PayPal account’s limit. Nothing was charged. Please pay by card.'

/** By issue of PayPal's Orders v2; its own descriptions are written for programmers. */
const sentences: Readonly<Record<string, string>> = {
  INSTRUMENT_DECLINED: CHOOSE_ANOTHER,
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: CHOOSE_ANOTHER,
  PAYER_ACTION_REQUIRED: 'PayPal needs one more step from you. Nothing was charged. Please open PayPal again.',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: ACCOUNT,
  PAYER_ACCOUNT_RESTRICTED: ACCOUNT,
  PAYER_CANNOT_PAY: ACCOUNT,
  TRANSACTION_LIMIT_EXCEEDED: LIMIT,
}

/**
 * The message for a shopper whose payment PayPal declined for good.
 * @param issue PayPal's name; unknown ones get a generic message
 */
export const walletRefusalSentence = (issue: string): string => sentences[issue] ?? DECLINED
