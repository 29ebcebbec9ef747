import type { Answer } from '#sandbox/kit/types.ts'

/** The body of Stripe's error, without its envelope. */
type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  network_decline_code?: string
  advice_code?: string
  charge?: string
  doc_url?: string
  payment_intent?: unknown
  payment_method?: unknown
}

/** A refusal by Stripe. */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Whether repeating the call with the same idempotency key returns this error: not if the call was refused before it began. */
  readonly isKept: boolean

  constructor(status: number, body: ErrorBody, { isKept = true } = {}) {
    super(body.message)
    this.name = 'StripeTrouble'
    this.status = status
    this.body =
      body.code === undefined ? body : { ...body, doc_url: `https://stripe.com/docs/error-codes/${docName(body.code)}` }
    this.isKept = isKept
  }

  get answer(): Answer {
    return { status: this.status, body: { error: this.body } }
  }
}

const docName = (code: string) => code.replaceAll('_', '-')

/** An invalid call: 400, never stored for its idempotency key. */
export const badRequest = (message: string, rest: { code?: string; param?: string } = {}): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', message, ...rest }, { isKept: false })

/** A valid call that is impossible in the current state: 400. */
export const invalidState = (message: string, rest: Partial<ErrorBody> = {}): StripeError =>
  new StripeError(400, { type: 'invalid_request_error', message, ...rest })

/** @param param `id` for the object of the path (404), otherwise the parameter that named it (400) */
export const resourceMissing = (object: string, id: string, param = 'id'): StripeError =>
  new StripeError(
    param === 'id' ? 404 : 400,
    {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${object}: '${id}'`,
      param,
    },
    { isKept: false },
  )
