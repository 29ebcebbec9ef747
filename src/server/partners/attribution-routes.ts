import type { FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '#contract/paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'
import { autocommitWrite } from '#server/db/db.ts'
import type { App } from '#server/http/app.ts'
import { clickCookieName } from '#server/http/context.ts'
import { ownPage } from '#server/http/own-page.ts'
import type { Needs } from '#server/shop.ts'
import { findLink, isFromPerson, recordFirstAddToCart, recordClick } from './attribution.ts'

const COOKIE_LIFE_S = (ATTRIBUTION_DAYS * DAY_MS) / SECOND_MS
/** Adding to the cart, with and without JavaScript. */
const cartRoutes = ['/api/cart', '/product/:id']
const SHORT_LINK_PATH = '/r/:code'

/** Serves partners' short links, and records when a click leads to a cart. */
export function attributionRoutes(
  { http, limitOf, contextOf }: App,
  shop: Needs<'db' | 'clock' | 'config' | 'log'>,
): void {
  const secure = shop.config.publicUrl?.startsWith('https:') ?? false
  const cookieName = clickCookieName(secure)

  const count = http.createRateLimit(limitOf({ method: 'GET', path: SHORT_LINK_PATH }))
  const isWithinLimit = async (request: FastifyRequest) => {
    const counted = await count(request)
    return counted.isAllowed || !counted.isExceeded
  }

  http.get<{ Params: { code: string } }>(SHORT_LINK_PATH, { schema: { hide: true } }, async (request, reply) => {
    // Never cached: each click counts, and the link's target can change.
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    const link = await findLink(shop.db, request.params.code)
    if (!link) return reply.redirect(paths.home, 302)
    if (isFromPerson(request) && (await isWithinLimit(request))) {
      const session = await contextOf(request, reply).session()
      const clicker = [session?.user?.id ?? null, session?.formerUserId ?? null]
      const click = await autocommitWrite(shop.db, (tx) => recordClick(tx, link, clicker, shop.clock.now()))
      reply.setCookie(cookieName, click, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: COOKIE_LIFE_S,
      })
    }
    return reply.redirect(ownPage(link.path) ?? paths.home, 302)
  })

  http.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply) => {
    const click = request.cookies?.[cookieName]
    if (click === undefined || request.method !== 'POST' || reply.statusCode >= 400) return
    if (!cartRoutes.includes(request.routeOptions.url ?? '')) return
    // A cart must not fail because of a partner's statistics.
    await recordFirstAddToCart(shop, click).catch((error: unknown) =>
      shop.log.error({ err: error }, 'Could not record that a click led to a cart.'),
    )
  })
}
