import accepts from '@fastify/accepts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressIn, isLanguage, languages, splitLanguage, type Language } from '#shared/language.ts'

/** Of the owner, partners and their people: English only. */
const isEnglish = (path: string): boolean =>
  /^\/(?:admin|reports|partnership|invitation|api|webhooks|assets|pictures)(?:[/?]|$)/.test(path)

/** The language of a page by its address. */
export const languageOfPage = ({ originalUrl }: FastifyRequest): Language => splitLanguage(originalUrl).language ?? 'en'

/** The language that a browser asks for; English when it can't have what it wants. */
function askedLanguage(request: FastifyRequest): Language {
  const asked = request.language([...languages])
  return typeof asked === 'string' && isLanguage(asked) ? asked : 'en'
}

/** Of a page, or of the page that made a call. */
export const languageOfRequest = (request: FastifyRequest): Language =>
  splitLanguage(request.originalUrl).language ?? askedLanguage(request)

/** Whether somebody comes from elsewhere, and has not chosen a language on the way. */
function isArrival({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? !headers.referer?.startsWith(`${origin}/`) : site !== 'same-origin'
}

/**
 * Where a page is that this browser should get instead: in its own language. Within the shop the address says it, so nothing is remembered.
 * @returns undefined when this is it
 */
export function otherAddress(request: FastifyRequest, origin: string): string | undefined {
  const { language, path } = splitLanguage(request.originalUrl)
  if (isEnglish(path)) return language && path
  if (language || !isArrival(request, origin)) return undefined
  const asked = askedLanguage(request)
  return asked === 'en' ? undefined : addressIn(asked, path)
}

/** Pages lead to pages in the same language. */
export async function keepLanguage(http: FastifyInstance): Promise<void> {
  await http.register(accepts)
  http.addHook('onSend', async (request, reply) => {
    const to = reply.getHeader('location')
    if (typeof to !== 'string' || !to.startsWith('/') || to.startsWith('//')) return
    if (splitLanguage(to).language || isEnglish(to)) return
    reply.header('location', addressIn(languageOfPage(request), to))
  })
}
