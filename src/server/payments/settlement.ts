import { paths } from '#contract/paths.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { taxEvidenceOf } from '#domain/checkout/tax-evidence.ts'
import { entriesOfException, entriesOfGiftCardSale, entriesOfSale } from '#domain/ledger/ledger.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { objectionTo, type PaymentObjection, type ProviderPayment } from '#domain/payments/objection.ts'
import type { Language } from '#shared/language.ts'
import { assert } from '#shared/assert.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { after } from '#shared/time.ts'
import { removeBoughtFromCart } from '#server/cart/cart.ts'
import { lockCheckoutWithVersion, markPaid, markException, type StoredCheckout } from '#server/checkout/checkout.ts'
import { spendGiftCard } from '#server/checkout/gift-cards.ts'
import { keepUses } from '#server/checkout/codes.ts'
import { baseUrlOf, isLive } from '#server/config/config.ts'
import { claimPieces, findDropPage, sellPieces } from '#server/drops/drops.ts'
import { combineWrites, type Reader, type Tx } from '#server/db/db.ts'
import { submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { post } from '#server/ledger/ledger.ts'
import { paragraph } from '#server/mail/content.ts'
import { mailLater, writtenIn } from '#server/mail/outbox.ts'
import { dropMail } from '#server/mail/templates/drop-mails.ts'
import { mailConfirmationLater } from '#server/orders/confirmation.ts'
import { findChange } from '#server/orders/changes.ts'
import { createOrder, findOrderOfPayment, lockOrder, type Order } from '#server/orders/orders.ts'
import { recordEstimate } from '#server/orders/profit.ts'
import { taxBookingOfSale } from '#server/orders/tax-bookings.ts'
import { recordTaxLater } from '#server/orders/tax-record.ts'
import type { Needs } from '#server/shop.ts'
import { insertRefund } from '#server/orders/refunds.ts'
import { changeWindowOf, readChangedSettingsCached } from '#server/settings/site-settings.ts'
import { markStartPaid } from '#server/checkout/declines.ts'
import { changeIdIn } from './change-payments.ts'
import { followSale } from './commission.ts'
import { postFee } from './fees.ts'
import { isForGiftCard, issuePurchased } from './gift-card-purchases.ts'
import { findPurchaseOfPayment, lockPurchase } from './gift-card-rows.ts'
import { payerOf } from './own-purchases.ts'
import { claimPayment, filterSettled, insertPayment, logOutcome } from './store.ts'
import { completePaidChange } from './order-changes.ts'
import { findException, insertException, type PaymentException } from './exceptions.ts'

/** A captured payment becomes an order, a gift card, or an exception for the owner. */
export type SettlementResult =
  | { order: Order; exception?: undefined; giftCardId?: undefined }
  | { exception: PaymentException; order?: undefined; giftCardId?: undefined }
  | { giftCardId: number; order?: undefined; exception?: undefined }

/** For an event's record. */
export const outcomeOf = ({ order, exception, giftCardId }: SettlementResult): string =>
  order ? `order ${order.orderNumber}` : exception ? `exception ${exception.kind}` : `gift card ${giftCardId}`

type SettlementNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>

/**
 * Turns a provider's payment into an order exactly once, whether the browser, a webhook or the sweep comes first.
 * @param paymentKey `stripe:<id>` or `paypal:<id>`; unique in the processing log
 * @returns the order or gift card; or an exception when the payment does not match its checkout (the owner gets an email, nothing is fulfilled)
 * @throws Refusal `unknown_payment` when the provider does not know it, or another program made it
 * @throws Refusal `payment_not_captured`, with the provider's `status`, until the payment is captured; nothing was written
 * @throws ProviderUnavailable nothing was written; the sweep tries again
 */
export async function settle(shop: SettlementNeeds, paymentKey: PaymentKey): Promise<SettlementResult> {
  const { db, payments, config } = shop
  // Settled payments stay settled, so only the first caller calls the provider.
  const settled = await findAsSettled(db, paymentKey)
  if (settled) return settled
  const payment = await payments.read(paymentKey)
  // A payment without a checkout was made by another program with the same provider account.
  if (!payment?.checkoutId) throw new Refusal('unknown_payment')
  if (payment.status !== 'captured') throw new Refusal('payment_not_captured', { status: payment.status })
  const changeWindowMs = changeWindowOf(config, await readChangedSettingsCached(db))
  return db.transaction((tx) => settleIn(tx, shop, payment, changeWindowMs))
}

async function settleIn(
  tx: Tx,
  shop: SettlementNeeds,
  payment: ProviderPayment,
  changeWindowMs: number,
): Promise<SettlementResult> {
  const { clock, config } = shop
  const now = clock.now()
  const key = paymentKey(payment.provider, payment.id)
  if (!(await claimPayment(tx, payment, now))) return getSettled(tx, key)

  const changeId = changeIdIn(payment)
  if (changeId !== undefined) return settleChange(tx, shop, payment, changeId)
  if (isForGiftCard(payment)) return settleGiftCard(tx, shop, payment)

  const { checkout, version } = await lockWithVersion(tx, payment)
  const total = version && toPayOf(version.frozen.quote)
  const offered = checkout && { state: checkout.state, currency: checkout.currency, total }
  const objection = objectionTo(payment, offered, isLive(config, payment.provider))
  await insertPayment(tx, payment, checkout?.id ?? null, now)
  if (objection || !checkout || !version)
    return openException(tx, shop, payment, objection ?? 'unknown_version', checkout)

  const { frozen } = version
  const { id, sessionId, orderNumber, language, termsVersion, termsAcceptedAt } = checkout
  const taxEvidence = taxEvidenceOf(frozen, version.frozenAt)
  const sale = { key: `sale:${key}`, orderNumber, at: now }
  const drops = await claimPieces(tx, shop, {
    ...{ checkout, lines: frozen.lines, email: frozen.customer.email, address: frozen.shippingAddress },
    ...{ frozenAt: version.frozenAt, payer: payment.payer && payerOf(payment.payer).hash },
  })
  if (drops.objection !== undefined) {
    await mailMissedLater(shop, tx, payment, { ...frozen, language: checkout.language }, drops.objection)
    return openException(tx, shop, payment, drops.objection, checkout)
  }
  if (!(await spendGiftCard(tx, checkout, frozen.quote.giftCard, sale)))
    return openException(tx, shop, payment, 'gift_card_spent', checkout)
  const consent = { termsVersion, termsAcceptedAt }
  const changeableUntil = after(now, changeWindowMs)
  const paid = {
    ...{ checkoutId: id, sessionId, orderNumber, language, ...consent },
    ...{ paymentKey: key, paidCard: payment.card, taxEvidence, changeableUntil, frozen },
  }
  const { order, lines } = await createOrder(tx, paid, now)
  await combineWrites(
    tx,
    markPaid(tx, checkout, { provider: payment.provider, paymentId: payment.id, frozen }, now),
    markStartPaid(tx, id, now),
    logOutcome(tx, key, 'completed', { orderNumber }),
    taxBookingOfSale(tx, order, sale.key, now),
  )
  await post(tx, {
    kind: 'sale',
    key: sale.key,
    orderId: order.id,
    paymentKey: key,
    bookedAt: now,
    entries: entriesOfSale(payment.provider, frozen.quote, frozen.quote.giftCard?.amount),
  })
  const commission = await followSale(tx, shop, order, lines, payment)
  await recordEstimate(tx, order, lines, { provider: payment.provider, commission })
  if (payment.fee !== null)
    await postFee(tx, { paymentKey: key, provider: payment.provider, orderId: order.id }, payment.fee, now)
  // A held payment's lines left the cart earlier; what is in the cart now is a new purchase.
  if (checkout.state !== 'held') await removeBoughtFromCart(tx, sessionId, frozen.lines)
  await keepUses(tx, checkout, frozen.quote.discounts)
  if (payment.provider !== 'stripe') await cancelCardIntentLater(tx, shop, checkout)
  await sellPieces(tx, drops.claimed, order, lines, now)
  await submitOrderLater(shop, tx, order)
  await recordTaxLater(shop, tx, order.id)
  await mailConfirmationLater(shop, tx, order, lines, now)
  shop.log.info({ orderNumber, paymentKey: key }, 'Order created.')
  return { order }
}

/**
 * A card payment of the difference of a change: it completes the change, or goes back when that became impossible meanwhile. The
 * checkout that it names was paid long ago.
 */
async function settleChange(
  tx: Tx,
  shop: SettlementNeeds,
  payment: ProviderPayment,
  changeId: number,
): Promise<SettlementResult> {
  const now = shop.clock.now()
  const key = paymentKey(payment.provider, payment.id)
  const seen = await findChange(tx, changeId)
  const order = seen && (await lockOrder(tx, seen.orderId))
  const change = await findChange(tx, changeId)
  const isOurs = order !== undefined && order.checkoutId === payment.checkoutId
  await insertPayment(tx, payment, isOurs ? payment.checkoutId : null, now)
  if (!isOurs || !change) return openException(tx, shop, payment, 'unknown_checkout', undefined)
  const offered = { state: 'open' as const, currency: order.currency, total: change.amountCents }
  const objection = objectionTo(payment, offered, isLive(shop.config, payment.provider))
  if (objection) return openException(tx, shop, payment, objection, undefined)
  if (!(await completePaidChange(tx, shop, order, change, key)))
    return openException(tx, shop, payment, 'change_impossible', undefined)
  await logOutcome(tx, key, 'completed', { orderNumber: order.orderNumber })
  const paid = { paymentKey: key, provider: payment.provider, orderId: order.id }
  if (payment.fee !== null) await postFee(tx, paid, payment.fee, now)
  shop.log.info({ orderNumber: order.orderNumber, paymentKey: key }, 'The change of an order was paid.')
  return { order }
}

/** The payment of a gift card becomes the card. What it names where others name their checkout is the purchase. */
async function settleGiftCard(tx: Tx, shop: SettlementNeeds, payment: ProviderPayment): Promise<SettlementResult> {
  const now = shop.clock.now()
  const key = paymentKey(payment.provider, payment.id)
  const purchase = payment.checkoutId === null ? undefined : await lockPurchase(tx, payment.checkoutId)
  await insertPayment(tx, payment, null, now)
  const state = purchase?.paymentKey ? ('paid' as const) : ('open' as const)
  const offered = purchase && { state, currency: 'usd', total: purchase.amountCents }
  const objection = objectionTo(payment, offered, isLive(shop.config, payment.provider))
  if (objection || !purchase) return openException(tx, shop, payment, objection ?? 'unknown_checkout', undefined)
  const booked = { key: `gift-card-sale:${key}`, paymentKey: key, at: now }
  const { id: giftCardId } = await issuePurchased(tx, shop, purchase, booked)
  const entries = entriesOfGiftCardSale(payment.provider, payment.amount)
  await post(tx, { kind: 'gift_card', key: booked.key, orderId: null, paymentKey: key, bookedAt: now, entries })
  if (payment.fee !== null)
    await postFee(tx, { paymentKey: key, provider: payment.provider, orderId: null }, payment.fee, now)
  // So that it can't be paid again by card in another tab.
  if (payment.provider !== 'stripe' && purchase.intentId)
    await shop.jobs.enqueue(tx, 'cancel-intent', { intentId: purchase.intentId })
  await logOutcome(tx, key, 'completed', { giftCard: giftCardId })
  shop.log.info({ giftCard: giftCardId, paymentKey: key }, 'A gift card was bought.')
  return { giftCardId }
}

/** Locks the payment's checkout until the transaction ends, and reads the version that was paid. */
async function lockWithVersion(tx: Tx, { checkoutId, quoteHash }: ProviderPayment) {
  const found = checkoutId === null ? undefined : await lockCheckoutWithVersion(tx, checkoutId, quoteHash ?? '')
  return { checkout: found?.checkout, version: found?.version ?? undefined }
}

/** After a wallet payment, so the same checkout cannot be paid again by card in another tab. */
export async function cancelCardIntentLater(
  tx: Tx,
  { jobs }: Needs<'jobs'>,
  { provider, providerPaymentId }: StoredCheckout,
): Promise<void> {
  if (provider === 'stripe' && providerPaymentId)
    await jobs.enqueue(tx, 'cancel-intent', { intentId: providerPaymentId })
}

async function getSettled(db: Reader, paymentKey: PaymentKey): Promise<SettlementResult> {
  const settled = await findAsSettled(db, paymentKey)
  assert(settled, `${paymentKey} is claimed, but its row cannot be read`)
  return settled
}

async function findAsSettled(db: Reader, paymentKey: PaymentKey): Promise<SettlementResult | undefined> {
  if (!(await filterSettled(db, [paymentKey])).has(paymentKey)) return undefined
  const order = await findOrderOfPayment(db, paymentKey)
  if (order) return { order }
  const giftCardId = (await findPurchaseOfPayment(db, paymentKey))?.giftCardId
  return giftCardId ? { giftCardId } : { exception: await getException(db, paymentKey) }
}

async function getException(db: Reader, paymentKey: PaymentKey): Promise<PaymentException> {
  const exception = await findException(db, paymentKey)
  assert(exception, `${paymentKey} is claimed, but neither order, gift card nor exception exists`)
  return exception
}

/** Payments that the shop returns by itself. */
const REFUNDED_AT_ONCE: Partial<Record<PaymentObjection, string>> = {
  second_payment: 'second payment of a checkout',
  change_impossible: 'the order could no longer be changed',
  gift_card_spent: 'the gift card was spent elsewhere',
  drop_taken: 'no piece was left',
  drop_limit: 'more pieces than a person may buy',
}

/** Books a payment without an order as owed and emails the owner. A second payment of a checkout is refunded automatically. */
async function openException(
  tx: Tx,
  shop: SettlementNeeds,
  payment: ProviderPayment,
  kind: PaymentObjection,
  checkout: StoredCheckout | undefined,
): Promise<SettlementResult> {
  const now = shop.clock.now()
  const key = paymentKey(payment.provider, payment.id)
  const exception = await insertException(tx, { key, kind, amount: payment.amount, orderId: null, now })
  await post(tx, {
    kind: 'exception',
    key: `exception:${key}`,
    orderId: null,
    paymentKey: key,
    bookedAt: now,
    entries: entriesOfException(payment.provider, payment.amount),
  })
  if (payment.fee !== null)
    await postFee(tx, { paymentKey: key, provider: payment.provider, orderId: null }, payment.fee, now)
  if (checkout?.state === 'open') await markException(tx, checkout, now)
  const reason = REFUNDED_AT_ONCE[kind]
  if (reason) {
    const row = { paymentKey: key, amountCents: payment.amount, reason, createdAt: now }
    const { id } = await insertRefund(tx, row)
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: id })
  }
  await mailOwner(tx, shop, exception)
  await logOutcome(tx, key, 'exception', { kind })
  shop.log.error(
    { kind, paymentKey: key, amountCents: payment.amount },
    'A captured payment made no order. The owner has to resolve it.',
  )
  return { exception }
}

/** Tells the customer why the money goes back. */
async function mailMissedLater(
  shop: SettlementNeeds,
  tx: Tx,
  { provider, id, amount }: ProviderPayment,
  { customer, lines, language }: FrozenCheckout & { language: Language },
  objection: 'drop_taken' | 'drop_limit',
): Promise<void> {
  const now = shop.clock.now()
  const page = await findDropPage(tx, lines, now)
  const mail = writtenIn(language, () => {
    const why =
      objection === 'drop_taken'
        ? 'the last piece was sold before it came through'
        : 'its card has already bought as many as one person can have'
    return dropMail(
      'drop_missed',
      {
        ...{ title: lines.map(({ productName }) => productName).join(', '), why, total: formatUsd(amount) },
        link: baseUrlOf(shop.config) + (page ?? paths.products),
        button: page === undefined ? 'Back to the shop' : 'Back to the drop',
      },
      customer.name,
    )
  })
  const recipient = { email: customer.email, name: customer.name }
  const about = paymentKey(provider, id)
  await mailLater(shop, tx, { kind: 'drop_missed', recipient, orderId: null, about, ...mail }, now)
}

async function mailOwner(
  tx: Tx,
  shop: Needs<'jobs' | 'config' | 'clock'>,
  { kind, paymentKey: key, amountCents }: PaymentException,
) {
  const problem = kind.replaceAll('_', ' ')
  const sentences = [
    `A payment of ${formatUsd(amountCents)} came in without an order: ${problem}.`,
    `Payment: ${key}`,
    kind === 'second_payment'
      ? 'Its checkout was already paid. The shop refunds this payment automatically; you don’t have to do anything.'
      : kind === 'gift_card_spent'
        ? 'The gift card that was to pay the other part of it was spent elsewhere or taken back. The shop refunds it automatically; you don’t have to do anything.'
        : kind === 'drop_taken' || kind === 'drop_limit'
          ? 'It was for a drop of which it could get no piece. The shop refunds it automatically and has told the customer; you don’t have to do anything.'
          : kind === 'change_impossible'
            ? 'It was for a change of an order that could no longer be changed. The shop refunds it automatically; you don’t have to do anything.'
            : 'Nothing was sent to the printer. Look up the payment at the provider, then refund it or place the order by hand.',
  ]
  await mailLater(
    shop,
    tx,
    {
      kind: 'payment_exception',
      recipient: 'business',
      orderId: null,
      about: key,
      subject: `Payment without an order: ${problem}`,
      isPlain: true,
      blocks: sentences.map(paragraph),
    },
    shop.clock.now(),
  )
}
