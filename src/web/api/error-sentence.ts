import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError } from './client.ts'

const NO_ANSWER = 'The shop could not be reached. Please check your connection and try again.'

/** What a person reads of a call that failed: the shop's own sentence where it gave one, else the error's message. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return NO_ANSWER
  return error.refusal?.message ?? error.message
}

/** The shop's sentences about single fields. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.refusal?.fields) || {}

/** Whether the shop said this 'no' and not another. */
export const isRefusal = (error: unknown, code: RefusalCode): boolean =>
  error instanceof ApiError && error.refusal?.code === code
