import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { output, ZodMiniType } from 'zod/mini'
import type { Language } from '#shared/language.ts'
import type { App } from './app.ts'
import { fieldSentences } from './errors.ts'
import { bodyOfRefusal, Refusal, statusOfRefusal } from './refusal.ts'

/**
 * Routes for forms of pages without JavaScript, posted to the pages' own addresses. Only here are form bodies parsed; `/api` accepts
 * JSON only.
 */
export async function plainForms(
  { http }: App,
  publicUrl: string | undefined,
  bind: (http: FastifyInstance) => void,
): Promise<void> {
  await http.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, { ...parse(String(body)) }),
    )
    inner.addHook('onRequest', async (request) => {
      if (!isFromOwnPage(request, publicUrl)) throw new Refusal('foreign_origin')
    })
    bind(inner)
  })
}

/** @returns the refusal's code, for which the page has a message; undefined on success */
export async function catchRefusalCode(act: () => Promise<void>): Promise<Refusal['code'] | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Why a form was not taken: a sentence, one more for each wrong field, and the status of the answer. */
export type FormMistakes = { sentence: string; fields: Readonly<Record<string, string>>; status: number }

/**
 * Reads a form and acts on it.
 * @param typed what was sent, in the schema's shape
 * @param language of the sentences about what is wrong
 * @returns what is wrong; undefined when it was taken
 */
export async function takeForm<Schema extends ZodMiniType>(
  schema: Schema,
  typed: object,
  act: (form: output<Schema>) => Promise<unknown>,
  language?: Language,
): Promise<FormMistakes | undefined> {
  const form = schema.safeParse(typed)
  try {
    if (!form.success) throw new Refusal('invalid', {}, fieldSentences(form.error.issues))
    await act(form.data)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message: sentence, fields = {} } = bodyOfRefusal(error, language)
    return { sentence, fields, status: statusOfRefusal(error.code) }
  }
}

/** What a form sent, by field; of a field that was sent twice, the first. */
export const typedFields = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof body === 'object' && body !== null ? body : {}).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value[0] : value),
    ]),
  )

/**
 * Any site can post a form here, with the browser's cookies. So unlike other calls, forms are refused when no header proves that they
 * come from our own page.
 */
function isFromOwnPage({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, referer } = headers
  const own = publicUrl ?? `http://${host}`
  if (origin !== undefined) return origin === own
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin'
  return referer?.startsWith(`${own}/`) ?? false
}
