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
  http.get('/readyz', { schema: { hide: true } }, async (_, reply) => {
    if (isClosing()) return reply.code(503).send({ ready: false, reason: 'The shop is closing.' })
    if (!pagesReady()) return reply.code(503).send({ ready: false, reason: 'The pages are not built yet.' })
    if (!(await isReachable(database)))
      return reply.code(503).send({ ready: false, reason: 'The database does not answer.' })
    return { ready: true }
  })
}
