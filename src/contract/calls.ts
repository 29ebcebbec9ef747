import { accountCalls } from './accounts.ts'
import { cartCalls } from './cart.ts'
import { catalogueCalls } from './catalogue.ts'
import { checkoutCalls } from './checkout.ts'
import { correspondenceCalls } from './correspondence.ts'
import { deskGoodsCalls } from './desk-goods.ts'
import { deskOrderCalls } from './desk-orders.ts'
import { deskCalls } from './desk.ts'
import { earningsCalls } from './earnings.ts'
import { correctionCalls, orderCalls } from './orders.ts'
import { partnerCalls } from './partners.ts'
import { payoutAccountCalls } from './payout-accounts.ts'
import { payoutCalls } from './payouts.ts'
import { privacyCalls, privacyDeskCalls } from './privacy.ts'
import { publicConfigCalls } from './public-config.ts'
import { reconciliationCalls } from './reconciliation.ts'
import { reportCalls } from './reports.ts'
import { settlementCalls } from './settlement.ts'

/** Every call between browser and server, by the group that one `serve` binds. The browser's client, the routes and the tests read this list. */
export const callGroups = {
  accounts: accountCalls,
  cart: cartCalls,
  catalogue: catalogueCalls,
  checkout: checkoutCalls,
  corrections: correctionCalls,
  correspondence: correspondenceCalls,
  desk: deskCalls,
  deskGoods: deskGoodsCalls,
  deskOrders: deskOrderCalls,
  earnings: earningsCalls,
  orders: orderCalls,
  partners: partnerCalls,
  payoutAccounts: payoutAccountCalls,
  payouts: payoutCalls,
  privacy: privacyCalls,
  privacyDesk: privacyDeskCalls,
  publicConfig: publicConfigCalls,
  reconciliation: reconciliationCalls,
  reports: reportCalls,
  settlement: settlementCalls,
} as const

export type CallGroups = typeof callGroups
