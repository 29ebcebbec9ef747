import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError } from './client.ts'

export const NO_ANSWER = 'The shop could not be reached. Please check your connection and try again.'

/**
 * The sentence for a failed call: the shop's own; status and text when something else answered, such as a proxy (specification,
 * section 8: `500: text`); a connection problem only when nothing answered.
 */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? (error.refusal?.message ?? error.message) : NO_ANSWER

/** The shop's sentences by field name. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.refusal?.fields) || {}

export const isRefusal = (error: unknown, code: RefusalCode): boolean =>
  error instanceof ApiError && error.refusal?.code === code
