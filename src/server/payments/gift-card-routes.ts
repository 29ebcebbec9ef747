import type { PurchaseState } from '#domain/gift-cards/gift-card.ts'
import { paymentKey } from '#shared/ids.ts'
import { inLanguage } from '#shared/language.ts'
import { payerAt } from '#server/checkout/declines.ts'
import { findGiftCard } from '#server/gift-cards/gift-cards.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { maskEmail } from '#server/log/log.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { say } from '#words/say.ts'
import {
  beginPurchase,
  openPurchase,
  readdressPurchase,
  sendDayOf,
  startPurchasePayment,
} from './gift-card-purchases.ts'
import { findPurchase, type GiftCardPurchase } from './gift-card-rows.ts'
import { capturePurchaseWallet, followPurchaseWallet, startPurchaseWallet } from './gift-card-wallet.ts'
import { settle } from './settlement.ts'

type GiftCardRouteNeeds = Needs<'db' | 'clock' | 'config' | 'jobs' | 'log' | 'payments' | 'stripe' | 'paypal'>

/** Gift cards that are bought. */
export function giftCardRoutes(app: App, shop: GiftCardRouteNeeds): void {
  serve(app, 'giftCards', {
    buy: async ({ language }, { body }) => ({ token: await beginPurchase(shop, body, language) }),
    show: async (_, { query: { token } }) => {
      const seen = await openPurchase(shop, token)
      const unpaid = seen.paymentKey ? 'paid' : await settleIfPaid(shop, seen)
      const purchase = await openPurchase(shop, token)
      const card = purchase.giftCardId === null ? undefined : await findGiftCard(shop.db, purchase.giftCardId)
      const { amountCents: amount, buyerEmail: buyer, recipientEmail } = purchase
      // A buyer checks the addresses before paying; the link in the receipt can be forwarded.
      const sendsOn = sendDayOf(shop, purchase)
      if (!card) return { state: unpaid, amount, buyer, recipient: recipientEmail ?? '', sendsOn }
      const state: PurchaseState = card.state === 'void' ? 'refunded' : 'paid'
      const masked = { buyer: maskEmail(buyer), recipient: maskEmail(card.recipientEmail ?? '') }
      return { state, amount, ...masked, sendsOn: state === 'paid' ? sendsOn : null }
    },
    pay: async (context, { body: { token } }) =>
      startPurchasePayment(shop, await openPurchase(shop, token), payerAt(context.ip)),
    correct: async ({ language }, { body: { token, email } }) => {
      await readdressPurchase(shop, await openPurchase(shop, token), email)
      return { done: inLanguage(language, () => say('It goes to {email} now.', { email })) }
    },
    payByWallet: async (_, { body: { token } }) => startPurchaseWallet(shop, await openPurchase(shop, token)),
    capture: async (_, { params: { id }, body: { token } }) => ({
      status: await capturePurchaseWallet(shop, await openPurchase(shop, token), id),
    }),
  })
}

/** A buyer who comes back sees what the provider knows, even if nobody else has reported it. */
async function settleIfPaid(shop: GiftCardRouteNeeds, purchase: GiftCardPurchase): Promise<PurchaseState> {
  const { intentId, isClosed } = purchase
  if (isClosed) return 'closed'
  if (intentId === null && purchase.walletOrderId === null) return 'unpaid'
  try {
    if (purchase.walletOrderId !== null) await followPurchaseWallet(shop, purchase)
    const { paymentKey: paid, isHeld } = (await findPurchase(shop.db, purchase.id)) ?? purchase
    if (paid || isHeld) return 'processing'
    if (intentId === null) return 'unpaid'
    await settle(shop, paymentKey('stripe', intentId))
    // Without a card, it waits for the owner.
    return 'processing'
  } catch (error) {
    if (error instanceof ProviderUnavailable) return 'processing'
    if (!(error instanceof Refusal)) throw error
    return error.facts['status'] === 'processing' ? 'processing' : 'unpaid'
  }
}
