import type { ReturnedGoods } from '#domain/partners/commission.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { partsOfAmount, remainingParts, totalOf } from '#domain/payments/returns.ts'
import type { UserId } from '#shared/ids.ts'
import { cents, sum, type Cents } from '#shared/money.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Tx } from '#server/db/db.ts'
import { hasPosted } from '#server/ledger/ledger.ts'
import {
  isSale,
  listLinesEver,
  listPaymentKeys,
  lockOrder,
  partsOfOrder,
  type Order,
  type OrderLine,
  type PaidOrder,
} from '#server/orders/orders.ts'
import { recalculateCommission, type CommissionEvent } from '#server/partners/commission.ts'
import { saveObjection } from '#server/partners/own-purchases.ts'
import type { Needs } from '#server/shop.ts'
import { listOrderRefunds } from '#server/orders/refunds.ts'
import { addressesOf, findObjectionToSale, listLateObjections, payerOf } from './own-purchases.ts'
import { listDisputesOf } from './payments.ts'

/** Books the commission of a new order, if a partner referred it. @returns its amount */
export const followSale = (
  tx: Tx,
  shop: Needs<'clock' | 'config'>,
  { id: orderId, checkoutId, paymentKey, customerEmail, shippingAddress, billingAddress }: PaidOrder,
  lines: readonly OrderLine[],
  { payer }: Pick<ProviderPayment, 'payer'>,
): Promise<Cents> => {
  const buyer = {
    emails: [customerEmail, payer?.email ?? null],
    addresses: addressesOf(shippingAddress, billingAddress),
    payer: payer && payerOf(payer),
  }
  const findObjection = (partnerId: UserId) => findObjectionToSale(tx, partnerId, buyer)
  const sold = { orderId, checkoutId, paymentKey, lines, returned: [], findObjection }
  return recalculateCommission(tx, shop, sold, { kind: 'sale', cause: `sale:${paymentKey}` })
}

/** Around its approval, each sale is checked against what was learned about its partner since. */
const BEFORE_PAYOUT_MS = HOUR_MS
const AFTER_APPROVAL_MS = DAY_MS

/**
 * Takes back commission on purchases that turn out to be the partner's own, before it is paid out.
 * @returns the number of orders
 */
export async function takeBackOwnPurchases(shop: Needs<'db' | 'clock' | 'config' | 'log'>): Promise<number> {
  const now = shop.clock.now()
  const span = { from: after(now, -AFTER_APPROVAL_MS), until: after(now, BEFORE_PAYOUT_MS) }
  const found = await listLateObjections(shop.db, span)
  for (const { orderId, objection } of found)
    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      if (!isSale(order)) return
      await saveObjection(tx, order.checkoutId, objection)
      await followCommission(tx, shop, order, { kind: 'own_purchase', cause: `own:${orderId}` })
      shop.log.info(
        { orderNumber: order.orderNumber, objection },
        'A sale turned out to be the partner’s own purchase. Its commission was taken back.',
      )
    })
  return found.length
}

/** Updates the commission after a refund or dispute was booked. The caller must hold the order's lock. */
export async function followCommission(
  tx: Tx,
  shop: Needs<'clock' | 'config'>,
  order: Order,
  event: CommissionEvent & { kind: Exclude<CommissionEvent['kind'], 'sale'> },
): Promise<void> {
  if (!isSale(order)) return
  const { id: orderId, checkoutId, paymentKey } = order
  const lines = await listLinesEver(tx, orderId)
  const returned = await returnedGoodsOf(tx, order)
  await recalculateCommission(tx, shop, { orderId, checkoutId, paymentKey, lines, returned }, event)
}

/** The goods' share of what was refunded, and of what banks took for open or lost disputes. */
async function returnedGoodsOf(tx: Tx, order: PaidOrder): Promise<ReturnedGoods[]> {
  const refunds = (await listOrderRefunds(tx, order.id)).flatMap(({ bookedAt, reversedAt, parts, pieces }) =>
    bookedAt && !reversedAt && parts ? [{ parts, pieces }] : [],
  )
  const rest = remainingParts(
    partsOfOrder(order),
    refunds.map(({ parts }) => parts),
  )
  const taken = cents(Math.min(await disputedAmountOf(tx, order), totalOf(rest)))
  return [
    ...refunds.map(({ parts, pieces }) => ({ merchandise: parts.merchandise, pieces })),
    { merchandise: partsOfAmount(rest, taken).merchandise, pieces: null },
  ]
}

async function disputedAmountOf(tx: Tx, order: PaidOrder): Promise<Cents> {
  const taken: Cents[] = []
  for (const { provider, disputeId, status, amountCents } of await listDisputesOf(
    tx,
    await listPaymentKeys(tx, order),
  )) {
    const isAgainstUs = status === 'open' || status === 'lost'
    if (isAgainstUs && (await hasPosted(tx, `dispute:${provider}:${disputeId}:taken`))) taken.push(amountCents)
  }
  return sum(taken)
}
