import { addressLines } from '#domain/checkout/address.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { legalPageNames, legalVersionPath } from '#domain/legal/legal-text.ts'
import type { DisputePack } from '#domain/payments/dispute-pack.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { negate } from '#shared/money.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { listMessagesOfOrder } from '#server/messages/shopper-messages.ts'
import { listOrderLines, type Order } from '#server/orders/orders.ts'
import { listRefunds } from '#server/orders/refunds.ts'
import { toldEventsOf } from '#server/orders/order-view.ts'
import { listMovementsOf, nameOfGiftCard, type GiftCard } from '#server/gift-cards/gift-cards.ts'
import { listGiftCardMails } from '#server/mail/order-mails.ts'
import type { Dispute } from '#server/payments/dispute-answers.ts'
import type { GiftCardPurchase } from '#server/payments/gift-card-rows.ts'
import { legalVersionIn } from '#server/settings/legal-versions.ts'
import type { Needs } from '#server/shop.ts'
import { readOrderRecords } from './order-records.ts'

/** A bank reads a few pages; Mastercard takes 19. The latest are the ones that matter. */
export const LATEST = { lines: 40, parcels: 8, events: 8, mails: 30, visits: 60, messages: 30, refunds: 20 }
export const WORDS_MAX = 600

const clip = (words: string): string => (words.length <= WORDS_MAX ? words : `${words.slice(0, WORDS_MAX - 1)}…`)
const iso = (at: Date): string => at.toISOString()

const shownDispute = (dispute: Dispute): DisputePack['dispute'] => ({
  ...{ id: dispute.disputeId, provider: dispute.provider === 'stripe' ? 'Stripe' : 'PayPal' },
  ...{ reason: dispute.reason?.replaceAll('_', ' ') ?? null, amount: dispute.amountCents },
  openedAt: iso(dispute.openedAt),
})

/**
 * Gathers what the shop knows about a disputed sale.
 * @param checks what the provider checked, see `Payments.readChecks`
 */
export async function gatherPack(
  { db, config }: Needs<'db' | 'config'>,
  order: Order,
  dispute: Dispute,
  checks: DisputePack['checks'],
): Promise<DisputePack> {
  const records = await readOrderRecords(db, order)
  const lines = await listOrderLines(db, order.id)
  const messages = await listMessagesOfOrder(db, order.id, LATEST.messages)
  const { name: shopName } = await readSiteSettings(db)
  const version = order.termsVersion === null ? null : legalVersionIn(order.termsVersion)
  return {
    shopName,
    dispute: shownDispute(dispute),
    subject: `Order ${formatOrderNumber(order.orderNumber)}`,
    placedAt: iso(order.createdAt),
    customer: { name: order.customerName, email: order.customerEmail, phone: order.customerPhone },
    lines: lines.slice(0, LATEST.lines).map(({ productName, variantName, quantity, unitPrice }) => ({
      name: [productName, variantName].filter(Boolean).join(', '),
      ...{ quantity, unitPrice },
    })),
    amounts: [
      { name: 'Goods', amount: order.subtotalCents },
      { name: 'Shipping', amount: order.shippingCents },
      { name: 'Tax', amount: order.taxCents },
      ...(order.vatProtectionCents > 0 ? [{ name: 'VAT protection', amount: order.vatProtectionCents }] : []),
      { name: 'Total', amount: order.totalCents },
    ],
    shippingAddress: addressLines(recipientNameOf(order), order.shippingAddress),
    billingAddress: order.billingAddress ? addressLines(order.customerName, order.billingAddress) : [],
    checks,
    terms:
      version !== null && order.termsAcceptedAt
        ? {
            version: String(version),
            acceptedAt: iso(order.termsAcceptedAt),
            urls:
              typeof version === 'number'
                ? legalPageNames.map((page) => `${baseUrlOf(config)}${legalVersionPath(page, version)}`)
                : [],
          }
        : null,
    parcels: records.parcels.slice(0, LATEST.parcels).map((parcel) => ({
      carrier: parcel.service.startsWith(parcel.carrier)
        ? parcel.service
        : [parcel.carrier, parcel.service].filter(Boolean).join(' '),
      ...{ trackingNumber: parcel.trackingNumber, trackingUrl: parcel.trackingUrl },
      shippedAt: iso(parcel.shippedAt),
      deliveredAt: parcel.deliveredAt && iso(parcel.deliveredAt),
      events: toldEventsOf(parcel.id, records.trackingEvents).slice(0, LATEST.events),
    })),
    mails: records.mails
      .filter(({ recipient }) => recipient === order.customerEmail)
      .slice(-LATEST.mails)
      .flatMap(({ subject, recipient, sentAt }) => (sentAt ? [{ subject, recipient, sentAt: iso(sentAt) }] : [])),
    visits: records.visits.slice(-LATEST.visits).map(iso),
    conversation: messages.map(({ author, writtenAt, words }) => ({
      by: author === 'customer' ? 'customer' : 'shop',
      ...{ at: iso(writtenAt), words: clip(words) },
    })),
    refunds: records.refunds.slice(-LATEST.refunds).map(({ amountCents, status, createdAt, providerRefundId }) => ({
      ...{ amount: amountCents, status, at: iso(createdAt), providerId: providerRefundId },
    })),
    giftCard: null,
  }
}

/** The same for a gift card that was bought. */
export async function gatherGiftCardPack(
  { db }: Needs<'db'>,
  { purchase, card }: { purchase: GiftCardPurchase; card: GiftCard },
  dispute: Dispute,
  checks: DisputePack['checks'],
): Promise<DisputePack> {
  const { name: shopName } = await readSiteSettings(db)
  const mails = await listGiftCardMails(db, { purchase: purchase.id, card: card.id })
  const movements = await listMovementsOf(db, [card])
  const amount = purchase.amountCents
  const sent = mails.find(({ kind, sentAt }) => kind === 'gift_card' && sentAt !== null)
  return {
    shopName,
    dispute: shownDispute(dispute),
    subject: nameOfGiftCard(card),
    placedAt: iso(card.createdAt),
    customer: { name: purchase.senderName ?? '', email: purchase.buyerEmail, phone: null },
    lines: [{ name: 'Gift card', quantity: 1, unitPrice: amount }],
    amounts: [{ name: 'Total', amount }],
    ...{ shippingAddress: [], billingAddress: [], checks, terms: null, parcels: [], visits: [], conversation: [] },
    mails: mails
      .slice(-LATEST.mails)
      .flatMap(({ subject, recipient, sentAt }) => (sentAt ? [{ subject, recipient, sentAt: iso(sentAt) }] : [])),
    refunds: (await listRefunds(db, dispute.paymentKey)).slice(-LATEST.refunds).map((refund) => ({
      ...{ amount: refund.amountCents, status: refund.status, at: iso(refund.createdAt) },
      providerId: refund.providerRefundId,
    })),
    giftCard: {
      recipient: sent?.recipient ?? card.recipientEmail ?? purchase.buyerEmail,
      sentAt: sent?.sentAt ? iso(sent.sentAt) : null,
      uses: movements.flatMap(({ kind, orderNumber, amountCents, movedAt }) =>
        kind === 'use' && orderNumber
          ? [{ orderNumber: formatOrderNumber(orderNumber), amount: negate(amountCents), at: iso(movedAt) }]
          : [],
      ),
    },
  }
}
