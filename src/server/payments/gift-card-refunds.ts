import { totalOf, type Pieces, type RefundParts } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import { minus, sum, type Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { addCredit, returnToGiftCard } from '#server/gift-cards/gift-cards.ts'
import { post } from '#server/ledger/ledger.ts'
import { mailRefundedLater } from '#server/orders/mails.ts'
import type { Order } from '#server/orders/orders.ts'
import { changeRefund, insertRefund, listEveryRefund, type Refund } from '#server/orders/refunds.ts'
import { bookTaxOfRefund } from '#server/orders/tax-bookings.ts'
import { reverseTaxLater } from '#server/orders/tax-record.ts'
import { followCommission } from './commission.ts'
import { entriesOf, restatePayment } from './returns.ts'

/** What is left of the part that a gift card paid. @param order locked */
export async function leftOfGiftCard(tx: Tx, { id, giftCardId, giftCardCents }: Order): Promise<Cents> {
  const refunds = (await listEveryRefund(tx, [id])).filter(
    (refund) => refund.giftCardId === giftCardId && refund.status !== 'failed',
  )
  return minus(giftCardCents, sum(giftCardId === null ? [] : refunds.map(({ amountCents }) => amountCents)))
}

/**
 * Refunds parts of an order onto the gift card that paid them, or as store credit for its customer. No provider is asked, so it is done at
 * once.
 * @param order locked
 * @param giftCardId `new`: store credit
 */
export async function refundToGiftCard(
  tx: Tx,
  shop: Parameters<typeof restatePayment>[1] & Parameters<typeof addCredit>[1],
  order: Order,
  {
    giftCardId,
    parts,
    ...about
  }: {
    giftCardId: number | 'new'
    parts: RefundParts
    pieces: Pieces | null
    reason: string
    changeId?: number
  },
): Promise<Refund> {
  const { id: orderId, orderNumber, paymentKey } = order
  assert(paymentKey, 'an order without a payment has nothing to refund')
  const at = shop.clock.now()
  const amount = totalOf(parts)
  const { id } = await insertRefund(tx, { ...about, paymentKey, orderId, amountCents: amount, parts, createdAt: at })
  const key = `refund:${id}`
  const to = giftCardId === 'new' ? await creditOf(tx, shop, order, { amount, key }) : giftCardId
  if (to === giftCardId) await returnToGiftCard(tx, to, amount, { key, orderNumber, at })
  const booked = { giftCardId: to, status: 'succeeded', bookedAt: at } as const
  await changeRefund(tx, id, booked)
  const refund = (await listEveryRefund(tx, [orderId])).find((row) => row.id === id)
  assert(refund, 'a refund was written and is not there')
  await bookTaxOfRefund(tx, order, refund, key, at)
  await post(tx, { kind: 'refund', key, orderId, paymentKey, bookedAt: at, entries: entriesOf(refund) })
  // The change itself updates commission and tax, and tells the customer.
  if (refund.changeId !== null) return refund
  await followCommission(tx, shop, order, { kind: 'refund', cause: key })
  await mailRefundedLater(shop, tx, order, { refundId: id, amount, isCredit: true }, at)
  await reverseTaxLater(shop, tx, id)
  await restatePayment(tx, shop, paymentKey, order, undefined)
  return refund
}

async function creditOf(
  tx: Tx,
  shop: Parameters<typeof addCredit>[1],
  { orderNumber, customerEmail }: Order,
  { amount, key }: { amount: Cents; key: string },
): Promise<number> {
  const credit = { amount, reason: `Refund of order ${orderNumber}`, recipientEmail: customerEmail }
  return addCredit(tx, shop, credit, { key, orderNumber })
}
