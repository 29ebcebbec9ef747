import { isReachable } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'

/** @param pagesReady whether the renderer is loaded @param isClosing whether a load balancer should stop sending requests */
export function healthRoutes(
  { http }: App,
  { database }: Needs<'database'>,
  pagesReady: () => boolean,
  isClosing: () => boolean,
): void {
  http.get('/healthz', { schema: { hide: true } }, () => ({ ok: true }))
  http.get<{ Querystring: { ignore?: string } }>('/readyz', { schema: { hide: true } }, async ({ query }, reply) => {
    if (isClosing()) return reply.code(503).send({ ready: false, reason: 'The shop is closing.' })
    if (!pagesReady()) return reply.code(503).send({ ready: false, reason: 'The pages are not built yet.' })
    // Without the database an instance still has its cached pages, and so a proxy before several of them must not drop them all.
    if (query.ignore === 'database') return { ready: true }
    if (!(await isReachable(database)))
      return reply.code(503).send({ ready: false, reason: 'The database does not answer.' })
    return { ready: true }
  })
}
