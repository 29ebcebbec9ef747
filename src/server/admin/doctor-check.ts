import { type Finding, failed, inconclusive } from '#domain/doctor/findings.ts'
import {
  ProviderRefusal,
  ProviderUnavailable,
  RateLimited,
  UnusableResponse,
} from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'

/** What the checks that work without a database need. */
export type ProviderNeeds = Needs<'config' | 'clock' | 'stripe' | 'paypal' | 'printful' | 'drand' | 'mailTransport'>
/** The shop's database; `empty` before the first start, a finding when it cannot be opened. */
export type ShopDatabase = Needs<'database' | 'db'> | 'empty' | Finding

export const START = 'Start the shop, then run this again.'
export const notStarted = (name: string): Finding => inconclusive(name, 'The shop has not been started yet.', START)
export const unreached = (name: string): Finding =>
  inconclusive(name, 'This check reads the database, which cannot be opened.', 'Fix the database first.')

/** Turns an error of a check into a finding. @param who was contacted */
export async function runCheck(name: string, who: string, ask: () => Promise<Finding>): Promise<Finding[]> {
  try {
    return [await ask()]
  } catch (error) {
    return [findingForError(name, who, error)]
  }
}

function findingForError(name: string, who: string, error: unknown): Finding {
  const host = unresolvedIn(error)
  if (host !== undefined) return unresolved(name, host, who)
  if (error instanceof ProviderRefusal)
    return failed(
      name,
      `${who} refused the request: ${error.message}`,
      `Correct the settings at ${who}, or set the right key.`,
    )
  if (error instanceof RateLimited)
    return inconclusive(
      name,
      `${who} takes a limited number of calls a minute, and that is reached, so nothing was checked.`,
      'Run this again in a minute.',
    )
  if (error instanceof ProviderUnavailable && !error.isOutage && !(error instanceof UnusableResponse))
    return failed(
      name,
      `${who} answered, but denied access: ${attentionCauseOf(error)}`,
      `Check that the key for ${who} is right and has permission for this.`,
    )
  return inconclusive(
    name,
    `The check could not reach ${who}: ${attentionCauseOf(error)}`,
    `Run this again later. If it keeps failing, look into ${who}.`,
  )
}

/** An error and its causes; Stripe's library keeps a cause in `detail`. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error;) {
    yield cause
    cause = cause.cause ?? ('detail' in cause ? cause.detail : undefined)
  }
}

export function attentionCauseOf(error: unknown): string {
  const innermost = [...causesOf(error)].at(-1)
  return (innermost?.message || String(error)).slice(0, 200)
}

/** @returns the host name that did not resolve, if that was the cause */
export function unresolvedIn(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { message } = cause
    const found = /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/.exec(message)
    if (found) return found[1]
  }
  return undefined
}

export const unresolved = (name: string, host: string, who: string): Finding =>
  failed(
    name,
    `The host name ${host} does not resolve, so ${who} was not reached.`,
    'Correct the name in the settings, or fix this machine’s DNS.',
  )
