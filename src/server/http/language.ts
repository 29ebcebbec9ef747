import accepts from '@fastify/accepts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isLegalPageName } from '#domain/legal/legal-text.ts'
import { addressIn, isLanguage, languages, splitLanguage, type Language } from '#shared/language.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'

const COOKIE_LIFE_S = (365 * DAY_MS) / SECOND_MS

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

/** Of a shop with TLS as for its session: only for this host. */
const cookieName = (origin: string): string => (origin.startsWith('https:') ? '__Host-language' : 'language')

/** The language that was chosen at an earlier visit. */
function keptLanguage({ cookies }: FastifyRequest, origin: string): Language | undefined {
  const kept = cookies[cookieName(origin)]
  return kept !== undefined && isLanguage(kept) ? kept : undefined
}

/** Whether somebody comes from elsewhere. */
function isArrival({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? !headers.referer?.startsWith(`${origin}/`) : site !== 'same-origin'
}

/**
 * Keeps the language of a page that was opened by a link on a page in another one.
 * @returns whether the answer has a cookie, so that no cache may store it
 */
export function keepChosenLanguage(request: FastifyRequest, reply: FastifyReply, origin: string): boolean {
  const { referer, 'sec-fetch-dest': wantedAs = 'document', 'sec-purpose': purpose } = request.headers
  // Pictures and icons that a page names choose nothing, nor does what is only fetched ahead.
  if (wantedAs !== 'document' || purpose !== undefined) return false
  if (isArrival(request, origin) || !referer?.startsWith(`${origin}/`)) return false
  const before = splitLanguage(referer.slice(origin.length))
  const { language = 'en', path } = splitLanguage(request.originalUrl)
  // To and from what is only English, nobody chooses.
  if (isEnglish(before.path) || isEnglish(path) || (before.language ?? 'en') === language) return false
  // Nor does who only checks the words that bind.
  if (language === 'en' && isLegalPageName(path.slice(1).split('?')[0])) return false
  const secure = origin.startsWith('https:')
  reply.setCookie(cookieName(origin), language, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: COOKIE_LIFE_S,
  })
  return true
}

/**
 * Where a page is that an arriving browser should get instead: in the language that was chosen in it, or else its own. Within the shop the
 * address says it.
 * @returns undefined when this is it
 */
export function otherAddress(request: FastifyRequest, origin: string): string | undefined {
  const { language, path } = splitLanguage(request.originalUrl)
  if (isEnglish(path)) return language && path
  if (language || !isArrival(request, origin)) return undefined
  const asked = keptLanguage(request, origin) ?? askedLanguage(request)
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
