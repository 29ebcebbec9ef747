import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError } from './client.ts'

export const NO_ANSWER = 'The shop could not be reached. Please check your connection and try again.'

/**
 * What a person reads of a call that failed: the shop's own sentence; of an answer that is not the shop's, such as a proxy's,
 * its status and text (specification, section 8: `500: text`); and that nothing came only when nothing came.
 */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? (error.refusal?.message ?? error.message) : NO_ANSWER

/** The shop's sentences about single fields. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  (error instanceof ApiError && error.refusal?.fields) || {}

/** Whether the shop said this 'no' and not another. */
export const isRefusal = (error: unknown, code: RefusalCode): boolean =>
  error instanceof ApiError && error.refusal?.code === code
