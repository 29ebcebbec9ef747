import { actorOf } from '#server/actions/actions.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { agreeOnRate, pay, payoutList, readPayouts, readRates, takeBack } from './payouts.ts'

export function payoutRoutes(app: App, shop: Needs<'db' | 'clock' | 'config' | 'jobs'>): void {
  serve(app, 'payouts', {
    payouts: (_, { query }) => readPayouts(shop, query.older),
    list: (_, { query }) => payoutList(shop, query),
    pay: async (context, { body }) => pay(shop, await actorOf(context), body),
    takeBack: async (context, { params }) => takeBack(shop, await actorOf(context), params.id),
    rates: () => readRates(shop),
    agree: async (context, { body }) => agreeOnRate(shop, await actorOf(context), body),
  })
}
