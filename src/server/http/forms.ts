import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { Refusal } from './refusal.ts'

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
