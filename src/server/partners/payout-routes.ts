import { Readable } from 'node:stream'
import { payoutCalls } from '#contract/payouts.ts'
import { paths } from '#contract/paths.ts'
import { dayFromIso, dayIn, startOfDay } from '#kernel/zone.ts'
import { actorOf } from '#server/actions/actions.ts'
import { requireAccess } from '#server/http/access.ts'
import type { App } from '#server/http/app.ts'
import { Refused } from '#server/http/refused.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { agreeOnRate, pay, payoutsAsCsv, readPayouts, readRates, takeBack } from './payouts.ts'

type Asked = { Querystring: { from?: string; to?: string } }

export function payoutRoutes(app: App, shop: Needs<'db' | 'clock' | 'config'>): void {
  const zone = shop.config.reportTimeZone
  app.http.get<Asked>(`${paths.deskPayouts}.csv`, { schema: { hide: true } }, async (request, reply) => {
    await requireAccess('owner', app.contextOf(request, reply))
    const { from = '2000-01-01', to } = request.query
    const first = dayFromIso(from)
    const last = to === undefined ? dayIn(zone, shop.clock.now().getTime()) : dayFromIso(to)
    if (first === undefined || last === undefined) throw new Refused('invalid')
    const span = {
      from: new Date(startOfDay(zone, first)),
      until: new Date(startOfDay(zone, last + 1)),
    }
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="payouts.csv"')
      .send(Readable.from(payoutsAsCsv(shop, span)))
  })

  serve(app, payoutCalls, {
    payouts: (_, { query }) => readPayouts(shop, query.older),
    pay: async (context, { body }) => pay(shop, await actorOf(context), body),
    takeBack: async (context, { params }) => takeBack(shop, await actorOf(context), params.id),
    rates: () => readRates(shop),
    agree: async (context, { body }) => agreeOnRate(shop, await actorOf(context), body),
  })
}
