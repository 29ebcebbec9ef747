import { isReachable } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'

/** @param pagesReady whether the built renderer was loaded @param isClosing whether whoever stands in front shall send nobody any more */
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
