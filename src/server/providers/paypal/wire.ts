import * as z from 'zod/mini'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  RateLimited,
  RequestInProgress,
  UnusableResponse,
} from '#server/providers/provider-errors.ts'
import { bytesOf } from '../responses.ts'
import { isInProgress } from './capture-issues.ts'
import { refusalShape } from './shapes.ts'

type RawAnswer = { status: number; json: unknown; debugId: string }

export async function send(url: string, timeoutMs: number, init: RequestInit): Promise<RawAnswer> {
  const { status, text, debugId } = await get(url, timeoutMs, init)
  return { status, json: jsonOf(text), debugId }
}

export async function get(url: string, timeoutMs: number, init: RequestInit, bytesMax?: number) {
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const debugId = answer.headers.get('paypal-debug-id') ?? ''
    return { status: answer.status, text: (await bytesOf(answer, bytesMax)).toString('utf8'), debugId }
  } catch (error) {
    throw new ProviderUnavailable('paypal', error)
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function readAs<Shape extends z.ZodMiniType>(shape: Shape, json: unknown): z.output<Shape> {
  const parsed = shape.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UnusableResponse('paypal', z.prettifyError(parsed.error))
}

/** An HTML page, a bad token, a missing permission or a rate limit is not a refusal of the request. */
export function toProviderError({ status, json, debugId }: RawAnswer): ProviderRefusal | ProviderUnavailable {
  const parsed = refusalShape.safeParse(json)
  if (status === 403)
    return new NotPermitted('paypal', new Error(`The response was 403, not permitted (debug id ${debugId || 'none'}).`))
  if (status === 429)
    return new RateLimited('paypal', new Error(`The response was 429 (debug id ${debugId || 'none'}).`))
  if (!parsed.success || status >= 500 || [401, 408].includes(status))
    return new ProviderUnavailable('paypal', new Error(`The response was ${status} (debug id ${debugId || 'none'}).`))

  const { name, message, details } = parsed.data
  const first = details?.[0]
  if (status === 409 || isInProgress(first?.issue ?? name))
    return new RequestInProgress(
      'paypal',
      new Error(`The response was ${first?.issue ?? name} (debug id ${debugId || 'none'}).`),
    )
  const sentence = first?.description || message || name
  return new ProviderRefusal('paypal', sentence, status === 404 ? 'RESOURCE_NOT_FOUND' : (first?.issue ?? name))
}
