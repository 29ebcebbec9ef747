import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError } from './client.ts'

export const NO_ANSWER = 'The shop could not be reached. Please check your connection and try again.'

/** What a person reads of a call that failed: the shop's own sentence. An answer without one is not the shop's. */
export const sentenceOf = (error: unknown): string => (error instanceof ApiError && error.refusal?.message) || NO_ANSWER

/** The shop's sentences about single fields. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.refusal?.fields) || {}

/** Whether the shop said this 'no' and not another. */
export const isRefusal = (error: unknown, code: RefusalCode): boolean =>
  error instanceof ApiError && error.refusal?.code === code
