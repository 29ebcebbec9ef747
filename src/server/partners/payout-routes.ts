import { isAccepted } from '#contract/below-floor.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { userOf } from './partnership.ts'
import { payableFile } from './payable-files.ts'
import { changeAccount, readMaskedPayoutAccount, revealAccount } from './payout-accounts.ts'
import {
  agreeOnRate,
  recordPayout,
  payoutList,
  readPayouts,
  readRates,
  recordReturnedPayout,
  type ListDiscounts,
} from './payouts.ts'

export function payoutRoutes(
  app: App,
  shop: Needs<'db' | 'clock' | 'config' | 'jobs'>,
  listDiscounts: ListDiscounts,
): void {
  serve(app, 'payouts', {
    payouts: (_, { query }) => readPayouts(shop, query.older),
    list: (_, { query }) => payoutList(shop, query),
    pay: async (context, { body }) => recordPayout(shop, await actorOf(context), body),
    takeBack: async (context, { params }) => recordReturnedPayout(shop, await actorOf(context), params.id),
    rates: () => readRates(shop),
    agree: async (context, { query, body }) =>
      agreeOnRate(shop, await actorOf(context), { ...body, accepted: isAccepted(query) }, listDiscounts),
  })
  serve(app, 'payoutAccounts', {
    account: async (context) => readMaskedPayoutAccount(shop, (await userOf(context)).id),
    change: async (context, { body }) => changeAccount(shop, (await userOf(context)).id, body),
    whole: async (context, { params }) => revealAccount(shop, await actorOf(context), params.id),
    payableFile: async (context, { query }) => payableFile(shop, await actorOf(context), query.kind),
  })
}
