import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { inLanguage } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Call } from '#contract/call.ts'
import { refusals, type RefusalCode } from '#contract/refusals.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { languageOfRequest } from './language.ts'
import { refusalPage, wantsPage } from './refusal-page.ts'
import { bodyOfRefusal, Refusal, statusOfRefusal } from './refusal.ts'

const RETRY_AFTER_S = 5

/** Sentences for Fastify's own errors. */
const ofFastify: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrong_type',
  FST_ERR_BAD_URL: 'malformed_request',
}

/** Codes of PostgreSQL or the network for a temporary failure; 25006 is a primary that has become a replica. */
const UNAVAILABLE_CODES = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|25006|57P0[123]|57014|40P01|53\w{3}|08\w{3})$/

/** Messages of the driver's own errors, which have no code. A connection lost inside a transaction cannot even roll back. */
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable/

/** The only place that turns an error into a response. @param shopName for pages */
export function answerErrors(app: FastifyInstance, shopName: () => string): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const refused = toRefusal(error, request.routeOptions.config.call)
    if (refused) {
      request.log.info({ code: refused.code }, 'refused')
      const { retryAfterS = statusOfRefusal(refused.code) === 503 ? RETRY_AFTER_S : undefined } = refused.facts
      if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
      return answer(
        request,
        reply,
        statusOfRefusal(refused.code),
        bodyOfRefusal(refused, languageOfRequest(request)),
        shopName,
      )
    }
    request.log.error({ err: error }, 'bug')
    const message = inLanguage(languageOfRequest(request), () =>
      say('Something went wrong on our side. Please quote {id} when you write to us.', { id: request.id }),
    )
    return answer(request, reply, 500, { code: 'bug', message }, shopName)
  })
}

/** JSON for API calls; a page with the sentence for links and plain forms. */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: { code: string; message: string },
  shopName: () => string,
) {
  reply.code(status).header('cache-control', 'no-store').header('vary', 'accept')
  return wantsPage(request) || isFileByLink(request)
    ? reply
        .type('text/html; charset=utf-8')
        .send(inLanguage(languageOfRequest(request), () => refusalPage(body.message, request, shopName())))
    : reply.send(body)
}

/** A file opened by its address, such as in a new tab: a person needs a page, not JSON. */
const isFileByLink = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.call?.answer === 'file' && /\btext\/html\b/.test(headers.accept ?? '')

function toRefusal(error: FastifyError | Error, call: Call | undefined): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ProviderRefusal) return new Refusal('provider_refused', { reason: error.message })
  if (error instanceof ProviderUnavailable) return new Refusal('provider_unavailable')
  if (isDatabaseUnavailable(error)) return new Refusal('unavailable')
  if ('statusCode' in error && error.statusCode === 429) return new Refusal('too_many')
  if (hasZodFastifySchemaValidationErrors(error)) return ofValidation(error, call)

  const known = 'code' in error ? ofFastify[error.code] : undefined
  if (known) return new Refusal(known)
  const status = 'statusCode' in error ? error.statusCode : undefined
  return status && status >= 400 && status < 500 ? new Refusal('malformed_request') : undefined
}

function ofValidation(
  error: Parameters<typeof hasZodFastifySchemaValidationErrors>[0],
  call: Call | undefined,
): Refusal {
  if (!hasZodFastifySchemaValidationErrors(error)) return new Refusal('invalid')
  // A malformed id is answered like an unknown one.
  if (error.validationContext === 'params') {
    const unknown = call?.refusals.find((code) => refusals[code][0] === 404)
    return new Refusal(unknown ?? 'unknown_call')
  }
  const fields: Record<string, string> = {}
  for (const { keyword, instancePath, message, params } of error.validation)
    note(fields, instancePath.split('/').filter(Boolean), { code: keyword, message: message ?? INVALID, ...params })
  return new Refusal('invalid', {}, fields)
}

const INVALID = 'Invalid input'

type Issue = {
  code?: string
  message: string
  input?: unknown
  path?: readonly PropertyKey[]
  errors?: readonly Issue[][]
}

/** The sentences of a schema's issues, by the path of their field. */
export function fieldSentences(issues: readonly Issue[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) note(fields, (issue.path ?? []).map(String), issue)
  return fields
}

/** Adds an issue's sentence to its field. When all alternatives of a union fail, the closest one counts. */
function note(fields: Record<string, string>, path: readonly string[], issue: Issue): void {
  const meant = issue.code === 'invalid_union' ? issue.errors?.toSorted((a, b) => a.length - b.length)[0] : undefined
  if (meant?.length) {
    for (const inner of meant) note(fields, [...path, ...(inner.path ?? []).map(String)], inner)
    return
  }
  fields[path.join('.') || '_'] ??= sentenceOf(issue)
}

/** The specification's sentences for the library's issues (section 5, generic validation messages). */
function sentenceOf({ message }: Issue): string {
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, (_, expected: string, received: string) =>
    received === 'undefined' ? 'Required' : `Expected ${expected}, received ${received}`,
  )
}

function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && UNAVAILABLE_CODES.test(cause.code)) return true
    if (UNAVAILABLE_MESSAGES.test(cause.message)) return true
  }
  return false
}
