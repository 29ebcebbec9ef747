import { payPaths } from '#contract/pay-paths.ts'
import { walletRefusalSentence } from '#domain/payments/wallet-refusals.ts'
import { paymentKey, type CheckoutId } from '#shared/ids.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater, writtenIn } from '#server/mail/outbox.ts'
import { giftCardUnpaidMail } from '#server/mail/templates/gift-card.ts'
import type { WalletPayment } from '#server/providers/paypal/orders.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  GONE,
  PAID,
  QUOTE_HASH,
  REVIEWED,
  purchaseClosed,
  purchaseToken,
  requirePayable,
} from './gift-card-purchases.ts'
import {
  changeWalletOrder,
  findPurchase,
  listPurchasesByWallet,
  saveWalletOrder,
  type GiftCardPurchase,
} from './gift-card-rows.ts'
import { outcomeOf, settle } from './settlement.ts'

/*
 * Gift cards paid by PayPal. A purchase has one PayPal order at a time, and at most one that was ever captured: capturing it again is the
 * same capture. As in the checkout, an approved one is captured without the browser too, because the payer agreed to buy.
 */

type WalletNeeds = Parameters<typeof settle>[0] & Needs<'paypal'>

/** A purchase with a PayPal order. */
type PaidByWallet = GiftCardPurchase & { walletOrderId: string }

const isByWallet = (purchase: GiftCardPurchase): purchase is PaidByWallet => purchase.walletOrderId !== null

/**
 * The PayPal order of a purchase. Asked again, it is the same one until it expires.
 * @throws Refusal `gift_card_purchase_closed` when it is paid, under review, or can't be paid any more
 * @throws ProviderUnavailable
 */
export async function startPurchaseWallet(shop: WalletNeeds, purchase: GiftCardPurchase): Promise<{ id: string }> {
  requirePayable(purchase)
  if (isByWallet(purchase)) {
    const status = (await findAtPaypal(shop, purchase))?.status ?? 'cancelled'
    if (status === 'open') return { id: purchase.walletOrderId }
    if (status !== 'cancelled') throw purchaseClosed(status === 'captured' ? PAID : REVIEWED)
  }
  const { id, amountCents: amount, walletAttempt } = purchase
  const attempt = walletAttempt + 1
  const page = `${baseUrlOf(shop.config)}${payPaths.giftCard}?token=${encodeURIComponent(purchaseToken(shop, id))}`
  const { name: shopName } = await readSiteSettingsCached(shop.db)
  const nothing = { shipping: ZERO, surcharge: ZERO, tax: ZERO, vatProtection: ZERO }
  const order = await shop.paypal.createOrder({
    ...{ checkoutId: id as CheckoutId, quoteHash: QUOTE_HASH, invoice: `gift-card-${id}`, attempt, shopName },
    lines: [{ productName: `Gift card of ${shopName}`, variantName: '', unitPrice: amount, quantity: 1 }],
    amounts: { ...nothing, subtotal: amount, total: amount },
    ...{ delivery: null, returnUrl: page, cancelUrl: page },
  })
  const saved = { walletOrderId: order.id, walletAttempt: attempt }
  if (await autocommitWrite(shop.db, (tx) => saveWalletOrder(tx, purchase, saved))) return order
  // Another tab was first. An order that nobody knows is never approved.
  const now = await findPurchase(shop.db, id)
  if (now) requirePayable(now)
  if (now?.walletOrderId) return { id: now.walletOrderId }
  throw purchaseClosed(GONE)
}

/**
 * Takes the money of an approved PayPal order, for the page of its purchase.
 * @returns `processing` while PayPal has not answered; `held` while it reviews the payment
 * @throws Refusal `unknown_payment` for another purchase's; `wallet_declined`, `wallet_not_approved` or `gift_card_purchase_closed`:
 *   nothing was charged
 */
export async function capturePurchaseWallet(
  shop: WalletNeeds,
  purchase: GiftCardPurchase,
  walletOrderId: string,
): Promise<'paid' | 'held' | 'processing'> {
  if (!isByWallet(purchase) || purchase.walletOrderId !== walletOrderId) throw new Refusal('unknown_payment')
  if (purchase.paymentKey === paymentKey('paypal', walletOrderId)) return 'paid'
  if (purchase.isHeld) return 'held'
  requirePayable(purchase)
  try {
    return await capture(shop, purchase)
  } catch (error) {
    // The capture may have succeeded.
    if (error instanceof ProviderUnavailable) return 'processing'
    throw error
  }
}

async function capture(shop: WalletNeeds, purchase: PaidByWallet): Promise<'paid' | 'held' | 'processing'> {
  const payment = await shop.paypal
    .capture(purchase.walletOrderId, purchase.walletRefusals + 1)
    .catch(async (error: unknown) => {
      throw error instanceof ProviderRefusal ? await refusalFor(shop, purchase, error) : error
    })
  const status = await applyPayment(shop, purchase, payment)
  switch (status) {
    case 'captured':
      return 'paid'
    case 'held':
    case 'processing':
      return status
    case 'open':
    case 'cancelled':
      throw declined('')
  }
}

async function refusalFor(shop: WalletNeeds, purchase: PaidByWallet, { code = '' }: ProviderRefusal): Promise<Refusal> {
  // After a refusal the payer has to approve again, so that refusal is the reason.
  if (code === 'ORDER_NOT_APPROVED')
    return purchase.walletRefusals > 0 ? declined('') : new Refusal('wallet_not_approved')
  if (code === 'RESOURCE_NOT_FOUND') return purchaseClosed(EXPIRED)
  // PayPal repeats its answer to a request id, so the next capture needs a new one.
  const walletRefusals = purchase.walletRefusals + 1
  await autocommitWrite(shop.db, (tx) => changeWalletOrder(tx, purchase, { walletRefusals }))
  return declined(code)
}

const declined = (code: string) => new Refusal('wallet_declined', { reason: walletRefusalSentence(code) })

const EXPIRED = 'This PayPal payment has expired. Nothing was charged. Please try again.'

async function applyPayment(
  shop: WalletNeeds,
  purchase: PaidByWallet,
  { status }: WalletPayment,
): Promise<WalletPayment['status']> {
  if (status === 'captured') await settle(shop, paymentKey('paypal', purchase.walletOrderId))
  if (status === 'held' && !purchase.isHeld)
    await shop.db.transaction(async (tx) => {
      const isMarked = await changeWalletOrder(tx, purchase, { isHeld: true })
      if (isMarked && purchase.intentId) await shop.jobs.enqueue(tx, 'cancel-intent', { intentId: purchase.intentId })
    })
  if (status === 'cancelled') await giveUp(shop, purchase)
  return status
}

/** It can be paid again, and who was told to wait is told. */
async function giveUp(shop: WalletNeeds, purchase: PaidByWallet): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const isOver = await changeWalletOrder(tx, purchase, { walletOrderId: null, walletRefusals: 0, isHeld: false })
    if (isOver && purchase.isHeld) await mailUnpaid(tx, shop, purchase)
  })
}

async function mailUnpaid(
  tx: Tx,
  shop: WalletNeeds,
  { id, buyerEmail, amountCents, walletAttempt, language }: PaidByWallet,
): Promise<void> {
  const link = baseUrlOf(shop.config) + payPaths.giftCard
  const mail = writtenIn(language, () => giftCardUnpaidMail({ amount: formatUsd(amountCents), link }))
  const recipient = { email: buyerEmail, name: '' }
  const about = `${id} ${walletAttempt}`
  await mailLater(shop, tx, { kind: 'gift_card_unpaid', recipient, orderId: null, about, ...mail }, shop.clock.now())
}

/**
 * Reads the PayPal order of a purchase and acts on its status, for webhooks, the sweep and a buyer who comes back.
 * @returns the outcome, for the event's record
 * @throws ProviderUnavailable the sweep tries again
 */
export async function followPurchaseWallet(shop: WalletNeeds, purchase: GiftCardPurchase): Promise<string> {
  if (!isByWallet(purchase)) return 'nothing to do'
  if (purchase.paymentKey) return outcomeOf(await settle(shop, purchase.paymentKey))
  const payment = await findAtPaypal(shop, purchase)
  if (!payment) {
    await giveUp(shop, purchase)
    return 'lapsed'
  }
  // After a refusal the payer has to approve again on the page.
  if (!payment.approved || purchase.walletRefusals > 0 || purchase.isClosed)
    return applyPayment(shop, purchase, payment)
  try {
    return await capture(shop, purchase)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Follows all that are not paid yet, each by itself. @throws ProviderUnavailable: the others would fail as well */
export async function followPurchaseWallets(shop: WalletNeeds): Promise<void> {
  for (const purchase of await listPurchasesByWallet(shop.db)) {
    try {
      await followPurchaseWallet(shop, purchase)
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      shop.log.error({ err: error, purchase: purchase.id }, 'The PayPal payment of a gift card could not be checked.')
    }
  }
}

/** @returns undefined for an expired order: PayPal deletes those */
async function findAtPaypal({ paypal }: Needs<'paypal'>, { walletOrderId }: PaidByWallet) {
  try {
    return await paypal.readOrder(walletOrderId)
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'RESOURCE_NOT_FOUND') return undefined
    throw error
  }
}
