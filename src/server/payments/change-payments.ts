import type { ProviderPayment } from '#domain/payments/objection.ts'
import type { Cents } from '#shared/money.ts'
import { countAttempt, findCheckout } from '#server/checkout/checkout.ts'
import { cardClosure, countDeclines } from '#server/checkout/declines.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findAwaitingChange, findChangeOfIntent, saveIntent } from '#server/orders/changes.ts'
import { findOrder, isSale, type Order } from '#server/orders/orders.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { dropChange } from './order-changes.ts'

const PREFIX = 'change-'
const CARDS_CLOSED = 'Several cards were declined for this order, so it can’t be changed by card. Please write to us.'

/** The change that a payment was made for; undefined for the payment of a checkout. */
export function changeIdIn({ quoteHash }: Pick<ProviderPayment, 'quoteHash'>): number | undefined {
  const digits = quoteHash?.startsWith(PREFIX) ? quoteHash.slice(PREFIX.length) : ''
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined
}

/**
 * The card payment of an order's change. Asked again, it is the same one, so a change is never paid twice. It names the order's
 * checkout, and the change where other payments name their version.
 * @throws Refusal `no_change_to_pay` when none waits, or its time is over; `change_refused` after too many declined cards
 * @throws ProviderUnavailable
 */
export async function startChangePayment(
  shop: Needs<'db' | 'clock' | 'config' | 'stripe'>,
  order: Order,
): Promise<{ intentId: string; clientSecret: string; amount: Cents }> {
  const change = await findAwaitingChange(shop.db, order.id)
  if (!isSale(order) || !change?.plan || !change.expiresAt || change.expiresAt <= shop.clock.now())
    throw new Refusal('no_change_to_pay')
  // It may have been canceled or refunded since.
  if (order.fulfillmentStatus === 'cancelled' || order.paymentStatus !== 'paid') throw new Refusal('no_change_to_pay')
  if (await cardClosure(shop, { ...order, id: order.checkoutId }, undefined))
    throw new Refusal('change_refused', { reason: CARDS_CLOSED })
  const { id, amountCents: amount, intentId, clientSecret } = change
  if (intentId && clientSecret) return { intentId, clientSecret, amount }
  const { name, phone, address } = change.plan.recipient
  const { checkoutId, orderNumber } = order
  const attempt = (await findCheckout(shop.db, checkoutId))?.attempt ?? 0
  const wanted = {
    shopName: (await readSiteSettingsCached(shop.db)).name,
    quoteHash: `${PREFIX}${id}`,
    ...{ checkoutId, amount, order: { orderNumber, name, phone, address } },
    // Two tabs get the same payment.
    idempotencyKey: `pi-change:${checkoutId}:${id}:${attempt}`,
  }
  const intent = await shop.stripe.createIntent(wanted).catch(async (error: unknown) => {
    // As in checkout: the provider replays its answer to a key, even a failure. The next try needs a new one.
    await autocommitWrite(shop.db, (tx) => countAttempt(tx, checkoutId))
    throw error
  })
  const stored = { intentId: intent.id, clientSecret: intent.clientSecret }
  if (!(await autocommitWrite(shop.db, (tx) => saveIntent(tx, id, stored)))) {
    await shop.stripe.cancelIntent(intent.id)
    throw new Refusal('no_change_to_pay')
  }
  return { ...stored, amount }
}

/**
 * Counts declined cards of a change with those of its order's checkout; after too many the change is dropped, with the payment that
 * could try more. Ignores other payments.
 */
export async function countDeclinesOfChange(
  shop: Parameters<typeof countDeclines>[0],
  intentId: string,
  ids: readonly string[],
): Promise<void> {
  const change = await findChangeOfIntent(shop.db, intentId)
  const order = change && (await findOrder(shop.db, change.orderId))
  if (!order || !isSale(order) || !(await countDeclines(shop, order.checkoutId, ids))) return
  await dropChange(shop, order)
}
