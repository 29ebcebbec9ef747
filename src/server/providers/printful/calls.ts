import * as z from 'zod/mini'
import { SECOND_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { createCircuitBreaker } from '#server/limits/circuit-breaker.ts'
import { ProviderRefusal, ProviderUnavailable, RateLimited, UnusableResponse } from '../provider-errors.ts'
import { bytesOf } from '../responses.ts'
import { createLimiter, type Urgency } from './limiter.ts'
import { refusalBody } from './shapes.ts'

/** Sends calls to Printful within its limits, and turns its answers into shapes or errors. */

const TIMEOUT_MS = 8 * SECOND_MS
const DEFAULT_HEADERS = { accept: 'application/json', 'x-pf-language': 'en_US' }
/**
 * Calls a minute that have a limit of their own, besides the general one. Changes of the store's products: 10. Mockup tasks: 10, but 2 for
 * new stores; its answers announce which.
 */
const OWN_LIMITS = { change: 10, mockup: 2 }

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type AskOptions = {
  urgency: Urgency
  body?: object
  timeoutMs?: number
  /** A refusal is answered as undefined. */
  isOptional?: boolean
  own?: keyof typeof OWN_LIMITS
}

export type Ask = <Shape extends z.ZodMiniType>(
  method: Method,
  path: string,
  shape: Shape,
  options: AskOptions,
) => Promise<z.output<Shape> | undefined>

export function createCalls({ config, log, clock }: Needs<'config' | 'log' | 'clock'>) {
  const { apiBase, token, storeId } = config.printful
  const limiter = createLimiter()
  const ownLimiters = {
    change: createLimiter(undefined, { callsMax: OWN_LIMITS.change, reserved: 0 }),
    mockup: createLimiter(undefined, { callsMax: OWN_LIMITS.mockup, reserved: 0 }),
  }
  const circuit = createCircuitBreaker({ now: () => clock.now() })

  /** @returns undefined for a 404 */
  const ask: Ask = async (method, path, shape, { urgency, body, timeoutMs = TIMEOUT_MS, isOptional = false, own }) => {
    // Quotes are always requested: a shopper waits, it takes two seconds at most, and a success shows that Printful is back.
    if (urgency !== 'quote' && !circuit.mayCall())
      throw new ProviderUnavailable('printful', new Error('It was down a moment ago.'))
    if (!(await limiter.acquire(urgency)) || (own && !(await ownLimiters[own].acquire(urgency))))
      throw new RateLimited('printful', new Error('The rate limit is reached.'), false)

    const announced = own ? ownLimiters[own] : limiter
    const { status, text } = await send(announced, `${apiBase}${path}`, timeoutMs, {
      method,
      headers: {
        ...DEFAULT_HEADERS,
        authorization: `Bearer ${token.reveal()}`,
        ...(storeId && { 'x-pf-store-id': storeId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (urgency !== 'quote') circuit.record(false)
      throw error
    })
    if (status < 500) circuit.record(true)
    else if (urgency !== 'quote') circuit.record(false)
    const json = jsonOf(text)
    if (status === 404 && refusalBody.safeParse(json).success) return undefined
    if (isOptional && isRefusal(status)) return undefined
    if (status >= 400) throw toProviderError(status, json)

    const parsed = shape.safeParse(json)
    if (parsed.success) return parsed.data
    log.warn(
      { path, issue: z.prettifyError(parsed.error).slice(0, 500) },
      'Printful sent a response that cannot be read.',
    )
    throw new UnusableResponse('printful', z.prettifyError(parsed.error))
  }

  async function send(
    limiter: ReturnType<typeof createLimiter>,
    url: string,
    timeoutMs: number,
    init: RequestInit,
  ): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      limiter.readHeaders(answer.status, answer.headers)
      return { status: answer.status, text: (await bytesOf(answer)).toString('utf8') }
    } catch (error) {
      throw new ProviderUnavailable('printful', error)
    }
  }

  return {
    ask,
    isDown: () => circuit.isDown(),
    stopWaiting() {
      for (const each of [limiter, ownLimiters.change, ownLimiters.mockup]) each.stopWaiting()
    },
  }
}

/** A refusal that a retry would not change. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 419, 429].includes(status)

/** @throws ProviderRefusal for a 404 */
export function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) throw new ProviderRefusal('printful', 'Not Found', 'NotFound')
  return answer
}

/** Printful's own statuses: 419 warns of the rate limit, 429 is a lockout. An HTML page is not Printful's response. */
function toProviderError(status: number, json: unknown): ProviderRefusal | ProviderUnavailable {
  if (status === 429) return new RateLimited('printful', new Error('The response was 429.'))
  const parsed = refusalBody.safeParse(json)
  // An expired token or unpaid bill is not about the order: it is retried once the owner has fixed that.
  const isAboutUs = status === 401 || status === 402 || status === 403
  if (!parsed.success || isAboutUs || status >= 500 || status === 408 || status === 419)
    return new ProviderUnavailable('printful', new Error(`The response was ${status}.`), !isAboutUs)

  const { result, error } = parsed.data
  const sentence = error?.message ?? (typeof result === 'string' ? result : `The printer refused it (${status}).`)
  return new ProviderRefusal('printful', sentence, codeOf(sentence) ?? error?.reason ?? undefined)
}

/** Printful does not document error codes, so its sentences are matched. */
function codeOf(sentence: string): string | undefined {
  if (/external id already exists/i.test(sentence)) return 'external_id_in_use'
  // A missing name or tax number says nothing about the address; quotes are sent without them.
  if (/\b(?:zip|postal|postcode|state|country|city|address)\b/i.test(sentence.replaceAll('_', ' ')))
    return 'address_refused'
  return undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
