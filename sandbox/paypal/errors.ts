import type { Answer } from '#sandbox/kit/types.ts'

export type Detail = { issue: string; description?: string; field?: string; value?: string; location?: string }

type Link = { href: string; rel: string; method: string }

/** The sentences for each status, word for word from PayPal's published description. */
const kinds = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
} as const

/** A refusal by PayPal. */
export class PaypalError extends Error {
  readonly status: keyof typeof kinds
  readonly details: readonly Detail[]
  readonly links: readonly Link[]

  constructor(status: keyof typeof kinds, details: readonly Detail[] = [], links: readonly Link[] = []) {
    super(details.map(({ issue, field = '' }) => `${issue} ${field}`.trim()).join(', ') || kinds[status][0])
    this.name = 'PaypalTrouble'
    this.status = status
    this.details = details
    this.links = links
  }

  answer(debugId: string): Answer {
    const [name, message] = kinds[this.status]
    const details = this.status === 500 ? {} : { details: this.details }
    return { status: this.status, body: { name, message, ...details, debug_id: debugId, links: this.links } }
  }
}

/** PayPal's description of each issue, word for word. */
const sentences: Readonly<Record<string, string>> = {
  INVALID_ARRAY_MAX_ITEMS: 'The number of items in an array parameter is too large.',
  INVALID_ARRAY_MIN_ITEMS: 'The number of items in an array parameter is too small.',
  INVALID_PARAMETER_SYNTAX: 'The value of a field does not conform to the expected format.',
  INVALID_STRING_LENGTH: 'The value of a field is either too short or too long',
  INVALID_PARAMETER_VALUE: 'A parameter value is not valid.',
  MISSING_REQUIRED_PARAMETER: 'A required parameter is missing.',
  MALFORMED_REQUEST_JSON: 'The request JSON is not well formed.',
  NOT_SUPPORTED: 'This field is not currently supported.',
  PAYPAL_REQUEST_ID_REQUIRED:
    "A PayPal-Request-Id is required if you are trying to process payment for an Order. Please specify a PayPal-Request-Id or Create the Order without a 'payment_source' specified.",
  AMOUNT_MISMATCH:
    'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
  CANNOT_BE_NEGATIVE:
    'Must be greater than or equal to 0. If the currency supports decimals, only two decimal place precision is supported.',
  CANNOT_BE_ZERO_OR_NEGATIVE:
    'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
  CITY_REQUIRED: 'The specified country requires a city (address.admin_area_2).',
  DECIMAL_PRECISION: 'If the currency supports decimals, only two decimal place precision is supported.',
  INVALID_CURRENCY_CODE:
    'Currency code is invalid or is not currently supported. Please refer https://developer.paypal.com/api/rest/reference/currency-codes/ for list of supported currency codes.',
  ITEM_TOTAL_MISMATCH: 'Should equal sum of (unit_amount * quantity) across all items for a given purchase_unit.',
  ITEM_TOTAL_REQUIRED:
    'If item details are specified (items.unit_amount and items.quantity) corresponding amount.breakdown.item_total is required.',
  POSTAL_CODE_REQUIRED: 'The specified country requires a postal code.',
  TAX_TOTAL_MISMATCH: 'Should equal sum of (tax * quantity) across all items for a given purchase_unit.',
  TAX_TOTAL_REQUIRED:
    'If item details are specified (items.tax_total and items.quantity) corresponding amount.breakdown.tax_total is required.',
  COMPLIANCE_VIOLATION: 'Transaction is declined due to compliance violation.',
  DUPLICATE_INVOICE_ID:
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
  INSTRUMENT_DECLINED:
    "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'You have exceeded the maximum number of payment attempts.',
  PAYEE_BLOCKED_TRANSACTION: 'The Fraud settings for this seller are such that this payment cannot be executed.',
  PAYER_CANNOT_PAY:
    'Payer cannot pay for this transaction. Please contact the payer to find other ways to pay for this transaction.',
  TRANSACTION_REFUSED: 'The request was refused.',
  SHIPPING_ADDRESS_INVALID: 'Provided shipping address is invalid.',
  ORDER_NOT_APPROVED:
    "Payer has not yet approved the Order for payment. Please redirect the payer to the 'rel':'approve' url returned as part of the HATEOAS links within the Create Order call or provide a valid `payment_source` in the request.",
  ORDER_ALREADY_CAPTURED: "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
  PAYER_ACTION_REQUIRED: 'Transaction cannot complete successfully, instruct the buyer to return to PayPal.',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: 'Transaction failed. Redirect the payer to select another funding source.',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'The payer account cannot be used for this transaction.',
  PAYER_ACCOUNT_RESTRICTED: 'PAYER_ACCOUNT_RESTRICTED',
  TRANSACTION_LIMIT_EXCEEDED: 'Total payment amount exceeded transaction limit.',
  DUPLICATE_REQUEST_ID: 'The value of PayPal-Request-Id header has already been used.',
  PREVIOUS_REQUEST_IN_PROGRESS:
    'A previous request on this resource is currently in progress. Please wait for sometime and try again. It is best to space out the initial and the subsequent request(s) to avoid receiving this error.',
  ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE: 'The action is not allowed in the current state of the dispute.',
  INVALID_FILE_TYPE: 'The type of the file is not supported.',
  FILE_SIZE_EXCEEDED: 'The file is larger than the maximum size.',
  INVALID_RESOURCE_ID: 'Specified resource ID does not exist. Please check the resource ID and try again.',
  PERMISSION_DENIED: 'You do not have permission to access or perform operations on this resource.',
  INVALID_JSON_POINTER_FORMAT:
    'Path should be a valid JSON Pointer https://tools.ietf.org/html/rfc6901 that references a location within the request where the operation is performed.',
  INVALID_PATCH_OPERATION:
    "The operation cannot be honored. Cannot add a property that's already present, use replace. Cannot remove a property thats not present, use add. Cannot replace a property thats not present, use add.",
  NOT_PATCHABLE: 'Cannot be patched.',
  REFERENCE_ID_NOT_FOUND:
    'Filter expression value is incorrect. Please check the value of the reference_id and try again.',
  ORDER_ALREADY_COMPLETED: 'The order cannot be patched after it is completed.',
  CAPTURE_FULLY_REFUNDED: 'The capture has already been fully refunded',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'Refund must be in the same currency as the capture',
  REFUND_TIME_LIMIT_EXCEEDED: 'You are over the time limit to perform a refund on this capture',
  REFUND_AMOUNT_EXCEEDED:
    'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  PENDING_CAPTURE:
    'Cannot initiate a refund as the capture is pending. Capture is typically pending when the payer has funded the transaction using e-check/bank funded.',
  REFUND_NOT_ALLOWED: 'Capture cannot be refunded.',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK:
    'Refunds are not allowed on this capture due to a chargeback on the card or bank. Please contact the payee to resolve the chargeback.',
  TRANSACTION_DISPUTED:
    'Partial refunds cannot be offered at this time because there is an open case on this transaction. Visit the PayPal Resolution Center to review this case.',
  REFUND_FAILED_INSUFFICIENT_FUNDS:
    'Capture could not be refunded due to insufficient funds. Please check to see if you have sufficient funds in your PayPal account or if the bank account linked to your PayPal account is verified and has sufficient funds.',
}

/** Whether this simulator knows the issue. */
export const isIssue = (name: string): boolean => name in sentences

export function detail(issue: string, field?: string, value?: unknown): Detail {
  const description = sentences[issue]
  return {
    issue,
    ...(description !== undefined && { description }),
    ...(field !== undefined && { field, location: 'body' }),
    ...((typeof value === 'string' || typeof value === 'number') && { value: String(value) }),
  }
}

export const unprocessable = (issue: string, field?: string, value?: unknown): PaypalError =>
  new PaypalError(422, [detail(issue, field, value)])

export const invalidRequest = (issue: string, field?: string, value?: unknown): PaypalError =>
  new PaypalError(400, [detail(issue, field, value)])

export const resourceNotFound = (): PaypalError => new PaypalError(404, [detail('INVALID_RESOURCE_ID')])

const mockedStatus: Readonly<Record<string, 400 | 403 | 404 | 422 | 429 | 500>> = {
  INTERNAL_SERVER_ERROR: 500,
  INTERNAL_SERVICE_ERROR: 500,
  RATE_LIMIT_REACHED: 429,
  NOT_AUTHORIZED: 403,
  PERMISSION_DENIED: 403,
  RESOURCE_NOT_FOUND: 404,
  INVALID_RESOURCE_ID: 404,
  MALFORMED_REQUEST_JSON: 400,
  MISSING_REQUIRED_PARAMETER: 400,
  INVALID_PARAMETER_SYNTAX: 400,
  INVALID_PARAMETER_VALUE: 400,
  INVALID_STRING_LENGTH: 400,
}

/**
 * The error that the header `PayPal-Mock-Response: {"mock_application_codes": "…"}` requests
 * (developer.paypal.com/tools/sandbox/negative-testing); the call then changes nothing.
 */
export function mockedError(header: string | undefined): PaypalError | undefined {
  if (header === undefined) return undefined
  const code = codeIn(header)
  if (code === undefined) return invalidRequest('INVALID_PARAMETER_VALUE')
  const status = mockedStatus[code] ?? 422
  return new PaypalError(status, isIssue(code) ? [detail(code)] : status === 422 ? [{ issue: code }] : [])
}

function codeIn(header: string): string | undefined {
  try {
    const { mock_application_codes: code } = JSON.parse(header) as { mock_application_codes?: unknown }
    return typeof code === 'string' && code !== '' ? code : undefined
  } catch {
    return undefined
  }
}
