import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { Refusal } from './refusal.ts'

/**
 * Routes that take what a page's own form sends without script. They post to the pages' addresses, and only there are forms
 * read; the calls under `/api` take JSON alone.
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

/** @returns the code of a no, which the page puts into words; undefined when it went well */
export async function messageCodeOf(act: () => Promise<void>): Promise<Refusal['code'] | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/**
 * Any site can send a form here, and a browser takes the answer's cookie along: so a form has to prove that it stood on a page
 * of ours. The check of all calls lets a request pass that tells nothing of where it comes from; this one does not.
 */
function isFromOwnPage({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, referer } = headers
  const own = publicUrl ?? `http://${host}`
  if (origin !== undefined) return origin === own
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin'
  return referer?.startsWith(`${own}/`) ?? false
}
