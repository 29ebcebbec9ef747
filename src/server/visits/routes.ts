import { VISITS_PATH } from '#contract/visit-path.ts'
import { VisitReport } from '#contract/visits.ts'
import { deviceOf, isMachine, sourceOf } from '#domain/visits/visits.ts'
import type { App } from '#server/http/app.ts'
import { networkOf } from '#server/http/ip-network.ts'
import type { VisitCounter } from './visit-counter.ts'

const BODY_MAX_BYTES = 4096

/** Takes what pages counted; always answers 204. No cookie is read. */
export function visitRoutes({ http }: App, { visits }: { visits: VisitCounter }): void {
  http.post(
    VISITS_PATH,
    { schema: { hide: true }, bodyLimit: BODY_MAX_BYTES, config: { ownLimit: true } },
    async (request, reply) => {
      const userAgent = request.headers['user-agent']
      const read = VisitReport.safeParse(request.body)
      if (read.success && userAgent && !isMachine(userAgent) && visits.admits(networkOf(request.ip))) {
        const device = deviceOf(userAgent)
        for (const { step, about } of read.data.steps)
          visits.count({ step, device, about, ...(step === 'visit' && { source: sourceOf(read.data.from) }) })
      }
      return reply.code(204).send()
    },
  )
}
