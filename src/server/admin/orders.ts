import { label } from '#site/label.ts'
import type { AdminOrder, OpenOrders, OrderFilter, OrderRow } from '#contract/admin-orders.ts'
import { allowedActions, needsAttention } from '#domain/orders/actions.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { labeledTexts } from '#domain/orders/order-texts.ts'
import { whyNotReplace } from '#domain/orders/replacement.ts'
import { statusOf } from '#domain/orders/status.ts'
import { whyNotChange } from '#domain/orders/change.ts'
import { canCorrectEmail } from '#domain/orders/correction.ts'
import { piecesOf } from '#domain/payments/returns.ts'
import { readOrderNumber, readPaymentKey } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { startOfDay } from '#shared/time-zone.ts'
import { listActions, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { lateOrders } from '#server/claims/waiting.ts'
import type { Reader } from '#server/db/db.ts'
import { lineText } from '#server/fulfillment/order-corrections.ts'
import { readOrderFacts } from '#server/fulfillment/owner-actions.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findMailOf } from '#server/mail/order-mails.ts'
import { mailAgainLater } from '#server/mail/outbox.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { addNote } from '#server/orders/notes.ts'
import { listReplaceable, listReplacements } from '#server/orders/free-orders.ts'
import { findOrder, findOrderByNumber, isSale, listOrderLines, type Order } from '#server/orders/orders.ts'
import { findPartnerOfSale } from '#server/partners/attribution.ts'
import { correctableOf, savingOf, toldEventsOf } from '#server/orders/order-view.ts'
import { readProfit } from '#server/orders/profit.ts'
import { countOpen, listLinesOf, selectLate, selectOrders } from '#server/orders/search.ts'
import type { Refund } from '#server/orders/refunds.ts'
import { previewRefund } from '#server/payments/refunds.ts'
import { legalVersionIn } from '#server/settings/legal-versions.ts'
import type { Needs } from '#server/shop.ts'
import { toAuditLogEntry } from './log-view.ts'
import { readOrderRecords } from './order-records.ts'
import { timelineOf } from './timeline.ts'

const ORDERS_A_PAGE = 50

/** One page of orders, newest first. */
export async function searchOrders(
  db: Reader,
  { q, status, provider, collection, from, to, late, older }: OrderFilter,
): Promise<{ orders: OrderRow[]; hasMore: boolean; open: OpenOrders }> {
  const rows = await selectOrders(db, {
    q,
    status: status || undefined,
    provider: provider || undefined,
    collection,
    among: late ? lateOrders : undefined,
    since: from ? beginningOf(from, 0) : undefined,
    before: to ? beginningOf(to, 1) : undefined,
    olderThan: older || undefined,
    limit: ORDERS_A_PAGE + 1,
  })
  return {
    orders: await toRows(db, rows.slice(0, ORDERS_A_PAGE)),
    hasMore: rows.length > ORDERS_A_PAGE,
    open: await countOpen(db, lateOrders),
  }
}

const LAST_ORDERS = 8

export const listLastOrders = async (db: Reader): Promise<OrderRow[]> =>
  toRows(db, await selectOrders(db, { limit: LAST_ORDERS }))

/** Of each order: fits beside each other in a table. */
const PICTURES_A_ROW = 3

async function toRows(db: Reader, orders: readonly Order[]): Promise<OrderRow[]> {
  const ids = orders.map(({ id }) => id)
  const goods = Map.groupBy(await listLinesOf(db, ids), ({ orderId }) => orderId)
  const late = await selectLate(db, ids, lateOrders)
  return orders.map((order) => rowOf(order, goods.get(order.id) ?? [], late.has(order.id)))
}

/** @param text a day that the contract has validated */
const beginningOf = (text: string, daysLater: number): Date =>
  new Date(startOfDay(label.timeZone, Date.parse(text) / DAY_MS + daysLater))

const attentionOf = ({ paymentStatus: payment, attentionReason }: Order): string | null =>
  needsAttention({ payment }) ? attentionReason : null

type Goods = Awaited<ReturnType<typeof listLinesOf>>

const rowOf = (order: Order, goods: Goods, isLate: boolean): OrderRow => ({
  id: order.id,
  orderNumber: order.orderNumber,
  placedAt: order.createdAt.toISOString(),
  name: order.customerName,
  email: order.customerEmail,
  country: order.shippingAddress.country,
  collection: order.collection,
  kind: order.kind,
  provider: readPaymentKey(order.paymentKey)?.provider ?? '',
  status: order.paymentStatus === 'disputed' ? 'disputed' : statusOf(order.paymentStatus, order.fulfillmentStatus),
  attention: attentionOf(order),
  isLate,
  pieces: goods.reduce((sum, { quantity }) => sum + quantity, 0),
  goods: goods.slice(0, PICTURES_A_ROW).map(({ productName: name, imageUrl }) => ({ name, imageUrl })),
  total: order.totalCents,
})

/** @throws Refusal `unknown_order` */
export async function getOrder(db: Reader, typed: string): Promise<Order> {
  const number = readOrderNumber(typed)
  const order = number && (await findOrderByNumber(db, number))
  if (!order) throw new Refusal('unknown_order')
  return order
}

const momentOf = (at: Date | null): string | null => at && at.toISOString()

/** Everything the shop knows about an order. @throws Refusal `unknown_order` */
export async function showOrder(shop: Needs<'db' | 'clock'>, typed: string): Promise<AdminOrder> {
  const { db } = shop
  const order = await getOrder(db, typed)
  const lines = await listOrderLines(db, order.id)
  const records = await readOrderRecords(db, order)
  const actions = await listActions(db, { about: { kind: 'order', id: order.orderNumber }, limit: 100 })
  const left = await refundableParts(shop, order)
  const profit = await readProfit(db, order.id)
  const replaced = order.replacesId === null ? undefined : await findOrder(db, order.replacesId)
  const replacements = await listReplacements(db, order)
  const replaceable = await listReplaceable(db, order)
  const toPay = records.changes.find(({ state }) => state === 'awaiting_payment')
  const whyNot = whyNotChange({
    ...{ fulfillment: order.fulfillmentStatus, payment: order.paymentStatus },
    ...{ isErased: order.erasedAt !== null, isAwaitingPayment: toPay !== undefined },
  })
  const sale = isSale(order) ? await findPartnerOfSale(db, order.checkoutId) : undefined
  const code = order.discounts.find(({ id }) => id === sale?.codeId)
  const refundedPieces = records.refunds.flatMap(({ status, pieces }) => (status === 'failed' ? [] : (pieces ?? [])))
  return {
    orderNumber: order.orderNumber,
    version: records.corrections.length,
    kind: order.kind,
    replaces: replaced?.orderNumber ?? null,
    replacements: replacements.map(({ orderNumber, paymentStatus, fulfillmentStatus }) => ({
      orderNumber,
      status: statusOf(paymentStatus, fulfillmentStatus),
    })),
    replaceable: [...replaceable],
    partner: sale ? { name: sale.name, by: code?.code ?? `/r/${sale.link}` } : null,
    status: statusOf(order.paymentStatus, order.fulfillmentStatus),
    payment: order.paymentStatus,
    fulfillment: order.fulfillmentStatus,
    attention: attentionOf(order),
    placedAt: order.createdAt.toISOString(),
    changeableUntil: order.changeableUntil > shop.clock.now() ? order.changeableUntil.toISOString() : null,
    terms:
      order.termsVersion && order.termsAcceptedAt
        ? { version: legalVersionIn(order.termsVersion), acceptedAt: order.termsAcceptedAt.toISOString() }
        : null,
    erasedAt: momentOf(order.erasedAt),
    customer: {
      ...{ name: order.customerName, email: order.customerEmail, phone: order.customerPhone },
      language: order.language,
    },
    recipientName: recipientNameOf(order),
    texts: labeledTexts(order.texts),
    shippingAddress: addressLines(recipientNameOf(order), order.shippingAddress),
    address: wireAddressOf(order.shippingAddress),
    billingAddress: order.billingAddress ? addressLines(order.customerName, order.billingAddress) : [],
    paid: {
      ...(readPaymentKey(order.paymentKey) ?? { provider: '', id: order.paymentKey ?? '' }),
      card: order.paidCard,
    },
    printer: { id: order.printfulOrderId, externalId: order.externalId, askedAt: momentOf(order.partnerAskedAt) },
    lines: lines.map(({ position, productId, variantId, productName, variantName, imageUrl, ...line }) => ({
      ...{ position, productId, variantId, productName, variantName, imageUrl },
      ...{ quantity: line.quantity, unitPrice: line.unitPrice, listPrice: line.listPrice },
      returned: piecesOf(position, refundedPieces),
    })),
    amounts: {
      subtotal: order.subtotalCents,
      ...savingOf(order, lines),
      shipping: order.shippingCents,
      tax: order.taxCents,
      vatProtection: order.vatProtectionCents,
      total: order.totalCents,
      giftCard: order.giftCardCents,
      left,
      estimatedProfit: profit.estimated,
      profit: profit.actual,
    },
    parcels: records.parcels.map((parcel) => ({
      ...parcel,
      shippedAt: parcel.shippedAt.toISOString(),
      deliveredAt: momentOf(parcel.deliveredAt),
      returnedAt: momentOf(parcel.returnedAt),
      lostAt: momentOf(parcel.lostAt),
      events: toldEventsOf(parcel.id, records.trackingEvents),
    })),
    refunds: records.refunds.map(({ amountCents: amount, createdAt, ...refund }) => ({
      ...refund,
      amount,
      isOwed:
        refund.status === 'failed' &&
        // What a change gives back is no part of what is left.
        (refund.changeId !== null || amount <= left) &&
        !records.refunds.some((later) => replaces(later, refund)),
      createdAt: createdAt.toISOString(),
    })),
    disputes: records.disputes.map(({ disputeId: id, amountCents: amount, feeCents: fee, status, ...at }) => ({
      ...{ id, amount, fee, status },
      openedAt: at.openedAt.toISOString(),
      respondBy: momentOf(at.respondBy),
    })),
    mails: records.mails.map((mail) => ({
      ...mail,
      createdAt: mail.createdAt.toISOString(),
      sentAt: momentOf(mail.sentAt),
      canResend: order.erasedAt === null && mail.state !== 'queued' && mail.recipient === order.customerEmail,
    })),
    postings: postingsOf(records.entries),
    timeline: timelineOf(order, records, actions),
    toPay: toPay?.expiresAt
      ? {
          ...{ amount: toPay.amountCents, until: toPay.expiresAt.toISOString() },
          lines: (toPay.plan?.lines ?? []).map(lineText),
        }
      : null,
    notes: records.notes.map(({ id, author, words, createdAt }) => ({
      ...{ id, author, words },
      at: createdAt.toISOString(),
    })),
    actions: actions.map(toAuditLogEntry),
    can: {
      ...allowedActions(await readOrderFacts(db, order, left)),
      replace: whyNotReplace({
        fulfillment: order.fulfillmentStatus,
        isErased: order.erasedAt !== null,
        left: replaceable.reduce((total, { quantity }) => total + quantity, 0),
      }),
      change: whyNot,
      correctAddress: whyNot,
      correctEmail: canCorrectEmail(correctableOf(order), 'owner') ? null : 'The customer’s data was erased.',
    },
  }
}

/** Whether a later refund returned the money of a failed one: by a retry, or paid another way. */
const replaces = (
  later: Pick<Refund, 'id' | 'status' | 'paysRefundId'>,
  failed: Pick<Refund, 'id' | 'changeId'>,
): boolean =>
  later.status !== 'failed' &&
  (later.paysRefundId === null ? failed.changeId === null && later.id > failed.id : later.paysRefundId === failed.id)

const wireAddressOf = ({ postalCode: postal_code, ...address }: Order['shippingAddress']) => ({
  ...address,
  postal_code,
})

/** How much can still be refunded. */
async function refundableParts(shop: Needs<'db'>, { orderNumber }: Order) {
  try {
    return (await previewRefund(shop, orderNumber, { kind: 'rest' })).limit
  } catch (error) {
    if (error instanceof Refusal && error.code === 'nothing_to_refund') return ZERO
    throw error
  }
}

type Entries = Awaited<ReturnType<typeof readOrderRecords>>['entries']

const postingsOf = (entries: Entries): AdminOrder['postings'] =>
  [...Map.groupBy(entries, ({ posting }) => posting.id).values()].flatMap((rows) => {
    const posting = rows[0]?.posting
    if (!posting) return []
    return {
      id: posting.id,
      kind: posting.kind,
      bookedAt: posting.bookedAt.toISOString(),
      entries: rows.map(({ entry }) => ({ account: entry.account, amount: entry.amountCents })),
    }
  })

/** Adds an internal note, which the customer never sees. @throws Refusal `unknown_order` */
export async function addOrderNote({ db, clock }: Needs<'db' | 'clock'>, typed: string, words: string, by: Actor) {
  const order = await getOrder(db, typed)
  const at = clock.now()
  await db.transaction(async (tx) => {
    await addNote(tx, { orderId: order.id, author: by.name, words, createdAt: at })
    await recordAction(tx, { by, what: 'wrote a note', about: { kind: 'order', id: order.orderNumber }, at })
  })
  return { done: 'Note saved.' }
}

/** @throws Refusal `unknown_order`; `mail_not_resent` for an unknown email, or when the customer was erased or changed address */
export async function resendMail(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  typed: string,
  mailId: number,
  by: Actor,
) {
  const { db, clock } = shop
  const order = await getOrder(db, typed)
  const mail = await findMailOf(db, order.id, mailId)
  if (!mail || order.erasedAt !== null || mail.recipient !== order.customerEmail) throw new Refusal('mail_not_resent')
  const at = clock.now()
  await db.transaction(async (tx) => {
    await mailAgainLater(shop, tx, mail, at)
    const about = { kind: 'order', id: order.orderNumber }
    await recordAction(tx, { by, what: 'resent an email', about, after: { mail: mail.kind }, at })
  })
  return { done: `Resending “${mail.subject}”.` }
}
